//! The oracle stream: what the run got from outside, by the question asked, as one digest.

use super::canonical::{Hashing, Sink};
use super::chain::{Chain, Hex};
use super::document::Document;
use super::event::Event;
use super::projection;
use super::texts::Texts;
use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::json::value::{Kind, NodeId};
use crate::memory;
use crate::text::wtf8;

/// What answered the run.
#[derive(Debug)]
pub(super) enum Source {
    Model,
    Tool,
    Environment,
}

impl Source {
    /// That of an event that gives an entry.
    pub(super) fn of(event: &Event) -> Option<Self> {
        match event.r#type.and_then(|r#type| r#type.short_text(4)).as_deref() {
            Some(b"llm") => Some(Self::Model),
            Some(b"tool") => Some(Self::Tool),
            Some(b"env") => Some(Self::Environment),
            _ => None,
        }
    }
}

/// The running digest of an oracle stream.
#[derive(Debug)]
pub(super) struct OracleStream {
    chain: Chain,
    entries: usize,
    key: Hashing,
}

impl OracleStream {
    /// A stream without entries.
    pub(super) fn new() -> Self {
        Self::from_head(None, 0)
    }

    /// A stream that goes on behind so many entries.
    pub(super) fn from_head(head: Option<Hex>, entries: usize) -> Self {
        Self { chain: Chain::from_head(head), entries, key: Hashing::new() }
    }

    /// The head, if there is an entry, and the number of entries.
    pub(super) const fn head(&self) -> (Option<Hex>, usize) {
        (self.chain.head(), self.entries)
    }

    /// Adds what an event gives. Events come in the order of [`order`].
    ///
    /// # Errors
    /// Those of projections and conversions, with the pointer.
    pub(super) fn push(&mut self, event: &Event, texts: &mut Texts) -> Result<(), Error> {
        match Source::of(event) {
            Some(Source::Model) => {
                let model_id = event.model.and_then(|model| model.get(b"model_id"));
                self.push_call("llm", model_id, event.request, event.response, event, texts)
            }
            Some(Source::Tool) => {
                self.push_call("tool", event.tool_name, event.input, event.output, event, texts)
            }
            Some(Source::Environment) => {
                self.push_entry([("key", event.key), ("kind", event.kind), ("output", event.output)], texts)
            }
            None => Ok(()),
        }
    }

    /// The digest and the number of entries.
    pub(super) fn finish(self) -> (Hex, usize) {
        (self.chain.digest(), self.entries)
    }

    fn push_call(
        &mut self,
        kind: &str,
        name: Option<Value>,
        input: Option<Value>,
        output: Option<Value>,
        event: &Event,
        texts: &mut Texts,
    ) -> Result<(), Error> {
        let key = self.key(kind, name, input, event.key_projection, texts)?;
        self.entries += 1;
        self.chain.push(|out| {
            for piece in [b"{\"key\":\"", &key[..], b"\",\"kind\":\"", kind.as_bytes(), b"\""] {
                out.push(piece);
            }
            if let Some(error) = event.error.filter(|error| error.is_truthy()) {
                out.push(b",\"output\":{\"error\":");
                texts.push(error, &[], out)?;
                out.push(b"}");
            } else if let Some(output) = output {
                out.push(b",\"output\":");
                texts.push(output, &[], out)?;
            }
            out.push(b"}");
            Ok(())
        })?;
        Ok(())
    }

    fn push_entry(&mut self, members: [(&str, Option<Value>); 3], texts: &mut Texts) -> Result<(), Error> {
        self.entries += 1;
        self.chain.push(|out| {
            out.push(b"{");
            let mut separator: &[u8] = b"\"";
            for (name, value) in members {
                if let Some(value) = value {
                    for piece in [separator, name.as_bytes(), b"\":"] {
                        out.push(piece);
                    }
                    texts.push(value, &[], out)?;
                    separator = b",\"";
                }
            }
            out.push(b"}");
            Ok(())
        })?;
        Ok(())
    }

    /// The hash that stands for a question.
    fn key(
        &mut self,
        kind: &str,
        name: Option<Value>,
        input: Option<Value>,
        projection: Option<Value>,
        texts: &mut Texts,
    ) -> Result<Hex, Error> {
        let without = projection::left_out(input, projection)?;
        let mut head = [kind.as_bytes(), b":"].concat();
        if let Some(name) = name.filter(|name| name.kind() != Kind::Null) {
            name.print(&mut head)?;
        }
        memory::push(&mut head, b':')?;
        wtf8::make_well_formed(&mut head);
        self.key.push(&head);
        match input {
            Some(input) => texts.push(input, &without, &mut self.key)?,
            None => self.key.push(b"null"),
        }
        Ok(self.key.finish())
    }
}

/// The order of an oracle stream: by `seq`, missing and `null` as 0; events with equal ones stay as they are.
#[derive(Debug)]
pub(super) enum Order {
    /// That of the record.
    AsRecorded,
    /// Another one: each `seq` with its event.
    Sorted(Vec<(f64, NodeId)>),
    /// There is none: at this index, first, is an event whose `seq` is no number.
    None(usize),
}

/// The place of an event in the order; none when its `seq` is no number.
///
/// # Errors
/// [`ErrorKind::Event`] for an event that is `null` or `undefined`.
pub(super) fn seq(event: Value) -> Result<Option<f64>, Error> {
    let seq = match event.kind() {
        Kind::Object => event.get(b"seq").map_or(Kind::Null, Value::kind),
        Kind::Null | Kind::Undefined | Kind::Holes(_) => return Err(event.error(ErrorKind::Event)),
        _ => Kind::Null,
    };
    Ok(match seq {
        Kind::Null => Some(0.0),
        // The sum makes one zero of both.
        Kind::Number(seq) if !seq.is_nan() => Some(seq + 0.0),
        _ => None,
    })
}

/// The order in which events give entries.
///
/// # Errors
/// [`ErrorKind::Event`] for an event that is `null` or `undefined`.
pub(super) fn order(doc: &Document, events: NodeId) -> Result<Order, Error> {
    let mut odd = None;
    let (mut last, mut is_sorted) = (f64::NEG_INFINITY, true);
    for (index, id) in doc.children(events).enumerate() {
        match seq(Value { doc, id })? {
            Some(seq) => {
                is_sorted &= last <= seq;
                last = seq;
            }
            None => odd = odd.or(Some(index)),
        }
    }
    if let Some(index) = odd {
        return Ok(Order::None(index));
    }
    if is_sorted {
        return Ok(Order::AsRecorded);
    }
    // Nearly all records are in order: only the others pay for a list.
    let mut seqs = Vec::new();
    for id in doc.children(events) {
        if let Some(seq) = seq(Value { doc, id })? {
            memory::push(&mut seqs, (seq, id))?;
        }
    }
    // Of one `seq`, as recorded: ids ascend. A stable sort would need memory.
    seqs.sort_unstable_by(|(one, id), (other, next)| one.total_cmp(other).then(id.cmp(next)));
    Ok(Order::Sorted(seqs))
}
