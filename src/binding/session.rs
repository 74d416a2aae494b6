//! What outlives a call: interned keys and memory, never a value.

use std::mem;

use super::call::{Call, Value};
use super::error::create;
use super::heap::{create_string, read_exactly, read_string, read_text};
use super::tree;
use crate::error::{Error, ErrorKind};
use crate::frame;
use crate::json::value::Doc;
use crate::request::{Canonicalizer, Class};
use crate::text::wtf8;

/// Up to this much memory is kept from one call to the next.
const KEPT_BYTES: usize = 1 << 20;

/// What `intern` answers for a key that has no id.
const NO_ID: u32 = 0xfffe;

/// Set in the answer of `intern` for a key whose member is left out unseen.
const DROPPED: u32 = 1 << 16;

/// The state of one environment.
#[derive(Default)]
pub(super) struct State {
    pub(super) canonicalizer: Canonicalizer,
    pub(super) doc: Doc,
    /// For text on its way in.
    pub(super) units: Vec<u16>,
}

impl State {
    /// Gives back memory that only a very large value needed.
    pub(super) fn shrink(&mut self) {
        self.doc.shrink(KEPT_BYTES);
        self.canonicalizer.shrink(KEPT_BYTES);
        if self.units.capacity() > KEPT_BYTES {
            self.units = Vec::new();
        }
    }

    /// After a panic: what it may have left half done goes. The keys stay, for JavaScript goes on using their ids.
    pub(super) fn recover(&mut self) {
        let keys = mem::take(self.canonicalizer.keys_mut());
        *self = Self::default();
        *self.canonicalizer.keys_mut() = keys;
    }

    /// Reads the frame that the first four arguments of a call are: `words`, `start`, `end`, `text`.
    pub(super) fn read_frame<const N: usize>(&mut self, call: &Call<N>) -> Result<(), Error> {
        let words = self.receive(call)?;
        frame::read(words, u32::MAX, self.canonicalizer.keys().table(), &mut self.doc)
    }

    /// The words of such a frame; its text goes into the document.
    fn receive<'a, const N: usize>(&mut self, call: &'a Call<N>) -> Result<&'a [u32], Error> {
        let (start, end) = (call.uint32(1)? as usize, call.uint32(2)? as usize);
        let words = call.words(0)?.get(start..end).ok_or(ErrorKind::Frame)?;
        self.doc.clear();
        match frame::text_len(words)? {
            0 => {}
            len => read_exactly(call.env, call.args[3], len, &mut self.doc.units)?,
        }
        Ok(words)
    }
}

/// `(key) → number`: the id of a key, 0xfffe if it gets none; 0x10000 is added when its member counts in no hash.
pub(super) fn intern(state: &mut State, call: &Call<1>) -> Result<Value, Error> {
    read_text(call.env, call.args[0], &mut state.units)?;
    let mut text = Vec::new();
    wtf8::push(&state.units, &mut text)?;
    let (id, class) = state.canonicalizer.keys_mut().intern(&text);
    let id = id.map_or(NO_ID, u32::from) | if class == Class::Dropped { DROPPED } else { 0 };
    tree::create_number(call.env, id.into())
}

/// `(words, start, end, text) → string`: the JSON Pointer to the last value of a frame that was cut short.
pub(super) fn pointer(state: &mut State, call: &Call<4>) -> Result<Value, Error> {
    let words = state.receive(call)?;
    let last = frame::read_cut(words, u32::MAX, state.canonicalizer.keys().table(), &mut state.doc)?;
    create_string(call.env, &state.canonicalizer.pointer(&state.doc, last)?)
}

/// `(code, pointer) → Error`: the exception of this code, for what goes wrong in JavaScript.
pub(super) fn error(_: &mut State, call: &Call<2>) -> Result<Value, Error> {
    let [code, pointer] = [read_string(call.env, call.args[0])?, read_string(call.env, call.args[1])?];
    let kind = ErrorKind::ALL.iter().find(|kind| kind.code() == code).copied().unwrap_or(ErrorKind::Frame);
    Ok(create(call.env, &Error::new(kind).at_pointer(pointer)))
}

/// `()`: forgets all keys. Their ids are void from now on.
pub(super) fn forget_keys(state: &mut State, call: &Call<0>) -> Result<Value, Error> {
    state.canonicalizer.forget_keys();
    tree::create_undefined(call.env)
}

/// `() → never`: shows that a panic becomes an exception. In no build that is shipped.
#[cfg(feature = "panic-probe")]
pub(super) fn panic(_: &mut State, _: &Call<0>) -> Result<Value, Error> {
    std::panic::resume_unwind(Box::new("probe"))
}
