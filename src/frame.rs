//! The frame: how a JavaScript value crosses the boundary. See docs/wire-format.md.
//!
//! A frame is a dumb stream of words. What is dropped, renamed, sorted or normalized is decided later and elsewhere.
//! Nothing in a frame is trusted: every length is checked, and a malformed frame is an error.

use std::mem;

use crate::error::{Error, ErrorKind};
use crate::json::keys::{KeyId, KeyTable};
use crate::json::value::{Doc, Key, Kind, Node, NodeId, Text};
use crate::limits::MAX_DEPTH;
use crate::memory;
use crate::text::wtf8;

/// The first word of every frame. The second is the length of the text beside it.
pub const VERSION: u32 = 2;

/// A member with this key has its name before it.
const LITERAL_KEY: u16 = 0xfffe;

/// The low half of a word.
mod tag {
    pub(super) const NULL: u16 = 0;
    pub(super) const FALSE: u16 = 1;
    pub(super) const TRUE: u16 = 2;
    pub(super) const UNDEFINED: u16 = 3;
    pub(super) const HOLES: u16 = 4;
    pub(super) const INTEGER: u16 = 5;
    pub(super) const DOUBLE: u16 = 6;
    pub(super) const STRING: u16 = 7;
    pub(super) const REFERENCE: u16 = 8;
    pub(super) const FUNCTION: u16 = 9;
    pub(super) const SYMBOL: u16 = 10;
    pub(super) const BIGINT: u16 = 11;
    pub(super) const FOREIGN: u16 = 12;
    pub(super) const ARRAY: u16 = 13;
    pub(super) const OBJECT: u16 = 14;
    pub(super) const END: u16 = 15;
    pub(super) const KEY: u16 = 16;
}

const MALFORMED: Error = Error::new(ErrorKind::Frame);

/// The number of units in the text that goes with a frame.
///
/// # Errors
/// [`ErrorKind::Frame`] for words that are no frame.
pub fn text_len(frame: &[u32]) -> Result<usize, Error> {
    match *frame {
        [VERSION, len, ..] => Ok(len as usize),
        _ => Err(MALFORMED),
    }
}

/// Reads a frame into `doc`, which must be empty but for its units: the text beside the frame. `heap_len` is the length
/// of the list that came with it.
///
/// # Errors
/// [`ErrorKind::Frame`] for words that are no frame, [`ErrorKind::Depth`] beyond [`MAX_DEPTH`].
pub fn read(frame: &[u32], heap_len: u32, keys: &KeyTable, doc: &mut Doc) -> Result<(), Error> {
    let mut open = Open::default();
    read_values(frame, heap_len, keys, doc, &mut open)?;
    if open.depth == 0 && doc.nodes.len() == doc.nodes.first().map_or(1, |root| root.next as usize) {
        Ok(())
    } else {
        Err(MALFORMED)
    }
}

/// Reads as much as there is of a frame that was cut short, and returns the value that came last. For pointers only.
///
/// # Errors
/// [`ErrorKind::Frame`] for words that are not the start of a frame.
pub fn read_cut(frame: &[u32], heap_len: u32, keys: &KeyTable, doc: &mut Doc) -> Result<NodeId, Error> {
    let mut open = Open::default();
    match read_values(frame, heap_len, keys, doc, &mut open) {
        Err(error) if error.kind() != ErrorKind::Depth => return Err(error),
        _ => {}
    }
    while open.close(doc).is_some() {}
    (doc.nodes.len() as NodeId).checked_sub(1).ok_or(MALFORMED)
}

/// Reads values; `open` receives the containers that are open at the end.
fn read_values(
    frame: &[u32],
    heap_len: u32,
    keys: &KeyTable,
    doc: &mut Doc,
    open: &mut Open,
) -> Result<(), Error> {
    if text_len(frame)? != doc.units.len() || u32::try_from(frame.len()).is_err() {
        return Err(MALFORMED);
    }
    let mut input = Input { frame, at: 2, units: 0 };
    let mut in_object = false;
    let mut name = Key::None;
    while let Some(word) = input.word() {
        let (tag, key) = (word as u16, (word >> 16) as u16);
        let key = match (in_object, tag, key) {
            (_, tag::END, 0) if name == Key::None => {
                in_object = open.close(doc).ok_or(MALFORMED)?;
                continue;
            }
            (true, tag::KEY, 0) if name == Key::None => {
                name = input.literal(doc)?;
                continue;
            }
            (true, _, LITERAL_KEY) if name != Key::None => mem::replace(&mut name, Key::None),
            (true, _, id) if usize::from(id) < keys.len() && name == Key::None => Key::Interned(id as KeyId),
            (false, _, 0) if doc.nodes.is_empty() || open.depth > 0 => Key::None,
            _ => return Err(MALFORMED),
        };
        let kind = match tag {
            tag::NULL => Kind::Null,
            tag::FALSE => Kind::Bool(false),
            tag::TRUE => Kind::Bool(true),
            tag::UNDEFINED => Kind::Undefined,
            tag::HOLES if !in_object && open.depth > 0 => {
                Kind::Holes(input.word().filter(|&count| count > 0).ok_or(MALFORMED)?)
            }
            tag::INTEGER => Kind::Number(input.word().ok_or(MALFORMED)?.cast_signed().into()),
            tag::DOUBLE => Kind::Number(input.double().ok_or(MALFORMED)?),
            tag::STRING => Kind::String(input.text(doc).ok_or(MALFORMED)?),
            tag::REFERENCE => {
                let index = input.reference(heap_len).ok_or(MALFORMED)?;
                Kind::String(Text::External { index, len: input.word().ok_or(MALFORMED)? })
            }
            tag::FUNCTION => Kind::Function(input.reference(heap_len).ok_or(MALFORMED)?),
            tag::SYMBOL => Kind::Symbol(input.reference(heap_len).ok_or(MALFORMED)?),
            tag::BIGINT => Kind::BigInt(input.reference(heap_len).ok_or(MALFORMED)?),
            tag::FOREIGN => Kind::Foreign(input.reference(heap_len).ok_or(MALFORMED)?),
            tag::ARRAY => Kind::Array,
            tag::OBJECT => Kind::Object,
            _ => return Err(MALFORMED),
        };
        let id = doc.nodes.len() as NodeId;
        memory::push(&mut doc.nodes, Node { key, kind, next: id + 1 })?;
        if matches!(kind, Kind::Array | Kind::Object) {
            if open.depth == MAX_DEPTH {
                return Err(ErrorKind::Depth.into());
            }
            open.enter(doc, id);
            in_object = kind == Kind::Object;
        }
    }
    if doc.nodes.is_empty() { Err(MALFORMED) } else { Ok(()) }
}

/// The containers that are open. Each holds the one around it where its [`Node::next`] will be: a frame is read without
/// memory of its own.
#[derive(Default)]
struct Open {
    innermost: NodeId,
    depth: usize,
}

impl Open {
    fn enter(&mut self, doc: &mut Doc, id: NodeId) {
        doc.nodes[id as usize].next = mem::replace(&mut self.innermost, id);
        self.depth += 1;
    }

    /// Closes the innermost; says whether the one around it is an object, `None` if none was open.
    fn close(&mut self, doc: &mut Doc) -> Option<bool> {
        self.depth = self.depth.checked_sub(1)?;
        let len = doc.nodes.len() as NodeId;
        self.innermost = mem::replace(&mut doc.nodes[self.innermost as usize].next, len);
        Some(self.depth > 0 && doc.node(self.innermost).kind == Kind::Object)
    }
}

struct Input<'a> {
    frame: &'a [u32],
    at: usize,
    /// How much of the text beside the frame is taken.
    units: u32,
}

impl Input<'_> {
    #[inline]
    fn word(&mut self) -> Option<u32> {
        let word = *self.frame.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    #[inline]
    fn double(&mut self) -> Option<f64> {
        let [low, high] = [self.word()?, self.word()?];
        Some(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
    }

    fn reference(&mut self, heap_len: u32) -> Option<u32> {
        self.word().filter(|&at| at < heap_len)
    }

    /// A length, and as many units of the text.
    #[inline]
    fn text(&mut self, doc: &Doc) -> Option<Text> {
        let (start, len) = (self.units, self.word()?);
        self.units = start.checked_add(len).filter(|&end| end as usize <= doc.units.len())?;
        Some(Text::Units { start, len })
    }

    /// The same as a member's name.
    fn literal(&mut self, doc: &mut Doc) -> Result<Key, Error> {
        let Some(Text::Units { start, len }) = self.text(doc) else { return Err(MALFORMED) };
        let at = u32::try_from(doc.bytes.len()).map_err(|_| MALFORMED)?;
        wtf8::push(&doc.units[start as usize..][..len as usize], &mut doc.bytes)?;
        let end = u32::try_from(doc.bytes.len()).map_err(|_| MALFORMED)?;
        Ok(Key::Literal { start: at, len: end - at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, words: &[u32]) -> Result<Vec<Kind>, Error> {
        let mut keys = KeyTable::default();
        keys.intern(b"a");
        let mut doc = Doc { units: text.encode_utf16().collect(), ..Doc::default() };
        let frame = [&[VERSION, doc.units.len() as u32], words].concat();
        read(&frame, 1, &keys, &mut doc)?;
        Ok(doc.nodes.iter().map(|node| node.kind).collect())
    }

    const fn word(key: u16, tag: u16) -> u32 {
        (key as u32) << 16 | tag as u32
    }

    const NULL: u32 = word(0, tag::NULL);
    const ARRAY: u32 = word(0, tag::ARRAY);
    const OBJECT: u32 = word(0, tag::OBJECT);
    const STRING: u32 = word(0, tag::STRING);
    const HOLES: u32 = word(0, tag::HOLES);
    const KEY: u32 = word(0, tag::KEY);
    const END: u32 = word(0, tag::END);

    #[test]
    fn values() {
        for (name, text, words, expected) in [
            ("null", "", &[NULL][..], vec![Kind::Null]),
            ("integer", "", &[word(0, tag::INTEGER), u32::MAX], vec![Kind::Number(-1.0)]),
            ("double", "", &[word(0, tag::DOUBLE), 0, 0xbfe0_0000], vec![Kind::Number(-0.5)]),
            ("text", "é", &[STRING, 1], vec![Kind::String(Text::Units { start: 0, len: 1 })]),
            (
                "array",
                "",
                &[ARRAY, word(0, tag::TRUE), HOLES, 2, END],
                vec![Kind::Array, Kind::Bool(true), Kind::Holes(2)],
            ),
            (
                "object",
                "ex",
                &[OBJECT, NULL, KEY, 1, word(LITERAL_KEY, tag::STRING), 1, END],
                vec![Kind::Object, Kind::Null, Kind::String(Text::Units { start: 1, len: 1 })],
            ),
        ] {
            assert_eq!(kinds(text, words), Ok(expected), "{name}");
        }
    }

    #[test]
    fn malformed() {
        for (name, words) in [
            ("no value", &[][..]),
            ("unknown tag", &[200]),
            ("two values", &[NULL, NULL]),
            ("end without a start", &[END]),
            ("value, then an end", &[NULL, END]),
            ("array left open", &[ARRAY]),
            ("object left open", &[OBJECT, NULL]),
            ("element with a key", &[ARRAY, word(1, tag::NULL), END]),
            ("name of an element", &[ARRAY, KEY, 1, word(LITERAL_KEY, tag::NULL), END]),
            ("name without a value", &[OBJECT, KEY, 1, END]),
            ("value without a name", &[OBJECT, word(LITERAL_KEY, tag::NULL), END]),
            ("name and key", &[OBJECT, KEY, 1, NULL, END]),
            ("two names", &[OBJECT, KEY, 1, KEY, 1, word(LITERAL_KEY, tag::NULL), END]),
            ("end with a key", &[OBJECT, word(1, tag::END)]),
            ("unknown key", &[OBJECT, word(1, tag::NULL), END]),
            ("hole in an object", &[OBJECT, HOLES, 1, END]),
            ("no hole", &[ARRAY, HOLES, 0, END]),
            ("hole at the root", &[HOLES, 1]),
            ("no integer", &[word(0, tag::INTEGER)]),
            ("half a double", &[word(0, tag::DOUBLE), 0]),
            ("more text than there is", &[ARRAY, STRING, 2, STRING, 1, END]),
            ("more text than can be", &[ARRAY, STRING, 1, STRING, u32::MAX, END]),
            ("beyond the heap", &[word(0, tag::REFERENCE), 1, 9]),
        ] {
            assert_eq!(kinds("xy", words), Err(MALFORMED), "{name}");
        }
        let read = |frame: &[u32]| read(frame, 0, &KeyTable::default(), &mut Doc::default());
        assert_eq!(read(&[VERSION, 0, NULL]), Ok(()));
        for (name, frame) in [
            ("empty", &[][..]),
            ("no length", &[VERSION]),
            ("another version", &[VERSION + 1, 0, NULL]),
            ("another text", &[VERSION, 1, NULL]),
        ] {
            assert_eq!(read(frame), Err(MALFORMED), "{name}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| {
            kinds("", &[vec![ARRAY; depth], vec![END; depth]].concat()).map(|kinds| kinds.len())
        };
        assert_eq!(nested(MAX_DEPTH), Ok(MAX_DEPTH));
        assert_eq!(nested(MAX_DEPTH + 1), Err(ErrorKind::Depth.into()));
    }
}
