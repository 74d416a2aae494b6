//! The session: one per environment, it holds what outlives a call.

use std::cell::RefCell;
use std::ptr;

use napi::{Env, sys};
use napi_derive::napi;

use super::error::{create, throw};
use super::heap::{Heap, create_ascii, length_utf16, read_utf16};
use super::tree::{Tree, normalized};
use super::value::Value;
use crate::digest::{self, Sha256};
use crate::error::{Error, ErrorKind};
use crate::frame;
use crate::json::read;
use crate::json::value::Doc;
use crate::request::{Canonicalizer, Class, Form, ToolOrder};
use crate::text::wtf8;

/// Up to this much memory is kept from one call to the next.
const KEPT_BYTES: usize = 1 << 20;

/// What `intern` answers for a key that has no id.
const NO_ID: u32 = 0xfffe;

/// Set in the answer of `intern` for a key whose member is left out unseen.
const DROPPED: u32 = 1 << 16;

/// What outlives a call: interned keys and memory, never a value.
#[napi]
#[derive(Default)]
pub struct Session {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    canonicalizer: Canonicalizer,
    doc: Doc,
    units: Vec<u16>,
}

/// A frame in memory that JavaScript owns: bytes `start..end` of `bytes`, its strings and odd values in `list`.
struct Frame {
    bytes: Value,
    start: u32,
    end: u32,
    list: Value,
}

#[napi]
impl Session {
    /// A session without any keys but the well-known.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of a key, 0xfffe if it gets none; 0x10000 is added when its member is left out of every hash.
    #[napi(catch_unwind)]
    pub fn intern(&self, env: Env, key: Value) -> napi::Result<u32> {
        self.run(env, |state| {
            let env = env.raw();
            read_utf16(env, key.0, length_utf16(env, key.0)?, &mut state.units)?;
            let mut text = Vec::with_capacity(state.units.len() * 3);
            wtf8::push(&state.units, &mut text);
            let (id, class) = state.canonicalizer.keys_mut().intern(&text);
            Ok(id.map_or(NO_ID, u32::from) | if class == Class::Dropped { DROPPED } else { 0 })
        })
    }

    /// `reqHash` of the request in a frame.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn req_hash(
        &self,
        env: Env,
        #[napi(ts_arg_type = "Uint8Array")] bytes: Value,
        start: u32,
        end: u32,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.on_frame(env, &Frame { bytes, start, end, list }, |state, heap| {
            let digest = state.canonicalizer.req_hash(&mut state.doc, ToolOrder::AsGiven, heap)?;
            create_ascii(heap.env, &digest::hex(&digest))
        })
    }

    /// `stateHash` of the value in a frame.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn state_hash(
        &self,
        env: Env,
        #[napi(ts_arg_type = "Uint8Array")] bytes: Value,
        start: u32,
        end: u32,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.on_frame(env, &Frame { bytes, start, end, list }, |state, heap| {
            let digest = state.canonicalizer.state_hash(&mut state.doc, heap)?;
            create_ascii(heap.env, &digest::prefixed_hex(&digest))
        })
    }

    /// The canonical object of the request in a frame.
    #[napi(catch_unwind, ts_return_type = "Record<string, unknown>")]
    pub fn canonical_request(
        &self,
        env: Env,
        #[napi(ts_arg_type = "Uint8Array")] bytes: Value,
        start: u32,
        end: u32,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.on_frame(env, &Frame { bytes, start, end, list }, |state, heap| {
            let identity = state.canonicalizer.identity(&mut state.doc, ToolOrder::AsGiven, heap)?;
            Tree::new(&state.doc, state.canonicalizer.keys(), heap).request(&identity)
        })
    }

    /// N(value) of the value in a frame.
    #[napi(catch_unwind, ts_return_type = "unknown")]
    pub fn canonical_state(
        &self,
        env: Env,
        #[napi(ts_arg_type = "Uint8Array")] bytes: Value,
        start: u32,
        end: u32,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.on_frame(env, &Frame { bytes, start, end, list }, |state, heap| {
            state.canonicalizer.mark_state(&mut state.doc, heap)?;
            Tree::new(&state.doc, state.canonicalizer.keys(), heap).value(0, Form::Normalized)
        })
    }

    /// The JSON Pointer to the last value of a frame that was cut short.
    #[napi(catch_unwind)]
    pub fn pointer(
        &self,
        env: Env,
        #[napi(ts_arg_type = "Uint8Array")] bytes: Value,
        start: u32,
        end: u32,
    ) -> napi::Result<String> {
        self.run(env, |state| {
            let frame = view(env.raw(), bytes, start, end)?;
            let last = frame::read_cut(frame, u32::MAX, state.canonicalizer.keys().table(), &mut state.doc)?;
            Ok(state.canonicalizer.pointer(&state.doc, last))
        })
    }

    /// `reqHash` of the request that a JSON text holds.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn req_hash_json(
        &self,
        env: Env,
        text: Value,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.on_text(env, text, list, |state, heap| {
            let digest = state.canonicalizer.req_hash(&mut state.doc, ToolOrder::ByName, heap)?;
            create_ascii(heap.env, &digest::hex(&digest))
        })
    }

    /// `stateHash` of the value that a JSON text holds.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn state_hash_json(
        &self,
        env: Env,
        text: Value,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.on_text(env, text, list, |state, heap| {
            let digest = state.canonicalizer.state_hash(&mut state.doc, heap)?;
            create_ascii(heap.env, &digest::prefixed_hex(&digest))
        })
    }

    /// The digest, in hex, of canonical text that JavaScript wrote.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn digest(&self, env: Env, text: Value) -> napi::Result<Value> {
        self.run(env, |state| {
            let env = env.raw();
            read_utf16(env, text.0, length_utf16(env, text.0)?, &mut state.units)?;
            let mut bytes = Vec::with_capacity(state.units.len());
            wtf8::push(&state.units, &mut bytes);
            let mut sha = Sha256::versioned();
            sha.update(&bytes);
            create_ascii(env, &digest::hex(&sha.finish())).map(Value)
        })
    }

    /// T(text).
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn normalize_text(
        &self,
        env: Env,
        text: Value,
        #[napi(ts_arg_type = "unknown[]")] list: Value,
    ) -> napi::Result<Value> {
        self.run(env, |state| {
            let env = env.raw();
            read_utf16(env, text.0, length_utf16(env, text.0)?, &mut state.units)?;
            normalized(&mut Heap { env, list: list.0 }, &mut state.units).map(Value)
        })
    }

    /// The exception of a kind, for errors that are met in JavaScript.
    #[napi(catch_unwind, ts_return_type = "Error")]
    pub fn error(&self, env: Env, code: String, pointer: String) -> Value {
        let kind =
            ErrorKind::ALL.iter().find(|kind| kind.code() == code).copied().unwrap_or(ErrorKind::Frame);
        Value(create(env.raw(), &Error::new(kind).at_pointer(pointer)))
    }

    /// Gives back memory that only a very large value needed. True when the ids of keys are void from now on.
    #[napi(catch_unwind)]
    pub fn tidy(&self, env: Env) -> napi::Result<bool> {
        self.run(env, |state| {
            state.doc.nodes = Vec::new();
            state.doc.bytes = Vec::new();
            state.units = Vec::new();
            Ok(state.canonicalizer.tidy(KEPT_BYTES))
        })
    }
}

impl Session {
    fn run<T>(&self, env: Env, body: impl FnOnce(&mut State) -> Result<T, Error>) -> napi::Result<T> {
        // Node never calls back while the core runs, but for V8's own `normalize`; so this cannot fail.
        let mut state =
            self.state.try_borrow_mut().map_err(|_| throw(env.raw(), &ErrorKind::Frame.into()))?;
        body(&mut state).map_err(|error| throw(env.raw(), &error))
    }

    fn on_frame(
        &self,
        env: Env,
        frame: &Frame,
        body: impl FnOnce(&mut State, &mut Heap) -> Result<sys::napi_value, Error>,
    ) -> napi::Result<Value> {
        self.run(env, |state| {
            let bytes = view(env.raw(), frame.bytes, frame.start, frame.end)?;
            frame::read(bytes, u32::MAX, state.canonicalizer.keys().table(), &mut state.doc)?;
            body(state, &mut Heap { env: env.raw(), list: frame.list.0 }).map(Value)
        })
    }

    fn on_text(
        &self,
        env: Env,
        text: Value,
        list: Value,
        body: impl FnOnce(&mut State, &mut Heap) -> Result<sys::napi_value, Error>,
    ) -> napi::Result<Value> {
        self.run(env, |state| {
            let env = env.raw();
            read_utf16(env, text.0, length_utf16(env, text.0)?, &mut state.units)?;
            state.doc.clear();
            wtf8::push(&state.units, &mut state.doc.bytes);
            read::read_in_place(&mut state.doc)?;
            body(state, &mut Heap { env, list: list.0 }).map(Value)
        })
    }
}

/// The bytes `start..end` of a `Uint8Array`.
///
/// JavaScript must not run while they are looked at: it could change or detach them.
fn view<'a>(env: sys::napi_env, bytes: Value, start: u32, end: u32) -> Result<&'a [u8], Error> {
    let mut kind = 0;
    let mut len = 0;
    let mut data = ptr::null_mut();
    let (buffer, offset) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the out parameters are valid; the last two are not wanted.
    let status = unsafe {
        sys::napi_get_typedarray_info(
            env,
            bytes.0,
            &raw mut kind,
            &raw mut len,
            &raw mut data,
            buffer,
            offset,
        )
    };
    if status != sys::Status::napi_ok || kind != sys::TypedarrayType::uint8_array || data.is_null() {
        return Err(ErrorKind::Frame.into());
    }
    // SAFETY: Node reports `len` bytes at `data`; they stay as long as JavaScript does not run.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    bytes.get(start as usize..end as usize).ok_or_else(|| ErrorKind::Frame.into())
}
