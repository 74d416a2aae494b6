//! Writes values as canonical text, normalized on the way.

use super::keys::{Class, Keys};
use super::{Failure, Strings};
use crate::error::{Error, ErrorKind};
use crate::jcs::{self, Output};
use crate::json::number;
use crate::json::value::{Doc, Key, Kind, NodeId, Text};
use crate::memory;
use crate::text::{BLOCK, Nfc, is_plain, media_digest, normalize, plain_bytes, wtf8};

/// The form in which a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Raw,
    /// After N of the hashing specification: members left out, ids as ordinals, text normalized.
    Normalized,
}

/// Memory that a writer needs, kept from one to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    units: Vec<u16>,
    /// The members of all open objects, each object's in sorted order.
    members: Vec<Member>,
    open: Vec<Open>,
}

impl Scratch {
    /// Gives back memory beyond `max_bytes`.
    pub(crate) fn shrink(&mut self, max_bytes: usize) {
        let Self { units, members, open } = self;
        let most = max_bytes / size_of::<Open>();
        if units.capacity() > max_bytes / 2 || members.capacity() > most || open.capacity() > most {
            *self = Self::default();
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Member {
    /// Place among the interned keys; [`NO_RANK`] for a key that is not one.
    rank: u32,
    id: NodeId,
}

/// Up to this length, one look tells whether a string is written as it is.
const MAX_SHORT: u32 = BLOCK as u32;

const NO_RANK: u32 = u32::MAX;

/// More bytes than a scalar takes that is no string, with the brackets that may close before it, at most one a level,
/// and the name of its member, if that is an interned key.
const BESIDE: usize = 8 << 10;

/// A container that is being written. An explicit stack: nesting costs no stack of the thread.
#[derive(Debug, Clone, Copy)]
enum Open {
    Array {
        next: NodeId,
        end: NodeId,
        first: bool,
    },
    /// Members `next..end` of the scratch are still to come, `start` was the first.
    Object {
        start: usize,
        next: usize,
        end: usize,
    },
}

/// Writes parts of a document to an output.
#[derive(Debug)]
pub struct Writer<'a, S> {
    /// The document.
    pub doc: &'a Doc,
    /// The keys its members may have.
    pub keys: &'a Keys,
    /// The strings that are not in it.
    pub strings: &'a mut S,
    /// Where the text goes.
    pub out: &'a mut Output,
    /// Memory.
    pub scratch: &'a mut Scratch,
}

impl<S: Strings> Writer<'_, S> {
    /// Writes an array of these values, normalized.
    pub(crate) fn array(&mut self, elements: &[NodeId]) -> Result<(), Failure> {
        self.out.push(b"[");
        for (index, &id) in elements.iter().enumerate() {
            if index > 0 {
                self.out.push(b",");
            }
            self.value(id, Form::Normalized)?;
        }
        self.out.push(b"]");
        Ok(())
    }

    /// Writes one value.
    pub(crate) fn value(&mut self, root: NodeId, form: Form) -> Result<(), Failure> {
        self.scratch.open.clear();
        self.scratch.members.clear();
        self.begin(root, form).map_err(|error| (error, root))?;
        while let Some(open) = self.scratch.open.last_mut() {
            let id = match open {
                Open::Array { next, end, first } => {
                    if next == end {
                        self.out.push(b"]");
                        self.scratch.open.pop();
                        continue;
                    }
                    let id = *next;
                    *next = self.doc.node(id).next;
                    // Holes print nothing at all, not even their commas.
                    if let Kind::Holes(_) = self.doc.node(id).kind {
                        *first = false;
                        continue;
                    }
                    if !std::mem::replace(first, false) {
                        self.out.push(b",");
                    }
                    id
                }
                &mut Open::Object { start, ref mut next, end } => {
                    if *next == end {
                        self.out.push(b"}");
                        self.scratch.members.truncate(start);
                        self.scratch.open.pop();
                        continue;
                    }
                    let id = self.scratch.members[*next].id;
                    let first = *next == start;
                    *next += 1;
                    match self.doc.node(id).key {
                        Key::Interned(key) => self.out.push(self.keys.table().member_name(key, first)),
                        key => {
                            let text = self.keys.text(self.doc, key);
                            self.out.room(jcs::most_of(text) + BESIDE).map_err(|error| (error, id))?;
                            self.out.push(if first { b"\"" } else { b",\"" });
                            jcs::escape(text, |piece| self.out.push(piece));
                            self.out.push(b"\":");
                        }
                    }
                    id
                }
            };
            self.begin(id, form).map_err(|error| (error, id))?;
        }
        Ok(())
    }

    /// Writes a scalar, or the start of a container.
    #[inline]
    fn begin(&mut self, id: NodeId, form: Form) -> Result<(), Error> {
        let node = self.doc.node(id);
        self.out.room(BESIDE)?;
        match node.kind {
            Kind::String(text) => return self.string(text, form),
            Kind::Array => {
                self.out.push(b"[");
                let open = Open::Array { next: id + 1, end: node.next, first: true };
                memory::push(&mut self.scratch.open, open)?;
            }
            Kind::Object => self.begin_object(id, form)?,
            Kind::Ordinal(n) => {
                self.out.push(b"\"call_");
                self.out.push_with(|out| number::write_integer(n.into(), out));
                self.out.push(b"\"");
            }
            Kind::Number(value) if value.is_finite() => self.out.push_with(|out| number::write(value, out)),
            Kind::Number(value) if value.is_nan() => return Err(ErrorKind::NaN.into()),
            Kind::Number(_) => return Err(ErrorKind::Infinity.into()),
            Kind::Bool(true) => self.out.push(b"true"),
            Kind::Bool(false) => self.out.push(b"false"),
            // In an array `undefined` and a symbol are `null`; in an object they were left out.
            Kind::Null | Kind::Undefined | Kind::Symbol(_) => self.out.push(b"null"),
            Kind::Function(_) => self.out.push(b"undefined"),
            Kind::BigInt(_) => return Err(ErrorKind::BigInt.into()),
            // JavaScript serializes what holds these; they do not come here.
            Kind::Foreign(_) | Kind::Holes(_) => return Err(ErrorKind::Frame.into()),
        }
        Ok(())
    }

    fn begin_object(&mut self, id: NodeId, form: Form) -> Result<(), Error> {
        let start = self.scratch.members.len();
        let mut sorted = true;
        let mut last = None;
        for id in self.doc.children(id) {
            let node = self.doc.node(id);
            let has_text = !matches!(node.kind, Kind::Undefined | Kind::Symbol(_));
            if !has_text || !is_member(self.doc, self.keys, id, form) {
                continue;
            }
            let rank = match node.key {
                Key::Interned(key) => self.keys.table().rank(key).into(),
                _ => NO_RANK,
            };
            sorted &= rank != NO_RANK && last.is_none_or(|last| last < rank);
            last = Some(rank);
            memory::push(&mut self.scratch.members, Member { rank, id })?;
        }
        let members = &mut self.scratch.members[start..];
        if !sorted {
            let (doc, keys) = (self.doc, self.keys);
            members.sort_unstable_by(|a, b| {
                if a.rank != NO_RANK && b.rank != NO_RANK {
                    a.rank.cmp(&b.rank)
                } else {
                    wtf8::compare(keys.text(doc, doc.node(a.id).key), keys.text(doc, doc.node(b.id).key))
                }
            });
        }
        let end = start + members.len();
        self.out.push(b"{");
        memory::push(&mut self.scratch.open, Open::Object { start, next: start, end })
    }

    fn string(&mut self, text: Text, form: Form) -> Result<(), Error> {
        if let Text::Bytes { start, len } = text {
            let text = self.doc.text(start, len);
            self.out.room(text.len() + BESIDE)?;
            if is_plain(text) {
                self.out.push_quoted(text);
                return Ok(());
            }
            if form == Form::Raw {
                self.out.room(jcs::most_of(text) + BESIDE)?;
                self.out.push(b"\"");
                jcs::escape(text, |piece| self.out.push(piece));
                self.out.push(b"\"");
                return Ok(());
            }
        }
        if let Text::Units { start, len: len @ ..=MAX_SHORT } = text
            && let Some(block) = self.doc.units[start as usize..].first_chunk()
            && let Some(bytes) = plain_bytes(block, len as usize)
        {
            self.out.push_quoted_block(&bytes, len as usize);
            return Ok(());
        }
        let units = if let Text::Units { start, len } = text {
            self.doc.units(start, len)
        } else {
            load(self.doc, text, self.strings, &mut self.scratch.units)?;
            &self.scratch.units
        };
        self.out.room(jcs::most_of_units(units) + BESIDE)?;
        self.out.push(b"\"");
        match form {
            Form::Raw => jcs::push_units(units, self.out),
            Form::Normalized => {
                if let Some(digest) = media_digest(units) {
                    self.out.push(&digest);
                } else if normalize(units, Nfc::Unknown, self.out.escaper()).is_err() {
                    load(self.doc, text, self.strings, &mut self.scratch.units)?;
                    let units = &mut self.scratch.units;
                    self.strings.nfc(units)?;
                    self.out.room(jcs::most_of_units(units) + BESIDE)?;
                    // Cannot fail: NFC is done.
                    let _ = normalize(units, Nfc::Done, self.out.escaper());
                }
            }
        }
        self.out.push(b"\"");
        self.out.settle();
        Ok(())
    }
}

/// Whether the value of this form has this member.
pub fn is_member(doc: &Doc, keys: &Keys, id: NodeId, form: Form) -> bool {
    let node = doc.node(id);
    match (form, node.kind) {
        (Form::Raw, _) => true,
        (Form::Normalized, Kind::Null | Kind::Undefined) => false,
        (Form::Normalized, _) => matches!(keys.class(doc, node.key), Class::Plain | Class::Id),
    }
}

/// Puts the units of a string into `units`.
pub(crate) fn load(
    doc: &Doc,
    text: Text,
    strings: &mut impl Strings,
    units: &mut Vec<u16>,
) -> Result<(), Error> {
    match text {
        Text::Bytes { start, len } => {
            units.clear();
            memory::room(units, len as usize)?;
            wtf8::push_units(doc.text(start, len), units);
            Ok(())
        }
        Text::Units { start, len } => {
            units.clear();
            memory::room(units, len as usize)?;
            units.extend_from_slice(doc.units(start, len));
            Ok(())
        }
        Text::External { index, len } => strings.read(index, len as usize, units),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::value::Node;
    use crate::request::NoStrings;

    #[test]
    fn the_length_that_a_frame_claims_costs_nothing_before_the_string_is_there() {
        let text = Text::External { index: 0, len: u32::MAX };
        let node = Node { key: Key::None, kind: Kind::String(text), next: 1 };
        let doc = Doc { nodes: vec![node], ..Doc::default() };
        let (keys, mut out, mut scratch) = (Keys::default(), Output::default(), Scratch::default());
        let strings = &mut NoStrings;
        let mut writer = Writer { doc: &doc, keys: &keys, strings, out: &mut out, scratch: &mut scratch };
        let result = writer.value(0, Form::Normalized);
        assert_eq!(result.map_err(|(error, _)| error.kind()), Err(ErrorKind::Frame));
        assert!(out.capacity() < 1 << 16 && scratch.units.capacity() == 0);
    }
}
