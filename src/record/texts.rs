//! Canonical texts of events, written once where both digests need them.

use std::ops::Range;

use super::canonical::{Form, Sink, Writer};
use super::document::Document;
use super::event::Event;
use super::value::Value;
use crate::error::Error;
use crate::json::value::{Kind, NodeId};

/// Writes canonical text, and keeps that of the last event.
#[derive(Debug)]
pub(super) struct Texts<'a> {
    writer: Writer<'a>,
    event: Vec<u8>,
    /// Where in `event` the values of its members are.
    members: Vec<(NodeId, Range<usize>)>,
}

impl<'a> Texts<'a> {
    /// Texts of values of this document.
    pub(super) fn new(doc: &'a Document) -> Self {
        Self { writer: Writer::new(doc, Form::Canonical), event: Vec::new(), members: Vec::new() }
    }

    /// The text of an event without its own `_hash`.
    pub(super) fn event(&mut self, event: &Event) -> Result<&[u8], Error> {
        self.event.clear();
        self.members.clear();
        if let Kind::Holes(_) = event.value.kind() {
            // Of several holes, one event.
            self.event.extend_from_slice(b"null");
        } else if event.value.kind() == Kind::Object {
            let without = event.hash.map(|hash| hash.id);
            self.writer.write_object(
                event.value.id,
                without.as_slice(),
                &mut self.event,
                &mut self.members,
            )?;
        } else {
            self.writer.write(event.value.id, &[], &mut self.event)?;
        }
        Ok(&self.event)
    }

    /// Pushes the text of a value as if the members `without`, in ascending order, were not there.
    pub(super) fn push(
        &mut self,
        value: Value,
        without: &[NodeId],
        out: &mut impl Sink,
    ) -> Result<(), Error> {
        match self.members.iter().find(|(id, _)| *id == value.id) {
            Some((_, range)) if without.is_empty() => {
                out.room(range.len())?;
                out.push(&self.event[range.clone()]);
                Ok(())
            }
            _ => self.writer.write(value.id, without, out),
        }
    }
}
