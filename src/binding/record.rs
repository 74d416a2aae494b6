//! Records: verdicts, digests and seals. Results cross as JSON text.

use std::path::PathBuf;
use std::ptr;

use napi::sys;

use super::call::{Call, Value};
use super::heap::{Heap, create_string, read_string, read_text, read_wtf8};
use super::session::State;
use super::task;
use crate::error::{Error, ErrorKind};
use crate::jcs;
use crate::json::keys::KeyTable;
use crate::json::value::{Doc, Key, Kind, Text};
use crate::json::write::Writer;
use crate::memory;
use crate::record::key::{PrivateKey, PublicKey};
use crate::record::{self, Document, HmacKey, Keys, Processors, Progress, Report, Signer};
use crate::request::Strings as _;
use crate::text::wtf8;

/// `(words, start, end, text, list, pinned, revoked, hmacKeys) → string`: the report on a record.
pub(super) fn verify(state: &mut State, call: &Call<8>) -> Result<Value, Error> {
    let keys = keys(call, 5)?;
    let report = on_frame(state, call, |record| record::verify(record, &keys, Processors::All))?;
    written(call.env, report.to_json())
}

/// `(text | bytes, pinned, revoked, hmacKeys) → string`: the report on the record that a JSON text holds.
pub(super) fn verify_json(_: &mut State, call: &Call<4>) -> Result<Value, Error> {
    let keys = keys(call, 1)?;
    written(call.env, verify_source(source(call, 0)?, &keys, Processors::All)?.to_json())
}

/// As [`verify_json`], on another thread, as a promise.
pub(super) fn verify_json_async(_: &mut State, call: &Call<4>) -> Result<Value, Error> {
    let keys = keys(call, 1)?;
    let source = source(call, 0)?;
    task::spawn(call.env, move || {
        let is_large = source.len() >= LARGE;
        let verify =
            move || verify_source(source, &keys, Processors::AllButOne).and_then(|report| report.to_json());
        if is_large { task::apart(verify) } else { verify() }
    })
}

/// `(path, pinned, revoked, hmacKeys) → Promise<string>`: the report on the record in a file, on another thread.
pub(super) fn verify_file(_: &mut State, call: &Call<4>) -> Result<Value, Error> {
    let keys = keys(call, 1)?;
    let path = PathBuf::from(read_string(call.env, call.args[0])?);
    task::spawn(call.env, move || record::verify_file(&path, &keys)?.to_json())
}

/// `(words, start, end, text, list) → string`: the hash of each event, and the digest.
pub(super) fn event_chain(state: &mut State, call: &Call<5>) -> Result<Value, Error> {
    let (hashes, digest) = on_frame(state, call, record::event_chain)?;
    let mut out = Writer::default();
    out.object(|out| {
        out.name("hashes").strings(&hashes);
        out.name("digest").string(&digest);
    });
    written(call.env, out.finish())
}

/// `(words, start, end, text, list) → string`: the cassette digest and the number of entries.
pub(super) fn cassette_digest(state: &mut State, call: &Call<5>) -> Result<Value, Error> {
    let text = match on_frame(state, call, record::cassette_digest)? {
        Some((digest, count)) => format!("{{\"digest\":\"{}\",\"entry_count\":{count}}}", text_of(&digest)),
        None => "{\"digest\":null,\"entry_count\":0}".to_owned(),
    };
    create_string(call.env, &text)
}

/// `(text, privateKey, hmacKey) → string`: the digests and the signature of a draft.
pub(super) fn seal(_: &mut State, call: &Call<3>) -> Result<Value, Error> {
    let signer = signer(call, 1)?;
    let draft = Document::from_wtf8(read_wtf8(call.env, call.args[0])?)?;
    written(call.env, record::seal(&draft, &signer)?.to_json())
}

/// `(text, content, cassette, entryCount) → string`: the hashes of the events of a part, and how far the seal is then.
pub(super) fn seal_part(_: &mut State, call: &Call<4>) -> Result<Value, Error> {
    let mut progress = progress(call, 1)?;
    let hashes = progress.push(&Document::from_wtf8(read_wtf8(call.env, call.args[0])?)?)?;
    written(call.env, progress.to_json(&hashes))
}

/// `(content, cassette, entryCount, privateKey, hmacKey) → string`: the digests and the signature of all parts.
pub(super) fn finish_seal(_: &mut State, call: &Call<5>) -> Result<Value, Error> {
    written(call.env, progress(call, 0)?.finish(&signer(call, 3)?).to_json())
}

/// Three arguments as progress: two heads, empty for none, and the number of entries.
fn progress<const N: usize>(call: &Call<N>, at: usize) -> Result<Progress, Error> {
    let head = |at: usize| -> Result<_, Error> {
        let text = read_wtf8(call.env, call.args[at])?;
        let head = (!text.is_empty()).then(|| text.try_into()).transpose();
        head.map_err(|_| ErrorKind::Frame.into())
    };
    Ok(Progress { content: head(at)?, cassette: head(at + 1)?, entry_count: call.uint32(at + 2)? as usize })
}

/// Two arguments as signer: a private key, and an HMAC key if there is none.
fn signer<const N: usize>(call: &Call<N>, at: usize) -> Result<Signer, Error> {
    if let Some(pem) = text_if_any(call.env, call.args[at])? {
        return Ok(Signer::Ed25519(PrivateKey::from_pem(&pem)?));
    }
    match hmac_key(call, at + 1)? {
        Some(HmacKey::Bytes(key)) => Ok(Signer::Hmac(key)),
        Some(HmacKey::Unusable) => Err(ErrorKind::SigningKey.into()),
        None => Ok(Signer::None),
    }
}

/// Calls `body` with the value of the frame that the first five arguments are.
fn on_frame<T, const N: usize>(
    state: &mut State,
    call: &Call<N>,
    body: impl FnOnce(&Document) -> Result<T, Error>,
) -> Result<T, Error> {
    state.read_frame(call)?;
    let heap = &mut Heap { env: call.env, list: call.args[4] };
    let verbatim = take_in(&mut state.doc, state.canonicalizer.keys().table(), heap, &mut state.units)?;
    let document = Document::new(std::mem::take(&mut state.doc), verbatim);
    let result = body(&document);
    state.doc = document.into();
    result
}

/// Brings keys and strings from elsewhere into a document, the strings as the inside of their canonical text: both
/// digests need that. Says for each node whether it is such a string.
fn take_in(
    doc: &mut Doc,
    table: &KeyTable,
    heap: &mut Heap,
    units: &mut Vec<u16>,
) -> Result<Vec<bool>, Error> {
    let Doc { nodes, bytes, units: inside } = doc;
    memory::room(bytes, inside.len())?;
    let mut take = |write: &mut dyn FnMut(&mut Vec<u8>) -> Result<(), Error>| {
        let start = bytes.len();
        write(bytes)?;
        let end = u32::try_from(bytes.len()).map_err(|_| Error::new(ErrorKind::Memory))?;
        Ok::<_, Error>((start as u32, end - start as u32))
    };
    let mut known = vec![None; table.len()];
    let mut verbatim = Vec::new();
    memory::room(&mut verbatim, nodes.len())?;
    verbatim.resize(nodes.len(), false);
    let mut text = Vec::new();
    for (node, is_verbatim) in nodes.iter_mut().zip(&mut verbatim) {
        if let Key::Interned(id) = node.key {
            let (start, len) = match known.get(usize::from(id)).copied().flatten() {
                Some(place) => place,
                None => take(&mut |bytes| {
                    memory::room(bytes, table.text(id).len())?;
                    bytes.extend_from_slice(table.text(id));
                    Ok(())
                })?,
            };
            known[usize::from(id)] = Some((start, len));
            node.key = Key::Literal { start, len };
        }
        let string: &[u16] = match node.kind {
            Kind::String(Text::Units { start, len }) => &inside[start as usize..][..len as usize],
            Kind::String(Text::External { index, len }) => {
                heap.read(index, len as usize, units)?;
                units
            }
            _ => continue,
        };
        text.clear();
        wtf8::push(string, &mut text)?;
        let (start, len) = take(&mut |bytes| {
            memory::room(bytes, jcs::most_of(&text))?;
            jcs::push_escaped(&text, bytes);
            Ok(())
        })?;
        node.kind = Kind::String(Text::Bytes { start, len });
        *is_verbatim = true;
    }
    Ok(verbatim)
}

/// A text as it came from JavaScript. Decoding it can wait for another thread.
enum Source {
    Units(Vec<u16>),
    Bytes(Vec<u8>),
}

impl Source {
    /// In units or bytes.
    fn len(&self) -> usize {
        match self {
            Self::Units(units) => units.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

/// A text of this length is worth a thread of its own.
const LARGE: usize = 1 << 20;

fn source<const N: usize>(call: &Call<N>, at: usize) -> Result<Source, Error> {
    let mut units = Vec::new();
    match read_text(call.env, call.args[at], &mut units) {
        Ok(()) => Ok(Source::Units(units)),
        Err(error) => match call.bytes(at) {
            Ok(bytes) => Ok(Source::Bytes(memory::copy(bytes)?)),
            Err(_) => Err(error),
        },
    }
}

fn verify_source(source: Source, keys: &Keys, processors: Processors) -> Result<Report, Error> {
    let record = match source {
        Source::Bytes(bytes) => Document::from_utf8(bytes),
        Source::Units(units) => {
            let mut text = Vec::new();
            wtf8::push(&units, &mut text)?;
            drop(units);
            Document::from_wtf8(text)
        }
    };
    record::verify(&record?, keys, processors)
}

fn written(env: sys::napi_env, json: Result<Vec<u8>, Error>) -> Result<Value, Error> {
    create_string(env, &text_of(&json?))
}

/// Three arguments as keys: two arrays of PEMs, and one of HMAC keys.
fn keys<const N: usize>(call: &Call<N>, at: usize) -> Result<Keys, Error> {
    Ok(Keys {
        pinned: public_keys(call.env, call.args[at])?,
        revoked: public_keys(call.env, call.args[at + 1])?,
        hmac: memory::collect(elements(call.env, call.args[at + 2])?.map(|key| {
            let key = hmac_key(&Call { env: call.env, args: [key?] }, 0)?;
            key.ok_or_else(|| ErrorKind::SigningKey.into())
        }))?,
    })
}

fn public_keys(env: sys::napi_env, list: Value) -> Result<Vec<PublicKey>, Error> {
    let pems = elements(env, list).map_err(|_| ErrorKind::PublicKey)?;
    memory::collect(pems.map(|pem| {
        let pem = text_if_any(env, pem?)?.ok_or(ErrorKind::PublicKey)?;
        PublicKey::from_pem(&pem)
    }))
}

/// One by one: an array of JavaScript may have four billion places and hold nothing.
fn elements(env: sys::napi_env, list: Value) -> Result<impl Iterator<Item = Result<Value, Error>>, Error> {
    let heap = Heap { env, list };
    Ok((0..heap.len()?).map(move |index| heap.get(index)))
}

/// An argument as HMAC key: text counts in UTF-8, `undefined` is none.
fn hmac_key<const N: usize>(call: &Call<N>, at: usize) -> Result<Option<HmacKey>, Error> {
    if let Some(mut key) = text_if_any(call.env, call.args[at])? {
        wtf8::make_well_formed(&mut key);
        return Ok(Some(HmacKey::Bytes(key)));
    }
    if let Ok(bytes) = call.bytes(at) {
        return Ok(Some(HmacKey::Bytes(memory::copy(bytes)?)));
    }
    let mut kind = 0;
    // SAFETY: the value belongs to the running call.
    unsafe { sys::napi_typeof(call.env, call.args[at], ptr::from_mut(&mut kind)) };
    Ok((kind != sys::ValueType::napi_undefined).then_some(HmacKey::Unusable))
}

/// A string in WTF-8; nothing when the value is none.
fn text_if_any(env: sys::napi_env, value: Value) -> Result<Option<Vec<u8>>, Error> {
    match read_wtf8(env, value) {
        Err(error) if error.kind() == ErrorKind::Text => Ok(None),
        text => text.map(Some),
    }
}

fn text_of(utf8: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(utf8)
}
