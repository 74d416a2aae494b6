//! Errors of the core as JavaScript exceptions.

use std::fmt::Write as _;
use std::ptr;

use napi::sys;

use crate::error::{Class, Error};

/// Throws `error` as the exception of its class, with `code`, and `pointer` and `offset` where there are any.
#[cold]
pub(super) fn throw(env: sys::napi_env, error: &Error) -> sys::napi_value {
    let exception = create(env, error);
    // SAFETY: `env` is the environment of the running call, and `exception` a value of it or null.
    unsafe { sys::napi_throw(env, exception) };
    ptr::null_mut()
}

/// The exception for `error`; null when the environment cannot make one.
pub(super) fn create(env: sys::napi_env, error: &Error) -> sys::napi_value {
    let code = string(env, error.code());
    let mut message = message(error).map_or(ptr::null_mut(), |message| string(env, &message));
    if message.is_null() {
        message = string(env, &Error::new(error.kind()).to_string());
    }
    let mut exception = ptr::null_mut();
    let create = match error.kind().class() {
        Class::Error => sys::napi_create_error,
        Class::Type => sys::napi_create_type_error,
        Class::Range => sys::napi_create_range_error,
        Class::Syntax => sys::node_api_create_syntax_error,
    };
    // SAFETY: all values belong to `env`; a failed call leaves null, which the next one refuses.
    unsafe { create(env, code, message, &raw mut exception) };
    if let Some(pointer) = error.pointer() {
        set(env, exception, c"pointer", string(env, pointer));
    }
    if let Some(reason) = error.reason() {
        set(env, exception, c"reason", string(env, reason));
    }
    if let Some(offset) = error.offset() {
        let mut value = ptr::null_mut();
        // SAFETY: as above. An offset is far below 2^53.
        #[expect(clippy::cast_precision_loss, reason = "an offset is far below 2^53")]
        unsafe {
            sys::napi_create_double(env, offset as f64, &raw mut value)
        };
        set(env, exception, c"offset", value);
    }
    exception
}

/// The text of an error, if there is memory for it: its pointer may be long.
fn message(error: &Error) -> Option<String> {
    const BESIDE: usize = 256;
    let mut text = String::new();
    text.try_reserve(BESIDE + error.pointer().map_or(0, str::len)).ok()?;
    write!(text, "{error}").ok()?;
    Some(text)
}

fn set(env: sys::napi_env, object: sys::napi_value, name: &std::ffi::CStr, value: sys::napi_value) {
    // SAFETY: `name` ends with NUL, the values belong to `env`; null is refused.
    unsafe { sys::napi_set_named_property(env, object, name.as_ptr(), value) };
}

fn string(env: sys::napi_env, text: &str) -> sys::napi_value {
    let mut value = ptr::null_mut();
    // SAFETY: the bytes are valid for their length.
    unsafe {
        sys::napi_create_string_utf8(env, text.as_ptr().cast(), text.len().cast_signed(), &raw mut value)
    };
    value
}
