//! Hashes and canonical objects.

use super::call::{Call, Value};
use super::heap::{Heap, create_ascii, read_text};
use super::session::State;
use super::tree::{Tree, normalized};
use crate::digest::{self, Sha256};
use crate::error::Error;
use crate::json::read;
use crate::request::{Form, ToolOrder};
use crate::text::wtf8;

/// `(words, start, end, text, list) → string`
pub(super) fn req_hash(state: &mut State, call: &Call<5>) -> Result<Value, Error> {
    state.read_frame(call)?;
    let heap = &mut Heap { env: call.env, list: call.args[4] };
    let digest = state.canonicalizer.req_hash(&mut state.doc, ToolOrder::AsGiven, heap)?;
    create_ascii(call.env, &digest::hex(&digest))
}

/// `(words, start, end, text, list) → string`
pub(super) fn state_hash(state: &mut State, call: &Call<5>) -> Result<Value, Error> {
    state.read_frame(call)?;
    let heap = &mut Heap { env: call.env, list: call.args[4] };
    let digest = state.canonicalizer.state_hash(&mut state.doc, heap)?;
    create_ascii(call.env, &digest::prefixed_hex(&digest))
}

/// `(words, start, end, text, list) → object`
pub(super) fn canonical_request(state: &mut State, call: &Call<5>) -> Result<Value, Error> {
    state.read_frame(call)?;
    let heap = &mut Heap { env: call.env, list: call.args[4] };
    let identity = state.canonicalizer.identity(&mut state.doc, ToolOrder::AsGiven, heap)?;
    Tree::new(&state.doc, state.canonicalizer.keys(), heap).request(&identity)
}

/// `(words, start, end, text, list) → unknown`
pub(super) fn canonical_state(state: &mut State, call: &Call<5>) -> Result<Value, Error> {
    state.read_frame(call)?;
    let heap = &mut Heap { env: call.env, list: call.args[4] };
    state.canonicalizer.mark_state(&mut state.doc, heap)?;
    Tree::new(&state.doc, state.canonicalizer.keys(), heap).value(0, Form::Normalized)
}

/// `(text, list) → string`
pub(super) fn req_hash_json(state: &mut State, call: &Call<2>) -> Result<Value, Error> {
    read_json(state, call)?;
    let heap = &mut Heap { env: call.env, list: call.args[1] };
    let digest = state.canonicalizer.req_hash(&mut state.doc, ToolOrder::ByName, heap)?;
    create_ascii(call.env, &digest::hex(&digest))
}

/// `(text, list) → string`
pub(super) fn state_hash_json(state: &mut State, call: &Call<2>) -> Result<Value, Error> {
    read_json(state, call)?;
    let heap = &mut Heap { env: call.env, list: call.args[1] };
    let digest = state.canonicalizer.state_hash(&mut state.doc, heap)?;
    create_ascii(call.env, &digest::prefixed_hex(&digest))
}

fn read_json(state: &mut State, call: &Call<2>) -> Result<(), Error> {
    read_text(call.env, call.args[0], &mut state.units)?;
    state.doc.clear();
    wtf8::push(&state.units, &mut state.doc.bytes)?;
    read::read_in_place(&mut state.doc)
}

/// `(text, list) → string`: T(text)
pub(super) fn normalize_text(state: &mut State, call: &Call<2>) -> Result<Value, Error> {
    read_text(call.env, call.args[0], &mut state.units)?;
    normalized(&mut Heap { env: call.env, list: call.args[1] }, &mut state.units)
}

/// `(text) → string`: the versioned digest, in hex, of canonical text that JavaScript wrote.
pub(super) fn digest_text(state: &mut State, call: &Call<1>) -> Result<Value, Error> {
    read_text(call.env, call.args[0], &mut state.units)?;
    let mut bytes = Vec::new();
    wtf8::push(&state.units, &mut bytes)?;
    let mut sha = Sha256::versioned();
    sha.update(&bytes);
    create_ascii(call.env, &digest::hex(&sha.finish()))
}
