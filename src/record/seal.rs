//! Seals a run's events into a record.

use super::chain::{Chain, Hex};
use super::consistency::{Witness, claimed};
use super::document::Document;
use super::key::PrivateKey;
use super::oracle::{OracleStream, Order, order};
use super::signature::{Algorithm, hmac};
use super::value::Value;
use super::walk::{count, link_events, walk_events, walk_oracle};
use crate::error::{Error, ErrorKind};
use crate::json::value::Kind;
use crate::json::write::Writer;
use crate::memory;

/// What signs a record.
#[derive(Debug, Default)]
pub enum Signer {
    /// Nothing.
    #[default]
    None,
    /// An Ed25519 key.
    Ed25519(PrivateKey),
    /// An HMAC key.
    Hmac(Vec<u8>),
}

/// What a record holds beside the values that were sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// The `_hash` of each event.
    pub hashes: Vec<Hex>,
    /// The digest of the event chain.
    pub content_digest: Hex,
    /// The digest of the oracle stream.
    pub cassette_digest: Hex,
    /// The number of entries of the oracle stream.
    pub entry_count: usize,
    /// The signature, if there is a signer.
    pub signature: Option<Sealed>,
}

impl Seal {
    /// The seal as JSON text, with the members of a manifest that it gives.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub fn to_json(&self) -> Result<Vec<u8>, Error> {
        let mut out = Writer::default();
        out.object(|out| {
            out.name("hashes").strings(&self.hashes);
            out.name("content_digest").string(&self.content_digest);
            out.name("cassette_digest").string(&self.cassette_digest);
            out.name("entry_count").integer(self.entry_count);
            match &self.signature {
                Some(sealed) => out.name("signature").object(|out| sealed.write(out)),
                None => out.name("signature").raw(b"null"),
            }
        });
        out.finish()
    }
}

/// A signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// How it is made.
    pub algorithm: Algorithm,
    /// In lower-case hex.
    pub value: String,
    /// The signer's public key as PEM (Ed25519).
    pub pubkey: Option<String>,
}

impl Sealed {
    fn write(&self, out: &mut Writer) {
        out.name("alg").string(self.algorithm.name().as_bytes());
        out.name("value").string(self.value.as_bytes());
        if let Some(pubkey) = &self.pubkey {
            out.name("pubkey").string(pubkey.as_bytes());
        }
    }
}

/// Seals a draft: `{ manifest: { run_id }, run, events }`.
///
/// # Errors
/// [`ErrorKind::Seal`], with a pointer, for a draft of which no valid record can be made: its summary contradicts its
/// events, or a `seq` is no number. [`ErrorKind::Record`] and [`ErrorKind::Event`] as [`verify`](super::verify()) has
/// them.
pub fn seal(draft: &Document, signer: &Signer) -> Result<Seal, Error> {
    let record = Value::new(draft, 0).ok_or(ErrorKind::Record)?;
    let manifest =
        record.get(b"manifest").filter(|manifest| manifest.is_truthy()).ok_or(ErrorKind::Record)?;
    let events = events(record)?;

    let order = order(draft, events.id)?;
    if let Order::None(index) = order {
        return Err(no_seq(index));
    }
    let (mut hashes, mut witness, mut stream) = (Vec::new(), Witness::default(), OracleStream::new());
    memory::room(&mut hashes, count(events))?;
    let claimed = claimed(manifest);
    let in_order = matches!(order, Order::AsRecorded).then_some(&mut stream);
    let content_digest = walk_events(events, in_order, |event, hash| {
        witness.note(hashes.len(), event, claimed)?;
        memory::push(&mut hashes, *hash)
    })?;
    let (cassette_digest, entry_count) = match order {
        Order::AsRecorded => stream.finish(),
        order => walk_oracle(events, &order)?.ok_or(ErrorKind::Seal)?,
    };
    if let Some(contradiction) = witness.contradictions(manifest, record.get(b"run"))?.into_iter().next() {
        return Err(Error::new(ErrorKind::Seal).at_pointer(contradiction.claim));
    }
    let signature = sign(&[&content_digest[..], &cassette_digest].join(&b':'), signer);
    Ok(Seal { hashes, content_digest, cassette_digest, entry_count, signature })
}

/// How far the seal of a record has come, between two parts of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// The head of the event chain, if there was an event.
    pub content: Option<Hex>,
    /// The head of the oracle stream, if there was an entry.
    pub cassette: Option<Hex>,
    /// The number of entries of the oracle stream.
    pub entry_count: usize,
}

impl Progress {
    /// Seals the next events of a run that does not fit in memory, `{ events }`, and returns the `_hash` of each. The
    /// parts of a record give the digests that [`seal`] gives for all of them.
    ///
    /// Events come in the order of their `seq`; from part to part that is the caller's to keep.
    ///
    /// # Errors
    /// Those of [`seal`], and [`ErrorKind::Seal`] for events of a part in another order. The progress is then what it
    /// was.
    pub fn push(&mut self, part: &Document) -> Result<Vec<Hex>, Error> {
        let events = events(Value::new(part, 0).ok_or(ErrorKind::Record)?)?;
        match order(part, events.id)? {
            Order::AsRecorded => {}
            Order::Sorted(_) => return Err(Error::new(ErrorKind::Seal).at_pointer("/events")),
            Order::None(index) => return Err(no_seq(index)),
        }
        let mut chain = Chain::from_head(self.content);
        let mut stream = OracleStream::from_head(self.cassette, self.entry_count);
        let mut hashes = Vec::new();
        memory::room(&mut hashes, count(events))?;
        link_events(events, &mut chain, Some(&mut stream), |_, hash| memory::push(&mut hashes, *hash))?;
        let (cassette, entry_count) = stream.head();
        *self = Self { content: chain.head(), cassette, entry_count };
        Ok(hashes)
    }

    /// The seal of what was pushed. The hashes of the events are those that [`Progress::push`] returned.
    pub fn finish(self, signer: &Signer) -> Seal {
        let content_digest = Chain::from_head(self.content).digest();
        let cassette_digest = Chain::from_head(self.cassette).digest();
        let signature = sign(&[&content_digest[..], &cassette_digest].join(&b':'), signer);
        Seal { hashes: Vec::new(), content_digest, cassette_digest, entry_count: self.entry_count, signature }
    }

    /// The progress as JSON text, with the hashes of the events that it has just taken.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub fn to_json(&self, hashes: &[Hex]) -> Result<Vec<u8>, Error> {
        let mut out = Writer::default();
        out.object(|out| {
            out.name("hashes").strings(hashes);
            for (name, head) in [("content", &self.content), ("cassette", &self.cassette)] {
                out.name(name).string(head.as_ref().map_or(b"", |head| head));
            }
            out.name("entry_count").integer(self.entry_count);
        });
        out.finish()
    }
}

/// The events of a draft.
fn events(draft: Value) -> Result<Value, Error> {
    let events = draft.get(b"events").filter(|events| events.kind() == Kind::Array);
    events.ok_or_else(|| ErrorKind::Record.into())
}

#[cold]
fn no_seq(index: usize) -> Error {
    Error::new(ErrorKind::Seal).at_pointer(format!("/events/{index}/seq"))
}

fn sign(payload: &[u8], signer: &Signer) -> Option<Sealed> {
    match signer {
        Signer::None => None,
        Signer::Ed25519(key) => Some(Sealed {
            algorithm: Algorithm::Ed25519,
            value: key.sign(payload).iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect(),
            pubkey: Some(key.public_key().to_pem()),
        }),
        Signer::Hmac(key) => Some(Sealed {
            algorithm: Algorithm::Hmac,
            value: hmac(key, payload).map(char::from).iter().collect(),
            pubkey: None,
        }),
    }
}

fn digit(nibble: u8) -> char {
    char::from_digit(nibble.into(), 16).unwrap_or_default()
}
