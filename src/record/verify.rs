//! The six checks of a record.

use std::thread;

use super::chain::{Chain, Hex};
use super::consistency::{Witness, claimed};
use super::document::Document;
use super::event::Event;
use super::oracle::{OracleStream, Order, order};
use super::report::{Check, Failure, Json, Meta, Report};
use super::signature::{self, Keys, Signature};
use super::value::Value;
use super::walk::{walk_events, walk_oracle};
use crate::error::{Error, ErrorKind};
use crate::json::value::Kind;

/// The schemas that a record may name.
pub const KNOWN_SCHEMAS: [&str; 2] = ["runback.audit/v2", "runback.cassette/v1"];

/// Where a record says how it is made, if it does not.
const SPEC_URL: &str = "https://runback.dev/spec";

/// From this many bytes on, the two digests are worth a thread each.
const PARALLEL_BYTES: usize = 256 * 1024;

/// What a large record may take of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processors {
    /// All that are of use.
    All,
    /// One is left to the thread that waits: an event loop must go on.
    AllButOne,
}

/// Verifies a record.
///
/// # Errors
/// [`ErrorKind::Record`] and [`ErrorKind::Event`] for a value that is no record; misuse of `keys`; what its parts'
/// canonical text forbids. A forged or broken record is no error but a [`Report`].
pub fn verify(doc: &Document, keys: &Keys, processors: Processors) -> Result<Report, Error> {
    let record = Value::new(doc, 0).ok_or(ErrorKind::Record)?;
    let manifest =
        record.get(b"manifest").filter(|manifest| manifest.is_truthy()).ok_or(ErrorKind::Record)?;
    let events =
        record.get(b"events").filter(|events| events.kind() == Kind::Array).ok_or(ErrorKind::Record)?;
    let order = order(doc, events.id)?;
    let (walked, cassette) = digests(events, manifest, &order, processors)?;
    conclude(record, manifest, walked, cassette, keys)
}

/// The cassette digest, or that there is none.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cassette {
    /// The digest of the oracle stream.
    Digest(Hex),
    /// At this index, first, is an event whose `seq` is no number.
    NoOrder(usize),
}

/// The report on a record whose events have been walked. Of `record`, the events are not looked at.
pub(super) fn conclude(
    record: Value,
    manifest: Value,
    walked: Walked,
    cassette: Cassette,
    keys: &Keys,
) -> Result<Report, Error> {
    let mut failures = Vec::new();
    let schema = record.get(b"$schema");
    if !schema.is_some_and(|schema| KNOWN_SCHEMAS.iter().any(|known| schema.is_text(known.as_bytes()))) {
        failures.push(Failure::new(Check::Schema, "/$schema").actual(schema)?);
    }
    let contradictions = walked.witness.contradictions(manifest, record.get(b"run"))?;
    failures.extend(contradictions.iter().map(|contradiction| {
        Failure::new(Check::Consistent, &contradiction.claim).evidence(contradiction.evidence.clone())
    }));
    let digest = walked.digest();
    failures.extend(walked.broken);
    let content_digest = manifest.get(b"content_digest");
    if !content_digest.is_some_and(|claimed| claimed.is_text(&digest)) {
        let failure = Failure::new(Check::Digest, "/manifest/content_digest");
        failures.push(failure.expected(&digest).actual(content_digest)?);
    }
    let cassette_digest = manifest.get(b"replay").and_then(|replay| replay.get(b"cassette_digest"));
    match cassette {
        Cassette::Digest(digest) if cassette_digest.is_some_and(|claimed| claimed.is_text(&digest)) => {}
        Cassette::Digest(digest) => {
            let failure = Failure::new(Check::Cassette, "/manifest/replay/cassette_digest");
            failures.push(failure.expected(&digest).actual(cassette_digest)?);
        }
        Cassette::NoOrder(index) => {
            failures.push(Failure::new(Check::Cassette, &format!("/events/{index}/seq")).event(index));
        }
    }
    let integrity = failures.is_empty();
    let (signature, algorithm) = signature::check(manifest, keys)?;
    if signature == Signature::Invalid {
        failures.push(Failure::new(Check::Signature, "/manifest/signature"));
    }

    let spec_url = manifest.get(b"spec_url").filter(|url| url.kind() != Kind::Null);
    Ok(Report {
        integrity,
        signature,
        algorithm,
        failures,
        contradictions: contradictions.into_iter().map(|contradiction| contradiction.message).collect(),
        meta: Meta {
            schema: schema.map_or_else(|| Ok(Json::null()), Json::of)?,
            run_id: match walked.witness.run_id {
                Some((_, run_id)) => Some(run_id),
                None => manifest.get(b"run_id").map(Json::of).transpose()?,
            },
            event_count: walked.count,
            generated_at: manifest.get(b"generated_at").map(Json::of).transpose()?,
            spec_url: spec_url.map_or_else(|| Ok(Json::text(SPEC_URL.as_bytes())), Json::of)?,
        },
    })
}

impl Processors {
    fn are_two(self) -> bool {
        let left = usize::from(self == Self::AllButOne);
        thread::available_parallelism().is_ok_and(|all| all.get() - left >= 2)
    }
}

/// What is found on the way along the chain.
#[derive(Debug, Default)]
pub(super) struct Walked {
    count: usize,
    digest: Option<Hex>,
    broken: Option<Failure>,
    witness: Witness,
}

impl Walked {
    /// Notes the next event and the hash that it should have.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub(super) fn note(&mut self, event: &Event, hash: &Hex, claimed: Option<Value>) -> Result<(), Error> {
        let index = self.count;
        if self.broken.is_none() && !event.hash.is_some_and(|claimed| claimed.is_text(hash)) {
            let failure = Failure::new(Check::Chain, &format!("/events/{index}/_hash")).event(index);
            self.broken = Some(failure.expected(hash).actual(event.hash)?);
        }
        self.witness.note(index, event, claimed)?;
        self.digest = Some(*hash);
        self.count += 1;
        Ok(())
    }

    /// The number of events.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The content digest.
    pub(super) fn digest(&self) -> Hex {
        Chain::from_head(self.digest).digest()
    }
}

fn walk(events: Value, manifest: Value, stream: Option<&mut OracleStream>) -> Result<Walked, Error> {
    let (mut walked, claimed) = (Walked::default(), claimed(manifest));
    walk_events(events, stream, |event, hash| walked.note(event, hash, claimed))?;
    Ok(walked)
}

/// Walks the events for both digests. There is no second one without an order.
fn digests(
    events: Value,
    manifest: Value,
    order: &Order,
    processors: Processors,
) -> Result<(Walked, Cassette), Error> {
    let is_parallel = events.doc.bytes.len() >= PARALLEL_BYTES && processors.are_two();
    match order {
        Order::AsRecorded if !is_parallel => {
            let mut stream = OracleStream::new();
            let walked = walk(events, manifest, Some(&mut stream))?;
            Ok((walked, Cassette::Digest(stream.finish().0)))
        }
        Order::None(index) => Ok((walk(events, manifest, None)?, Cassette::NoOrder(*index))),
        order => {
            let (walked, digest) =
                both(is_parallel, || walk(events, manifest, None), || walk_oracle(events, order));
            let walked = walked?;
            let (digest, _) = digest?.ok_or(ErrorKind::Record)?;
            Ok((walked, Cassette::Digest(digest)))
        }
    }
}

/// Runs both, the second on a thread of its own if that is worth it and there is one to be had.
fn both<A, B: Send>(is_parallel: bool, one: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    if !is_parallel {
        return (one(), other());
    }
    thread::scope(|scope| match thread::Builder::new().spawn_scoped(scope, &other) {
        Ok(handle) => {
            let one = one();
            (one, handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        }
        Err(_) => (one(), other()),
    })
}
