//! How JavaScript calls the core: arguments in, a panic guard around, a result or an exception out.
//!
//! Raw Node-API functions: the class that `#[napi]` would make costs 0.3 µs a call, as much as hashing a short request.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use napi::{check_status, sys};

use super::error::throw;
use super::session::State;
use crate::error::{Error, ErrorKind};

/// A JavaScript value of the running call.
pub(super) type Value = sys::napi_value;

/// The running call.
pub(super) struct Call<const N: usize> {
    pub(super) env: sys::napi_env,
    pub(super) args: [Value; N],
}

impl<const N: usize> Call<N> {
    /// An argument as an unsigned integer.
    pub(super) fn uint32(&self, at: usize) -> Result<u32, Error> {
        let mut number = 0;
        // SAFETY: the value belongs to the running call; what is no number is refused.
        let status = unsafe { sys::napi_get_value_uint32(self.env, self.args[at], &raw mut number) };
        if status == sys::Status::napi_ok { Ok(number) } else { Err(ErrorKind::Frame.into()) }
    }

    /// The bytes of an argument that is a `Uint8Array`.
    ///
    /// JavaScript must not run while they are looked at: it could change or detach them.
    pub(super) fn bytes(&self, at: usize) -> Result<&[u8], Error> {
        // SAFETY: any byte is a `u8`.
        unsafe { self.elements(at, sys::TypedarrayType::uint8_array) }
    }

    /// The words of an argument that is an `Int32Array`, likewise.
    pub(super) fn words(&self, at: usize) -> Result<&[u32], Error> {
        // SAFETY: any four bytes are a `u32`.
        unsafe { self.elements(at, sys::TypedarrayType::int32_array) }
    }

    /// # Safety
    /// `T` must be what an element of this kind of array is.
    unsafe fn elements<T>(&self, at: usize, kind: sys::napi_typedarray_type) -> Result<&[T], Error> {
        let (mut found, mut len, mut data) = (0, 0, ptr::null_mut());
        let (buffer, offset) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the out parameters are valid; the last two are not wanted.
        let status = unsafe {
            let value = self.args[at];
            sys::napi_get_typedarray_info(
                self.env,
                value,
                &raw mut found,
                &raw mut len,
                &raw mut data,
                buffer,
                offset,
            )
        };
        if status != sys::Status::napi_ok || found != kind {
            return Err(ErrorKind::Frame.into());
        }
        let data = data.cast::<T>();
        if data.is_null() {
            return Ok(&[]);
        }
        if !data.is_aligned() {
            return Err(ErrorKind::Frame.into());
        }
        // SAFETY: Node reports `len` elements at `data`, and they stay as long as JavaScript does not run.
        Ok(unsafe { std::slice::from_raw_parts(data, len) })
    }
}

/// What an export does.
pub(super) type Body<const N: usize> = fn(&mut State, &Call<N>) -> Result<Value, Error>;

/// Runs `body` for a call from JavaScript. A panic becomes an exception, and the session goes on.
///
/// # Safety
/// Only for the callback of a function that [`define`] made.
pub(super) unsafe fn run<const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    body: Body<N>,
) -> Value {
    let mut call = Call { env, args: [ptr::null_mut(); N] };
    let (mut count, mut data) = (N, ptr::null_mut());
    // SAFETY: `args` has room for `count` values; missing arguments become `undefined`.
    unsafe {
        let args = call.args.as_mut_ptr();
        sys::napi_get_cb_info(env, info, &raw mut count, args, ptr::null_mut(), &raw mut data);
    }
    // SAFETY: `define` gave the session as data, and it lives as long as the environment.
    let session = unsafe { &*data.cast::<Session>() };
    let result = catch_unwind(AssertUnwindSafe(|| match session.try_borrow_mut() {
        Ok(mut state) => {
            let result = body(&mut state, &call);
            state.shrink();
            result
        }
        // Only V8's own `normalize` runs in the middle of a call, and that never comes back here.
        Err(_) => Err(ErrorKind::Frame.into()),
    }));
    result
        .unwrap_or_else(|_| {
            // Not borrowed: a borrow ends with the body that panicked.
            if let Ok(mut state) = session.try_borrow_mut() {
                state.recover();
            }
            Err(ErrorKind::Panic.into())
        })
        .unwrap_or_else(|error| throw(env, &error))
}

/// The state of one environment.
pub(super) type Session = RefCell<State>;

/// A new session, freed with its environment.
pub(super) fn open_session(env: sys::napi_env) -> *mut Session {
    unsafe extern "C" fn close(session: *mut c_void) {
        // SAFETY: made by `Box::into_raw` below. The environment ends, no function of it will be called again.
        drop(unsafe { Box::from_raw(session.cast::<Session>()) });
    }
    let session = Box::into_raw(Box::<Session>::default());
    // SAFETY: `close` takes what it is given here.
    unsafe { sys::napi_add_env_cleanup_hook(env, Some(close), session.cast()) };
    session
}

/// Adds a function to the exports.
pub(super) fn define(
    env: sys::napi_env,
    exports: Value,
    session: *mut Session,
    name: &CStr,
    callback: unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> Value,
) -> napi::Result<()> {
    let mut function = ptr::null_mut();
    let len = name.count_bytes().cast_signed();
    // SAFETY: the name is valid for its length, and the session outlives the function.
    check_status!(unsafe {
        sys::napi_create_function(env, name.as_ptr(), len, Some(callback), session.cast(), &raw mut function)
    })?;
    // SAFETY: the values belong to `env`, and the name ends with NUL.
    check_status!(unsafe { sys::napi_set_named_property(env, exports, name.as_ptr(), function) })
}
