//! The frame: how a JavaScript value crosses the boundary. See docs/wire-format.md.
//!
//! A frame is a dumb stream of tags. What is dropped, renamed, sorted or normalized is decided later and elsewhere.
//! Nothing in a frame is trusted: every length is checked, and a malformed frame is an error.

use crate::error::{Error, ErrorKind};
use crate::json::keys::{KeyId, KeyTable};
use crate::json::value::{Doc, Key, Kind, Node, NodeId, Text};
use crate::limits::MAX_DEPTH;
use crate::text::wtf8;

/// The first byte of every frame.
pub const VERSION: u8 = 1;

/// Where a key stands, this says that the object ends.
const NO_KEY: u16 = 0xffff;
/// Where a key stands, this says that its text follows.
const LITERAL_KEY: u16 = 0xfffe;

mod tag {
    pub(super) const NULL: u8 = 0;
    pub(super) const FALSE: u8 = 1;
    pub(super) const TRUE: u8 = 2;
    pub(super) const UNDEFINED: u8 = 3;
    pub(super) const HOLES: u8 = 4;
    pub(super) const INTEGER: u8 = 5;
    pub(super) const DOUBLE: u8 = 6;
    pub(super) const ASCII: u8 = 7;
    pub(super) const STRING: u8 = 8;
    pub(super) const FUNCTION: u8 = 9;
    pub(super) const SYMBOL: u8 = 10;
    pub(super) const BIGINT: u8 = 11;
    pub(super) const FOREIGN: u8 = 12;
    pub(super) const ARRAY: u8 = 13;
    pub(super) const OBJECT: u8 = 14;
    pub(super) const END: u8 = 15;
}

/// Reads a frame into `doc`, which is emptied first. `heap_len` is the length of the list that came with the frame.
///
/// # Errors
/// [`ErrorKind::Frame`] for bytes that are no frame, [`ErrorKind::Depth`] beyond [`MAX_DEPTH`].
pub fn read(frame: &[u8], heap_len: u32, keys: &KeyTable, doc: &mut Doc) -> Result<(), Error> {
    let mut open = Vec::new();
    read_values(frame, heap_len, keys, doc, &mut open)?;
    if open.is_empty() && doc.nodes.len() == doc.nodes.first().map_or(1, |root| root.next as usize) {
        Ok(())
    } else {
        Err(ErrorKind::Frame.into())
    }
}

/// Reads as much as there is of a frame that was cut short, and returns the value that came last. For pointers only.
///
/// # Errors
/// [`ErrorKind::Frame`] for bytes that are not the start of a frame.
pub fn read_cut(frame: &[u8], heap_len: u32, keys: &KeyTable, doc: &mut Doc) -> Result<NodeId, Error> {
    let mut open = Vec::new();
    match read_values(frame, heap_len, keys, doc, &mut open) {
        Err(error) if error.kind() != ErrorKind::Depth => return Err(error),
        _ => {}
    }
    let len = doc.nodes.len() as NodeId;
    for id in open {
        doc.nodes[id as usize].next = len;
    }
    len.checked_sub(1).ok_or_else(|| ErrorKind::Frame.into())
}

/// Reads values; `open` receives the containers that are open at the end.
fn read_values(
    frame: &[u8],
    heap_len: u32,
    keys: &KeyTable,
    doc: &mut Doc,
    open: &mut Vec<NodeId>,
) -> Result<(), Error> {
    const MALFORMED: Error = Error::new(ErrorKind::Frame);
    doc.clear();
    if u32::try_from(frame.len()).is_err() {
        return Err(ErrorKind::Memory.into());
    }
    // Inline strings are found where they stand in the frame.
    doc.bytes.extend_from_slice(frame);
    let mut input = Input { frame, at: 0 };
    if input.byte() != Some(VERSION) {
        return Err(MALFORMED);
    }
    let mut in_object = false;
    while input.at < frame.len() {
        let mut key = Key::None;
        if in_object {
            key = match input.u16().ok_or(MALFORMED)? {
                NO_KEY => {
                    in_object = close(doc, open).ok_or(MALFORMED)?;
                    continue;
                }
                LITERAL_KEY => Key::Literal(input.literal(doc).ok_or(MALFORMED)?),
                id if usize::from(id) < keys.len() => Key::Interned(id as KeyId),
                _ => return Err(MALFORMED),
            };
        } else if open.is_empty() && !doc.nodes.is_empty() {
            return Err(MALFORMED);
        }
        let tag = input.byte().ok_or(MALFORMED)?;
        let reference = |input: &mut Input| input.u32().filter(|&at| at < heap_len).ok_or(MALFORMED);
        let kind = match tag {
            tag::NULL => Kind::Null,
            tag::FALSE => Kind::Bool(false),
            tag::TRUE => Kind::Bool(true),
            tag::UNDEFINED => Kind::Undefined,
            tag::HOLES if !in_object && !open.is_empty() => {
                Kind::Holes(input.u32().filter(|&count| count > 0).ok_or(MALFORMED)?)
            }
            tag::INTEGER => Kind::Number(input.u32().ok_or(MALFORMED)?.cast_signed().into()),
            tag::DOUBLE => Kind::Number(f64::from_le_bytes(input.array().ok_or(MALFORMED)?)),
            tag::ASCII => Kind::String(input.ascii().ok_or(MALFORMED)?),
            tag::STRING => {
                let index = reference(&mut input)?;
                Kind::String(Text::External { index, len: input.u32().ok_or(MALFORMED)? })
            }
            tag::FUNCTION => Kind::Function(reference(&mut input)?),
            tag::SYMBOL => Kind::Symbol(reference(&mut input)?),
            tag::BIGINT => Kind::BigInt(reference(&mut input)?),
            tag::FOREIGN => Kind::Foreign(reference(&mut input)?),
            tag::ARRAY => Kind::Array,
            tag::OBJECT => Kind::Object,
            tag::END if !in_object => {
                in_object = close(doc, open).ok_or(MALFORMED)?;
                continue;
            }
            _ => return Err(MALFORMED),
        };
        let id = doc.nodes.len() as NodeId;
        doc.nodes.push(Node { key, kind, next: id + 1 });
        if matches!(kind, Kind::Array | Kind::Object) {
            if open.len() == MAX_DEPTH {
                return Err(ErrorKind::Depth.into());
            }
            open.push(id);
            in_object = kind == Kind::Object;
        }
    }
    if doc.nodes.is_empty() { Err(MALFORMED) } else { Ok(()) }
}

/// Closes the innermost container; says whether the one around it is an object, `None` if none was open.
fn close(doc: &mut Doc, open: &mut Vec<NodeId>) -> Option<bool> {
    let id = open.pop()?;
    doc.nodes[id as usize].next = doc.nodes.len() as NodeId;
    Some(open.last().is_some_and(|&id| doc.node(id).kind == Kind::Object))
}

struct Input<'a> {
    frame: &'a [u8],
    at: usize,
}

impl Input<'_> {
    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.frame.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(bytes)
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    #[inline]
    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn take(&mut self, len: usize) -> Option<&[u8]> {
        let bytes = self.frame.get(self.at..)?.get(..len)?;
        self.at += len;
        Some(bytes)
    }

    /// One byte of length, then as many of ASCII.
    #[inline]
    fn ascii(&mut self) -> Option<Text> {
        let len = self.byte()?;
        let start = self.at as u32;
        self.take(len.into())?.is_ascii().then_some(Text::Bytes { start, len: len.into() })
    }

    /// Four bytes of length, then as many UTF-16 units.
    fn literal(&mut self, doc: &mut Doc) -> Option<Text> {
        let len = self.u32()? as usize;
        let bytes = self.take(len.checked_mul(2)?)?;
        let units: Vec<u16> =
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let start = doc.bytes.len();
        wtf8::push(&units, &mut doc.bytes);
        let end = u32::try_from(doc.bytes.len()).ok()?;
        Some(Text::Bytes { start: start as u32, len: end - start as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(frame: &[u8]) -> Result<Vec<Kind>, Error> {
        let mut keys = KeyTable::default();
        keys.intern(b"a");
        let mut doc = Doc::default();
        read(frame, 1, &keys, &mut doc)?;
        Ok(doc.nodes.iter().map(|node| node.kind).collect())
    }

    #[test]
    fn values() {
        for (name, frame, expected) in [
            ("null", &[1, tag::NULL][..], vec![Kind::Null]),
            ("integer", &[1, tag::INTEGER, 0xff, 0xff, 0xff, 0xff], vec![Kind::Number(-1.0)]),
            ("ASCII", &[1, tag::ASCII, 1, b'x'], vec![Kind::String(Text::Bytes { start: 3, len: 1 })]),
            (
                "array",
                &[1, tag::ARRAY, tag::TRUE, tag::HOLES, 2, 0, 0, 0, tag::END],
                vec![Kind::Array, Kind::Bool(true), Kind::Holes(2)],
            ),
            (
                "object",
                &[1, tag::OBJECT, 0, 0, tag::NULL, 0xfe, 0xff, 1, 0, 0, 0, 0xe9, 0, tag::TRUE, 0xff, 0xff],
                vec![Kind::Object, Kind::Null, Kind::Bool(true)],
            ),
        ] {
            assert_eq!(kinds(frame), Ok(expected), "{name}");
        }
    }

    #[test]
    fn malformed() {
        for (name, frame) in [
            ("empty", &[][..]),
            ("no value", &[1]),
            ("another version", &[2, tag::NULL]),
            ("unknown tag", &[1, 200]),
            ("two values", &[1, tag::NULL, tag::NULL]),
            ("end without a start", &[1, tag::END]),
            ("value, then an end", &[1, tag::NULL, tag::END]),
            ("array left open", &[1, tag::ARRAY]),
            ("object left open", &[1, tag::OBJECT, 0, 0, tag::NULL]),
            ("key without a value", &[1, tag::OBJECT, 0, 0]),
            ("array end in an object", &[1, tag::OBJECT, 0, 0, tag::END]),
            ("unknown key", &[1, tag::OBJECT, 1, 0, tag::NULL, 0xff, 0xff]),
            ("hole in an object", &[1, tag::OBJECT, 0, 0, tag::HOLES, 1, 0, 0, 0, 0xff, 0xff]),
            ("no hole", &[1, tag::ARRAY, tag::HOLES, 0, 0, 0, 0, tag::END]),
            ("hole at the root", &[1, tag::HOLES, 1, 0, 0, 0]),
            ("short integer", &[1, tag::INTEGER, 0, 0]),
            ("short text", &[1, tag::ASCII, 2, b'x']),
            ("text beyond ASCII", &[1, tag::ASCII, 1, 0x80]),
            ("beyond the heap", &[1, tag::STRING, 1, 0, 0, 0, 9, 0, 0, 0]),
            ("literal key beyond the frame", &[1, tag::OBJECT, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ] {
            assert_eq!(kinds(frame), Err(ErrorKind::Frame.into()), "{name}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| {
            let mut frame = vec![VERSION];
            frame.extend(std::iter::repeat_n(tag::ARRAY, depth));
            frame.extend(std::iter::repeat_n(tag::END, depth));
            kinds(&frame).map(|kinds| kinds.len())
        };
        assert_eq!(nested(MAX_DEPTH), Ok(MAX_DEPTH));
        assert_eq!(nested(MAX_DEPTH + 1), Err(ErrorKind::Depth.into()));
    }
}
