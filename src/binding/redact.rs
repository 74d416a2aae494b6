//! Findings of the redaction matchers.

use std::ptr;

use napi::sys;

use super::call::{Call, Value};
use super::heap::{Heap, create_string, read_short_text, read_string};
use super::session::State;
use super::tree::{create_number, create_undefined, done};
use crate::error::{Error, ErrorKind};
use crate::memory;
use crate::redact::{Finding, Matcher, Matchers, find};

/// `(matchers, name) → number`: the set with what the name stands for in it. -1 when it stands for nothing, or for
/// what does not mix with the set.
pub(super) fn matchers(_: &mut State, call: &Call<2>) -> Result<Value, Error> {
    let set = Matchers::from_bits(call.uint32(0)?);
    let named = Matchers::named(&read_string(call.env, call.args[1])?);
    let both = named.and_then(|named| set.and(named));
    create_number(call.env, both.map_or(-1.0, |both| both.bits().into()))
}

/// `(index) → string`: the name of a matcher.
pub(super) fn matcher_name(_: &mut State, call: &Call<1>) -> Result<Value, Error> {
    let matcher = Matcher::ALL.get(call.uint32(0)? as usize).ok_or(ErrorKind::Frame)?;
    create_string(call.env, matcher.name())
}

/// `(texts, matchers) → Uint32Array | undefined`: four numbers a finding, text by text and in the order in which tokens
/// are given out: the index of the text, the index of the matcher, start and end. Nothing when there is none.
pub(super) fn find_sensitive(state: &mut State, call: &Call<2>) -> Result<Value, Error> {
    let texts = Heap { env: call.env, list: call.args[0] };
    let matchers = Matchers::from_bits(call.uint32(1)?);
    let mut findings = Vec::new();
    let mut numbers = Vec::new();
    for index in 0..texts.len()? {
        read_short_text(call.env, texts.get(index)?, &mut state.units)?;
        find(&state.units, matchers, &mut findings)?;
        memory::room(&mut numbers, 4 * findings.len())?;
        for Finding { matcher, start, end } in findings.drain(..) {
            numbers.extend([index, matcher as u32, start as u32, end as u32]);
        }
    }
    if numbers.is_empty() { create_undefined(call.env) } else { create_uint32_array(call.env, &numbers) }
}

fn create_uint32_array(env: sys::napi_env, numbers: &[u32]) -> Result<Value, Error> {
    let (mut data, mut buffer, mut array) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: the out parameters are valid.
    done(unsafe { sys::napi_create_arraybuffer(env, size_of_val(numbers), &raw mut data, &raw mut buffer) })?;
    // SAFETY: the new buffer has room for the numbers, and nothing else refers to it yet.
    unsafe { ptr::copy_nonoverlapping(numbers.as_ptr(), data.cast(), numbers.len()) };
    let kind = sys::TypedarrayType::uint32_array;
    // SAFETY: the buffer is as long as the array.
    done(unsafe { sys::napi_create_typedarray(env, kind, numbers.len(), buffer, 0, &raw mut array) })?;
    Ok(array)
}
