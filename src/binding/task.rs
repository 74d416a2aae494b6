//! Work on a thread of Node's pool, as a promise.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::thread;

use napi::sys;

use super::call::Value;
use super::error::create;
use super::heap::create_string;
use crate::error::{Error, ErrorKind};

type Work = Box<dyn FnOnce() -> Result<Vec<u8>, Error> + Send>;

struct Task {
    work: Option<Work>,
    result: Result<Vec<u8>, Error>,
    deferred: sys::napi_deferred,
    handle: sys::napi_async_work,
}

/// Runs `work` and returns a promise of the text that it gives, in UTF-8. A panic rejects the promise.
pub(super) fn spawn(
    env: sys::napi_env,
    work: impl FnOnce() -> Result<Vec<u8>, Error> + Send + 'static,
) -> Result<Value, Error> {
    let mut task = Box::new(Task {
        work: Some(Box::new(work)),
        result: Err(ErrorKind::Panic.into()),
        deferred: ptr::null_mut(),
        handle: ptr::null_mut(),
    });
    let mut promise = ptr::null_mut();
    let name = create_string(env, "tapeproof")?;
    // SAFETY: the out parameters are valid.
    done(unsafe { sys::napi_create_promise(env, &raw mut task.deferred, &raw mut promise) })?;
    let task = Box::into_raw(task);
    // SAFETY: `task` lives until `complete` takes it back, which Node calls exactly once for queued work. Nothing is
    // queued when a call fails; the few bytes are lost then.
    unsafe {
        let handle = &raw mut (*task).handle;
        let data = task.cast::<c_void>();
        done(sys::napi_create_async_work(
            env,
            ptr::null_mut(),
            name,
            Some(execute),
            Some(complete),
            data,
            handle,
        ))?;
        done(sys::napi_queue_async_work(env, *handle))?;
    }
    Ok(promise)
}

/// On a thread of the pool: no call of Node-API is allowed here.
unsafe extern "C" fn execute(_: sys::napi_env, data: *mut c_void) {
    // SAFETY: `spawn` gave the task as data, and the JavaScript thread leaves it alone until `complete`.
    let task = unsafe { &mut *data.cast::<Task>() };
    if let Some(work) = task.work.take() {
        task.result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(ErrorKind::Panic.into()));
    }
}

/// On the JavaScript thread.
unsafe extern "C" fn complete(env: sys::napi_env, _: sys::napi_status, data: *mut c_void) {
    // SAFETY: made by `Box::into_raw` in `spawn`; this is the one call.
    let task = unsafe { Box::from_raw(data.cast::<Task>()) };
    let result = task.result.and_then(|text| create_string(env, &String::from_utf8_lossy(&text)));
    // SAFETY: the deferred is settled once, with a value of `env`; the work is over.
    unsafe {
        match result {
            Ok(value) => sys::napi_resolve_deferred(env, task.deferred, value),
            Err(error) => sys::napi_reject_deferred(env, task.deferred, create(env, &error)),
        };
        sys::napi_delete_async_work(env, task.handle);
    }
}

/// Runs work that needs much memory on a thread of its own, if there is one to be had. An allocator keeps some of it for
/// each thread that had it, which would be every thread of the pool in turn; what the last thread had, the next one gets.
pub(super) fn apart(work: impl FnOnce() -> Result<Vec<u8>, Error> + Send) -> Result<Vec<u8>, Error> {
    let panicked = || Err(ErrorKind::Panic.into());
    let mut work = Some(work);
    let mut run = || work.take().map_or_else(panicked, |work| work());
    let result = thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, &mut run).ok()?;
        Some(thread.join().unwrap_or_else(|_| panicked()))
    });
    result.unwrap_or_else(run)
}

fn done(status: sys::napi_status) -> Result<(), Error> {
    if status == sys::Status::napi_ok { Ok(()) } else { Err(ErrorKind::Memory.into()) }
}
