//! Canonical text of a record's values: RFC 8785, with `null` for what JSON cannot hold.

use std::ops::Range;

use super::document::Document;
use crate::digest::{self, HEX_LEN, Sha256};
use crate::error::{Error, ErrorKind};
use crate::jcs;
use crate::json::number;
use crate::json::pointer::pointer;
use crate::json::value::{Key, Kind, NodeId, Text};
use crate::memory;
use crate::text::wtf8;

/// More bytes than a number takes, or what stands between two values.
const MAX_SCALAR: usize = 32;
/// With more holes than these an array's text is longer than any string that JavaScript can hold.
const MAX_HOLES: u32 = 1 << 27;

/// What text is written for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// C(v) of the record specification.
    Canonical,
    /// The text of which `JSON.parse` makes this very value: members in their order, `-0` and the infinities kept.
    Exact,
}

/// Takes text.
pub(super) trait Sink {
    /// Makes room for pieces of so many bytes in all.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    fn room(&mut self, bytes: usize) -> Result<(), Error>;

    /// The next piece.
    fn push(&mut self, text: &[u8]);
}

impl Sink for Vec<u8> {
    #[inline]
    fn room(&mut self, bytes: usize) -> Result<(), Error> {
        memory::room(self, bytes)
    }

    #[inline]
    fn push(&mut self, text: &[u8]) {
        self.extend_from_slice(text);
    }
}

/// A running SHA-256 of text that comes in small pieces. Large pieces are hashed where they stand.
#[derive(Debug)]
pub(super) struct Hashing {
    sha: Sha256,
    pending: Vec<u8>,
}

impl Hashing {
    const CAPACITY: usize = 4096;

    /// Of nothing yet.
    pub(super) fn new() -> Self {
        Self { sha: Sha256::new(), pending: Vec::with_capacity(Self::CAPACITY) }
    }

    /// The digest in hex, and back to nothing.
    pub(super) fn finish(&mut self) -> [u8; HEX_LEN] {
        let mut sha = std::mem::take(&mut self.sha);
        sha.update(&self.pending);
        self.pending.clear();
        digest::hex(&sha.finish())
    }
}

impl Sink for Hashing {
    #[inline]
    fn room(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn push(&mut self, text: &[u8]) {
        if self.pending.len() + text.len() > Self::CAPACITY {
            self.sha.update(&self.pending);
            self.pending.clear();
            if text.len() >= Self::CAPACITY / 2 {
                self.sha.update(text);
                return;
            }
        }
        self.pending.extend_from_slice(text);
    }
}

/// Writes the values of one document.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    doc: &'a Document,
    form: Form,
    /// The members of all open objects, each object's in the order in which they are written.
    members: Vec<Member>,
    /// The containers that are being written. An explicit stack: nesting costs no stack of the thread.
    open: Vec<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Member {
    /// The key's first eight bytes: most keys differ there.
    prefix: u64,
    start: u32,
    len: u32,
    node: NodeId,
}

#[derive(Debug, Clone, Copy)]
enum Open {
    Array { first: NodeId, next: NodeId, end: NodeId },
    Object { first: usize, next: usize },
}

impl<'a> Writer<'a> {
    /// A writer for this document.
    pub(super) fn new(doc: &'a Document, form: Form) -> Self {
        Self { doc, form, members: Vec::new(), open: Vec::new() }
    }

    /// Writes a value as if the members `without`, in ascending order, were not there.
    ///
    /// # Errors
    /// [`ErrorKind::BigInt`], with the pointer to it.
    pub(super) fn write(
        &mut self,
        root: NodeId,
        without: &[NodeId],
        out: &mut impl Sink,
    ) -> Result<(), Error> {
        let base = self.open.len();
        self.begin(root, without, out)?;
        while self.open.len() > base
            && let Some(open) = self.open.last_mut()
        {
            let child = match open {
                Open::Array { first, next, end } if *next < *end => {
                    let child = *next;
                    *next = self.doc.node(child).next;
                    if child != *first {
                        out.push(b",");
                    }
                    child
                }
                Open::Object { first, next } if *next < self.members.len() => {
                    let member = self.members[*next];
                    out.push(if next == first { b"\"" } else { b",\"" });
                    *next += 1;
                    let name = self.doc.text(member.start, member.len);
                    out.room(jcs::most_of(name) + MAX_SCALAR)?;
                    jcs::escape(name, |piece| out.push(piece));
                    out.push(b"\":");
                    member.node
                }
                Open::Array { .. } => {
                    out.room(MAX_SCALAR)?;
                    out.push(b"]");
                    self.open.pop();
                    continue;
                }
                &mut Open::Object { first, .. } => {
                    out.room(MAX_SCALAR)?;
                    out.push(b"}");
                    self.members.truncate(first);
                    self.open.pop();
                    continue;
                }
            };
            self.begin(child, without, out)?;
        }
        Ok(())
    }

    /// Writes an object as [`Writer::write`] does, and notes where the text of each of its members' values is.
    pub(super) fn write_object(
        &mut self,
        object: NodeId,
        without: &[NodeId],
        out: &mut Vec<u8>,
        spans: &mut Vec<(NodeId, Range<usize>)>,
    ) -> Result<(), Error> {
        let first = self.members.len();
        self.collect(object, without)?;
        memory::room(spans, self.members.len() - first)?;
        Sink::push(out, b"{");
        for at in first..self.members.len() {
            let member = self.members[at];
            let name = self.doc.text(member.start, member.len);
            memory::room(out, jcs::most_of(name) + MAX_SCALAR)?;
            out.extend_from_slice(if at == first { b"\"" } else { b",\"" });
            jcs::push_escaped(name, out);
            out.extend_from_slice(b"\":");
            let start = out.len();
            self.write(member.node, without, out)?;
            spans.push((member.node, start..out.len()));
        }
        self.members.truncate(first);
        memory::push(out, b'}')
    }

    /// Writes a scalar, or opens a container.
    #[inline]
    fn begin(&mut self, id: NodeId, without: &[NodeId], out: &mut impl Sink) -> Result<(), Error> {
        let node = self.doc.node(id);
        out.room(MAX_SCALAR)?;
        match node.kind {
            Kind::String(text) => {
                out.push(b"\"");
                if let Some(inside) = self.doc.verbatim(id) {
                    out.room(inside.len() + MAX_SCALAR)?;
                    out.push(inside);
                } else if let Text::Bytes { start, len } = text {
                    let text = self.doc.text(start, len);
                    out.room(jcs::most_of(text) + MAX_SCALAR)?;
                    jcs::escape(text, |piece| out.push(piece));
                }
                out.push(b"\"");
            }
            Kind::Number(value) => self.number(value, out),
            Kind::Bool(value) => out.push(if value { b"true" } else { b"false" }),
            Kind::Array => {
                out.push(b"[");
                memory::push(&mut self.open, Open::Array { first: id + 1, next: id + 1, end: node.next })?;
            }
            Kind::Object => {
                out.push(b"{");
                let first = self.members.len();
                self.collect(id, without)?;
                memory::push(&mut self.open, Open::Object { first, next: first })?;
            }
            Kind::BigInt(_) => {
                return Err(Error::new(ErrorKind::BigInt).at_pointer(pointer(self.doc, id, &**self.doc)?));
            }
            Kind::Holes(count) if count > MAX_HOLES => return Err(ErrorKind::Memory.into()),
            Kind::Holes(count) => {
                out.room(5 * count as usize)?;
                for at in 0..count {
                    out.push(if at == 0 { b"null" } else { b",null" });
                }
            }
            _ => out.push(b"null"),
        }
        Ok(())
    }

    fn number(&self, value: f64, out: &mut impl Sink) {
        let mut digits = Vec::with_capacity(24);
        match self.form {
            Form::Exact if value == 0.0 && value.is_sign_negative() => digits.extend_from_slice(b"-0"),
            Form::Exact if value.is_infinite() => {
                digits.extend_from_slice(if value < 0.0 { b"-1e999" } else { b"1e999" });
            }
            _ if value.is_finite() => number::write(value, &mut digits),
            _ => digits.extend_from_slice(b"null"),
        }
        out.push(&digits);
    }

    /// Puts an object's members, in the order of the form, onto `members`.
    fn collect(&mut self, object: NodeId, without: &[NodeId]) -> Result<(), Error> {
        let first = self.members.len();
        let mut all = 0;
        for node in self.doc.children(object) {
            let child = self.doc.node(node);
            if let Key::Literal { start, len } = child.key
                && child.kind != Kind::Undefined
                && (without.is_empty() || without.binary_search(&node).is_err())
            {
                let prefix = prefix(&self.doc.bytes, start, len);
                all |= prefix;
                memory::push(&mut self.members, Member { prefix, start, len, node })?;
            }
        }
        if self.form == Form::Exact {
            return Ok(());
        }
        let members = &mut self.members[first..];
        let doc = self.doc;
        let compare =
            |a: &Member, b: &Member| wtf8::compare(doc.text(a.start, a.len), doc.text(b.start, b.len));
        // RFC 8785 §3.2.3 sorts by UTF-16 units, which for ASCII is the order of bytes.
        if all & 0x8080_8080_8080_8080 == 0 {
            members.sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix).then_with(|| compare(a, b)));
        } else {
            members.sort_unstable_by(compare);
        }
        Ok(())
    }
}

/// The first eight bytes of a key as a number in byte order; a shorter key ends in zeros.
#[inline]
fn prefix(bytes: &[u8], start: u32, len: u32) -> u64 {
    let bytes = &bytes[start as usize..];
    let word = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut word = [0; 8];
        word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        word
    });
    let kept = u64::MAX.checked_shl(64_u32.saturating_sub(len * 8)).unwrap_or(0);
    u64::from_be_bytes(word) & if len >= 8 { u64::MAX } else { kept }
}
