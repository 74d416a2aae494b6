//! Strings that stayed in JavaScript, and V8's own normalization.

use std::ptr;

use napi::{check_status, sys};

use crate::error::{Error, ErrorKind};
use crate::memory;
use crate::request::Strings;
use crate::text::wtf8;

/// The list that came with a frame.
pub(super) struct Heap {
    pub(super) env: sys::napi_env,
    /// A JavaScript array.
    pub(super) list: sys::napi_value,
}

/// The first place of every list holds `String.prototype.normalize`, as it was when the package was loaded.
const NORMALIZE: u32 = 0;

/// Memory for so many units is had for nothing.
const LARGE: usize = 1 << 16;

impl Heap {
    /// The number of places.
    pub(super) fn len(&self) -> Result<u32, Error> {
        let mut len = 0;
        // SAFETY: `list` is a live value of `env`; what is no array is refused.
        let status = unsafe { sys::napi_get_array_length(self.env, self.list, &raw mut len) };
        if status == sys::Status::napi_ok { Ok(len) } else { Err(ErrorKind::Frame.into()) }
    }

    /// The value at this place.
    pub(super) fn get(&self, index: u32) -> Result<sys::napi_value, Error> {
        let mut value = ptr::null_mut();
        // SAFETY: `list` is a live value of `env`.
        let status = unsafe { sys::napi_get_element(self.env, self.list, index, &raw mut value) };
        if status == sys::Status::napi_ok { Ok(value) } else { Err(ErrorKind::Frame.into()) }
    }
}

impl Strings for Heap {
    fn read(&mut self, index: u32, len: usize, units: &mut Vec<u16>) -> Result<(), Error> {
        read_exactly(self.env, self.get(index)?, len, units)
    }

    fn nfc(&mut self, units: &mut Vec<u16>) -> Result<(), Error> {
        let text = create_utf16(self.env, units)?;
        let normalize = self.get(NORMALIZE)?;
        let mut normalized = ptr::null_mut();
        // SAFETY: all values are live in `env`. On a primitive string `normalize` runs no code but V8's.
        let status = unsafe {
            sys::napi_call_function(self.env, text, normalize, 0, ptr::null(), &raw mut normalized)
        };
        if status != sys::Status::napi_ok {
            // Only a text too long for V8 fails; that exception becomes ours.
            let mut exception = ptr::null_mut();
            // SAFETY: takes the pending exception, if there is one.
            unsafe { sys::napi_get_and_clear_last_exception(self.env, &raw mut exception) };
            return Err(ErrorKind::Memory.into());
        }
        read_text(self.env, normalized, units)
    }
}

/// Puts a string of this length into `units`.
pub(super) fn read_exactly(
    env: sys::napi_env,
    value: sys::napi_value,
    len: usize,
    units: &mut Vec<u16>,
) -> Result<(), Error> {
    // The wrong length must not cost memory.
    if len > LARGE && length_utf16(env, value)? != len {
        return Err(ErrorKind::Frame.into());
    }
    read_utf16(env, value, len, units)?;
    if units.len() == len { Ok(()) } else { Err(ErrorKind::Frame.into()) }
}

/// Puts the text that a value is into `units`; [`ErrorKind::Text`] when it is no string.
pub(super) fn read_text(
    env: sys::napi_env,
    value: sys::napi_value,
    units: &mut Vec<u16>,
) -> Result<(), Error> {
    read_utf16(env, value, length_utf16(env, value)?, units)
}

/// Likewise, without asking for the length first when the text is short.
pub(super) fn read_short_text(
    env: sys::napi_env,
    value: sys::napi_value,
    units: &mut Vec<u16>,
) -> Result<(), Error> {
    const SHORT: usize = 1 << 12;
    read_utf16(env, value, SHORT, units)?;
    if units.len() == SHORT { read_text(env, value, units) } else { Ok(()) }
}

/// A string in WTF-8.
pub(super) fn read_wtf8(env: sys::napi_env, value: sys::napi_value) -> Result<Vec<u8>, Error> {
    let (mut units, mut text) = (Vec::new(), Vec::new());
    read_text(env, value, &mut units)?;
    wtf8::push(&units, &mut text)?;
    Ok(text)
}

/// A string as Rust has it.
pub(super) fn read_string(env: sys::napi_env, value: sys::napi_value) -> Result<String, Error> {
    Ok(wtf8::into_string(read_wtf8(env, value)?))
}

/// The length of a string in UTF-16 units; [`ErrorKind::Text`] when the value is no string.
fn length_utf16(env: sys::napi_env, value: sys::napi_value) -> Result<usize, Error> {
    let mut len = 0;
    // SAFETY: without a buffer the call only reports the length.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &raw mut len) };
    if status == sys::Status::napi_ok { Ok(len) } else { Err(ErrorKind::Text.into()) }
}

/// Puts a string into `units`, which is emptied first. Of a longer one than `len` only as much.
fn read_utf16(
    env: sys::napi_env,
    value: sys::napi_value,
    len: usize,
    units: &mut Vec<u16>,
) -> Result<(), Error> {
    units.clear();
    // Node writes a NUL behind the text.
    memory::room(units, len + 1)?;
    let mut written = 0;
    // SAFETY: the buffer has room for `len + 1` units, and Node writes no more than that.
    let status = unsafe {
        sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), len + 1, &raw mut written)
    };
    if status != sys::Status::napi_ok || written > len {
        return Err(ErrorKind::Text.into());
    }
    // SAFETY: Node initialized as many.
    unsafe { units.set_len(written) };
    Ok(())
}

/// A JavaScript string of these units.
pub(super) fn create_utf16(env: sys::napi_env, units: &[u16]) -> Result<sys::napi_value, Error> {
    let mut value = ptr::null_mut();
    // SAFETY: the units are valid for their length.
    let status = unsafe {
        sys::napi_create_string_utf16(env, units.as_ptr(), units.len().cast_signed(), &raw mut value)
    };
    check_status!(status).map_err(|_| Error::new(ErrorKind::Memory))?;
    Ok(value)
}

/// A JavaScript string of ASCII text.
pub(super) fn create_ascii(env: sys::napi_env, text: &[u8]) -> Result<sys::napi_value, Error> {
    let mut value = ptr::null_mut();
    // SAFETY: the bytes are valid for their length, and ASCII is Latin-1.
    let status = unsafe {
        sys::napi_create_string_latin1(env, text.as_ptr().cast(), text.len().cast_signed(), &raw mut value)
    };
    check_status!(status).map_err(|_| Error::new(ErrorKind::Memory))?;
    Ok(value)
}

/// A JavaScript string of UTF-8.
pub(super) fn create_string(env: sys::napi_env, text: &str) -> Result<sys::napi_value, Error> {
    let mut units = Vec::new();
    memory::room(&mut units, text.len())?;
    units.extend(text.encode_utf16());
    create_utf16(env, &units)
}
