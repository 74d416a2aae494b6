//! Walks over the events of a record, and the digests that come of them.

use super::canonical::Sink;
use super::chain::{Chain, Hex};
use super::document::Document;
use super::event::Event;
use super::oracle::{OracleStream, Order, order};
use super::texts::Texts;
use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::json::value::Kind;
use crate::memory;

/// The event chain of a list of events: the hash of each, and the content digest.
///
/// # Errors
/// [`ErrorKind::Record`] for a document that is no array; what canonical text forbids.
pub fn event_chain(doc: &Document) -> Result<(Vec<Hex>, Hex), Error> {
    let events = list(doc)?;
    let mut hashes = Vec::new();
    memory::room(&mut hashes, count(events))?;
    let digest = walk_events(events, None, |_, hash| memory::push(&mut hashes, *hash))?;
    Ok((hashes, digest))
}

/// The cassette digest of a list of events and the number of its entries; `None` when a `seq` is no number.
///
/// # Errors
/// As [`verify`](super::verify()) has them for events.
pub fn cassette_digest(doc: &Document) -> Result<Option<(Hex, usize)>, Error> {
    let events = list(doc)?;
    walk_oracle(events, &order(doc, events.id)?)
}

/// How many events there are. Holes are as many as they say, and each costs a hash.
pub(super) fn count(events: Value) -> usize {
    let doc = events.doc;
    let places = |id| if let Kind::Holes(count) = doc.node(id).kind { count as usize } else { 1 };
    doc.children(events.id).map(places).sum()
}

fn list(doc: &Document) -> Result<Value<'_>, Error> {
    Value::new(doc, 0).filter(|list| list.kind() == Kind::Array).ok_or_else(|| ErrorKind::Record.into())
}

/// Walks the events as recorded and returns the content digest. `stream` gets what they give, too.
pub(super) fn walk_events<'a>(
    events: Value<'a>,
    stream: Option<&mut OracleStream>,
    note: impl FnMut(&Event<'a>, &Hex) -> Result<(), Error>,
) -> Result<Hex, Error> {
    let mut chain = Chain::new();
    link_events(events, &mut chain, stream, note)?;
    Ok(chain.digest())
}

/// Adds the events as recorded to a chain, and what they give to `stream`.
pub(super) fn link_events<'a>(
    events: Value<'a>,
    chain: &mut Chain,
    mut stream: Option<&mut OracleStream>,
    mut note: impl FnMut(&Event<'a>, &Hex) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut texts = Texts::new(events.doc);
    for id in events.doc.children(events.id) {
        let event = Event::read(events.doc, id);
        let holes = if let Kind::Holes(count) = event.value.kind() { count } else { 1 };
        for _ in 0..holes {
            let text = texts.event(&event)?;
            let hash = chain.push(|out| {
                out.push(text);
                Ok(())
            })?;
            if let Some(stream) = &mut stream {
                stream.push(&event, &mut texts)?;
            }
            note(&event, &hash)?;
        }
    }
    Ok(())
}

/// Walks the events in this order and returns their cassette digest and the number of entries.
pub(super) fn walk_oracle(events: Value, order: &Order) -> Result<Option<(Hex, usize)>, Error> {
    let doc = events.doc;
    let mut stream = OracleStream::new();
    let mut texts = Texts::new(doc);
    let mut push = |id| stream.push(&Event::read(doc, id), &mut texts);
    match order {
        Order::AsRecorded => doc.children(events.id).try_for_each(&mut push)?,
        Order::Sorted(seqs) => seqs.iter().map(|&(_, id)| id).try_for_each(&mut push)?,
        Order::None(_) => return Ok(None),
    }
    Ok(Some(stream.finish()))
}
