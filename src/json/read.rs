//! Reads JSON text: the language, the values and the order of entries of `JSON.parse`.

use std::mem;

use super::order::{self, Member, Orders};
use super::pointer;
use super::scan;
use super::value::{Doc, Key, Kind, Node, NodeId, Text};
use crate::error::{Error, ErrorKind};
use crate::limits::MAX_DEPTH;
use crate::memory;
use crate::text::wtf8;

/// Reads a text into `doc`, whose former value is dropped.
///
/// The text is WTF-8: UTF-8 that may also hold what a lone surrogate of a JavaScript string becomes. Strings of the
/// result are well-formed WTF-8: where two halves of a pair meet, escaped or not, they are one character.
///
/// # Errors
/// [`ErrorKind::Syntax`] at the first byte that cannot go on, [`ErrorKind::Depth`] at the first container beyond
/// [`MAX_DEPTH`], [`ErrorKind::Memory`] for a text beyond 4 GiB. The document is then empty.
pub fn read(text: &[u8], doc: &mut Doc) -> Result<(), Error> {
    doc.bytes.clear();
    memory::room(&mut doc.bytes, text.len())?;
    doc.bytes.extend_from_slice(text);
    read_in_place(doc)
}

/// As [`read`], for a text that is in [`Doc::bytes`] already.
///
/// Nothing is copied: a string of the result is where its literal was, and an escaped one, which is never longer than
/// its literal, has been written over it.
///
/// # Errors
/// As [`read`].
pub fn read_in_place(doc: &mut Doc) -> Result<(), Error> {
    let mut reader = Reader::<false>::new(mem::take(&mut doc.bytes), mem::take(&mut doc.nodes));
    reader.document()?;
    doc.bytes = mem::take(&mut reader.text);
    doc.nodes = reader.finish()?.0;
    Ok(())
}

/// Reads a text and leaves strings as they stand where that is their canonical text (RFC 8785), for writing them again.
///
/// The text is UTF-8. The list says for each node whether it is a string that was left so: what its [`Text`] finds in
/// the document is then the inside of a JSON string. Keys never are.
///
/// # Errors
/// As [`read`].
pub fn read_verbatim(text: Vec<u8>) -> Result<(Doc, Vec<bool>), Error> {
    read_verbatim_within(text, 0)
}

/// As [`read_verbatim`], for a value inside of so many containers.
///
/// # Errors
/// As [`read`].
pub fn read_verbatim_within(text: Vec<u8>, depth: usize) -> Result<(Doc, Vec<bool>), Error> {
    let mut reader = Reader::<true>::new(text, Vec::new());
    reader.max_depth = MAX_DEPTH - depth;
    reader.document()?;
    let bytes = mem::take(&mut reader.text);
    let (nodes, verbatim) = reader.finish()?;
    Ok((Doc { nodes, bytes, units: Vec::new() }, verbatim))
}

/// The text that these bytes are.
///
/// # Errors
/// [`ErrorKind::Utf8`] at the first byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    str::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::Utf8).at_offset(error.valid_up_to()))
}

struct Reader<const VERBATIM: bool> {
    /// The text, with escaped strings overwritten up to `at`.
    text: Vec<u8>,
    at: usize,
    nodes: Vec<Node>,
    /// For each node whether it is a string that was left as it stands. Empty unless `VERBATIM`.
    verbatim: Vec<bool>,
    /// The key under which the next value stands.
    key: Key,
    open: Vec<Open>,
    /// The most containers that may be open.
    max_depth: usize,
    /// The members so far of all open objects, the innermost object's last.
    members: Vec<Member>,
    orders: Orders,
}

/// A container that is not closed yet.
#[derive(Clone, Copy)]
struct Open {
    node: NodeId,
    /// Where its members begin in [`Reader::members`].
    members: u32,
    is_object: bool,
    has_index: bool,
}

impl<const VERBATIM: bool> Reader<VERBATIM> {
    fn new(text: Vec<u8>, mut nodes: Vec<Node>) -> Self {
        nodes.clear();
        Self {
            text,
            at: 0,
            nodes,
            verbatim: Vec::new(),
            key: Key::None,
            open: Vec::new(),
            max_depth: MAX_DEPTH,
            members: Vec::new(),
            orders: Orders::new(),
        }
    }

    /// The nodes in the order of own entries, and which are verbatim.
    fn finish(self) -> Result<(Vec<Node>, Vec<bool>), Error> {
        if self.orders.is_empty() {
            return Ok((self.nodes, self.verbatim));
        }
        let (nodes, origins) = order::rebuild(&self.nodes, &self.orders)?;
        let mut verbatim = Vec::new();
        if VERBATIM {
            memory::room(&mut verbatim, origins.len())?;
            verbatim.extend(origins.iter().map(|&id| self.verbatim[id as usize]));
        }
        Ok((nodes, verbatim))
    }

    fn document(&mut self) -> Result<(), Error> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(ErrorKind::Memory.into());
        }
        'value: loop {
            self.skip_space();
            match self.peek() {
                open @ (b'{' | b'[') => {
                    let is_object = open == b'{';
                    self.open(is_object)?;
                    self.skip_space();
                    if self.peek() != if is_object { b'}' } else { b']' } {
                        if is_object {
                            self.member()?;
                        } else {
                            self.key = Key::None;
                        }
                        continue 'value;
                    }
                }
                b'"' => {
                    let (text, is_verbatim) = self.string::<VERBATIM>()?;
                    self.push(Kind::String(text))?;
                    if is_verbatim && let Some(last) = self.verbatim.last_mut() {
                        *last = true;
                    }
                }
                b'-' | b'0'..=b'9' => {
                    let number = self.number()?;
                    self.push(Kind::Number(number))?;
                }
                b't' => self.word(b"true", Kind::Bool(true))?,
                b'f' => self.word(b"false", Kind::Bool(false))?,
                b'n' => self.word(b"null", Kind::Null)?,
                _ => return Err(self.syntax()),
            }
            loop {
                self.skip_space();
                let Some(&Open { is_object, .. }) = self.open.last() else {
                    return if self.at == self.text.len() { Ok(()) } else { Err(self.syntax()) };
                };
                match (self.peek(), is_object) {
                    (b',', false) => {
                        self.at += 1;
                        self.key = Key::None;
                        continue 'value;
                    }
                    (b',', true) => {
                        self.at += 1;
                        self.skip_space();
                        self.member()?;
                        continue 'value;
                    }
                    (b']', false) | (b'}', true) => {
                        self.at += 1;
                        self.close()?;
                    }
                    _ => return Err(self.syntax()),
                }
            }
        }
    }

    /// The next byte. A NUL, which no place allows, stands for the end.
    #[inline]
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    #[inline]
    fn push(&mut self, kind: Kind) -> Result<(), Error> {
        let next = self.nodes.len() as NodeId + 1;
        memory::push(&mut self.nodes, Node { key: self.key, kind, next })?;
        if VERBATIM {
            memory::push(&mut self.verbatim, false)?;
        }
        Ok(())
    }

    fn word(&mut self, word: &[u8], kind: Kind) -> Result<(), Error> {
        for &byte in word {
            if self.peek() != byte {
                return Err(self.syntax());
            }
            self.at += 1;
        }
        self.push(kind)
    }

    fn open(&mut self, is_object: bool) -> Result<(), Error> {
        if self.open.len() == self.max_depth {
            return Err(Error::new(ErrorKind::Depth).at_pointer(self.pointer()?));
        }
        let (node, members) = (self.nodes.len() as NodeId, self.members.len() as u32);
        self.open.push(Open { node, members, is_object, has_index: false });
        self.push(if is_object { Kind::Object } else { Kind::Array })?;
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Error> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.nodes[open.node as usize].next = self.nodes.len() as NodeId;
        if open.is_object {
            let members = &self.members[open.members as usize..];
            let key = |member: &Member| self.bytes(member.start, member.len);
            if (open.has_index || order::has_duplicates(members, key)?)
                && let Some(order) = order::own_entries(members, key)?
            {
                self.orders.try_reserve(1).map_err(|_| ErrorKind::Memory)?;
                self.orders.insert(open.node, order);
            }
            self.members.truncate(open.members as usize);
        }
        Ok(())
    }

    /// Reads a key and its colon.
    #[inline]
    fn member(&mut self) -> Result<(), Error> {
        if self.peek() != b'"' {
            return Err(self.syntax());
        }
        let (text, _) = self.string::<false>()?;
        self.skip_space();
        if self.peek() != b':' {
            return Err(self.syntax());
        }
        self.at += 1;
        if let Text::Bytes { start, len } = text {
            self.key = Key::Literal { start, len };
            let key = self.bytes(start, len);
            let print = order::print(key);
            if order::array_index(key).is_some()
                && let Some(open) = self.open.last_mut()
            {
                open.has_index = true;
            }
            memory::push(&mut self.members, Member { node: self.nodes.len() as NodeId, start, len, print })?;
        }
        Ok(())
    }

    /// The bytes of a string that was read.
    #[inline]
    fn bytes(&self, start: u32, len: u32) -> &[u8] {
        &self.text[start as usize..start as usize + len as usize]
    }

    /// Reads a string literal, at its opening quote. Says whether it was left as it stands, which `MAY` allows.
    #[inline]
    fn string<const MAY: bool>(&mut self) -> Result<(Text, bool), Error> {
        let start = self.at + 1;
        self.at = start + scan::plain(&self.text[start..]);
        let (end, is_verbatim) = match self.peek() {
            b'"' => (self.at, MAY),
            b'\\' => {
                let end = if MAY { self.canonical_end() } else { None };
                self.at = end.unwrap_or(self.at);
                (end.map_or_else(|| self.unescape(start), Ok)?, end.is_some())
            }
            _ => return Err(self.syntax()),
        };
        self.at += 1;
        Ok((Text::Bytes { start: start as u32, len: (end - start) as u32 }, is_verbatim))
    }

    /// The end of the string literal whose first escape is next, if all its escapes are the ones of canonical text.
    fn canonical_end(&self) -> Option<usize> {
        let mut at = self.at;
        loop {
            match self.text[at..] {
                [b'"', ..] => return Some(at),
                [b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => at += 2,
                [b'\\', b'u', b'0', b'0', high @ (b'0' | b'1'), low, ..] if is_control_escape(high, low) => {
                    at += 6;
                }
                _ => return None,
            }
            at += scan::plain(&self.text[at..]);
        }
    }

    /// Reads the string literal that began at `start`, from its first escape to its closing quote, over itself.
    /// Returns its end.
    fn unescape(&mut self, start: usize) -> Result<usize, Error> {
        // Invariant: `end <= self.at`.
        let mut end = self.at;
        loop {
            match self.peek() {
                b'"' => return Ok(end),
                b'\\' => end = self.escape(start, end)?,
                _ => return Err(self.syntax()),
            }
            let mut plain = self.at;
            self.at += scan::plain(&self.text[plain..]);
            if let [0xED, second @ 0xB0..=0xBF, third, ..] = self.text[plain..self.at] {
                end = self.write_unit(start, end, surrogate(second, third));
                plain += 3;
            }
            self.text.copy_within(plain..self.at, end);
            end += self.at - plain;
        }
    }

    /// Reads one escape onto the end of the string `start..end` and returns the new end.
    #[inline]
    fn escape(&mut self, start: usize, end: usize) -> Result<usize, Error> {
        self.at += 1;
        let byte = match self.peek() {
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.at += 1;
                let mut unit = 0;
                for _ in 0..4 {
                    let Some(digit) = char::from(self.peek()).to_digit(16) else { return Err(self.syntax()) };
                    unit = unit << 4 | digit;
                    self.at += 1;
                }
                return Ok(self.write_unit(start, end, unit));
            }
            _ => return Err(self.syntax()),
        };
        self.text[end] = byte;
        self.at += 1;
        Ok(end + 1)
    }

    /// Writes a code unit onto the end of the string `start..end`, joining a low surrogate with a high one before it,
    /// and returns the new end.
    fn write_unit(&mut self, start: usize, mut end: usize, unit: u32) -> usize {
        let code = match (unit, &self.text[start..end]) {
            (0xDC00..=0xDFFF, &[.., 0xED, second @ 0xA0..=0xAF, third]) => {
                end -= 3;
                0x1_0000 + ((surrogate(second, third) - 0xD800) << 10) + (unit - 0xDC00)
            }
            _ => unit,
        };
        let mut utf8 = [0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8, 0];
        let len = char::from_u32(code).map_or(3, |character| character.encode_utf8(&mut utf8).len());
        self.text[end..end + len].copy_from_slice(&utf8[..len]);
        end + len
    }

    fn number(&mut self) -> Result<f64, Error> {
        let start = self.at;
        let is_negative = self.peek() == b'-';
        self.at += usize::from(is_negative);
        let mut mantissa = 0;
        let mut digits = 1;
        if self.peek() == b'0' {
            self.at += 1;
        } else {
            digits = self.digits(&mut mantissa)?;
        }
        let mut exponent: i32 = 0;
        if self.peek() == b'.' {
            self.at += 1;
            let fraction = self.digits(&mut mantissa)?;
            digits += fraction;
            exponent = -i32::try_from(fraction).unwrap_or(i32::MAX);
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            let is_small = self.peek() == b'-';
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            let mut power = 0;
            // Beyond four digits the fast path is out of the question.
            if self.digits(&mut power)? > 4 {
                power = 9999;
            }
            let power = power as i32;
            exponent = exponent.saturating_add(if is_small { -power } else { power });
        }
        // Exact when both operands are: one rounding (Clinger 1990).
        let magnitude = if digits <= MAX_DIGITS && mantissa <= 1 << 53 && exponent.unsigned_abs() <= 22 {
            #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
            let mantissa = mantissa as f64;
            let power = POWERS[exponent.unsigned_abs() as usize];
            if exponent < 0 { mantissa / power } else { mantissa * power }
        } else {
            let literal = &self.text[start + usize::from(is_negative)..self.at];
            str::from_utf8(literal)
                .ok()
                .and_then(|literal| literal.parse().ok())
                .ok_or_else(|| self.syntax())?
        };
        Ok(if is_negative { -magnitude } else { magnitude })
    }

    /// Reads one or more digits onto `value`, which is meaningless beyond [`MAX_DIGITS`], and returns their number.
    #[inline]
    fn digits(&mut self, value: &mut u64) -> Result<usize, Error> {
        let start = self.at;
        while let digit @ b'0'..=b'9' = self.peek() {
            *value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == start { Err(self.syntax()) } else { Ok(self.at - start) }
    }

    #[cold]
    fn syntax(&self) -> Error {
        Error::new(ErrorKind::Syntax).at_offset(self.at)
    }

    /// The pointer to the value that is about to be read.
    #[cold]
    fn pointer(&self) -> Result<String, Error> {
        let mut out = Vec::new();
        let ends = self.open.iter().skip(1).map(|open| (open.node, open.members as usize));
        for (open, (child, members)) in
            self.open.iter().zip(ends.chain([(self.nodes.len() as NodeId, self.members.len())]))
        {
            if open.is_object {
                let name =
                    self.members[..members].last().map_or(&[][..], |last| self.bytes(last.start, last.len));
                pointer::push_name(name, &mut out)?;
            } else {
                let sibling = |id: &NodeId| self.nodes.get(*id as usize).map(|node| node.next);
                let before =
                    std::iter::successors(Some(open.node + 1), sibling).take_while(|&id| id != child);
                pointer::push_index(before.count(), &mut out)?;
            }
        }
        Ok(wtf8::into_string(out))
    }
}

/// Whether `\u00` and these digits are how canonical text escapes a control character.
// RFC 8785 §3.2.2.2: in lower case, and only those that have no escape of two characters.
const fn is_control_escape(high: u8, low: u8) -> bool {
    matches!((high, low), (b'0', b'0'..=b'7' | b'b' | b'e' | b'f') | (b'1', b'0'..=b'9' | b'a'..=b'f'))
}

/// A decimal number of this many digits fits `u64`.
const MAX_DIGITS: usize = 19;

/// The powers of ten that are doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The surrogate that WTF-8 writes as ED and these two bytes.
const fn surrogate(second: u8, third: u8) -> u32 {
    0xD000 | ((second as u32 & 0x3F) << 6) | (third as u32 & 0x3F)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// The document as a text that shows order, kinds, bits and bytes.
    fn shown(text: &[u8]) -> Result<String, Error> {
        fn show(doc: &Doc, id: NodeId, out: &mut String) {
            let node = doc.node(id);
            if let Key::Literal { start, len } = node.key {
                let _ = write!(out, "{}:", doc.text(start, len).escape_ascii());
            }
            match node.kind {
                Kind::Number(number) => drop(write!(out, "{number:?}")),
                Kind::String(Text::Bytes { start, len }) => {
                    let _ = write!(out, "\"{}\"", doc.text(start, len).escape_ascii());
                }
                Kind::Array | Kind::Object => {
                    let (open, close) = if node.kind == Kind::Array { ('[', ']') } else { ('{', '}') };
                    out.push(open);
                    doc.children(id).for_each(|child| {
                        show(doc, child, out);
                        out.push(' ');
                    });
                    out.push(close);
                }
                other => drop(write!(out, "{other:?}")),
            }
        }
        let mut doc = Doc::default();
        read(text, &mut doc)?;
        let mut out = String::new();
        show(&doc, 0, &mut out);
        Ok(out)
    }

    #[test]
    fn reads_what_json_parse_reads() {
        for (name, text, expected) in [
            ("white space", &b" \t\r\n[ 1 , { } ,[ ] ]\n"[..], "[1.0 {} [] ]"),
            ("words", b"[null,true,false]", "[Null Bool(true) Bool(false) ]"),
            ("negative zero", b"-0", "-0.0"),
            ("beyond 2^53", b"9007199254740993", "9007199254740992.0"),
            ("beyond u64", b"100000000000000000000000000", "1e26"),
            (
                "a hard half",
                b"0.500000000000000166533453693773481063544750213623046875",
                "0.5000000000000002",
            ),
            ("smallest", b"5e-324", "5e-324"),
            ("too small", b"1E-400", "0.0"),
            ("too large", b"[1e400,-1e99999999999999999999]", "[inf -inf ]"),
            ("escapes", br#""\"\\\/\b\f\n\r\t\u0041\u00e9""#, r#""\"\\/\x08\x0c\n\r\tA\xc3\xa9""#),
            ("escaped pair", br#""a\ud83d\uDE00b""#, r#""a\xf0\x9f\x98\x80b""#),
            ("escaped, then raw half", b"\"\\ud83d\xED\xB8\x80b\"", r#""\xf0\x9f\x98\x80b""#),
            ("raw, then escaped half", b"\"\xED\xA0\xBD\\ude00b\"", r#""\xf0\x9f\x98\x80b""#),
            (
                "halves apart",
                br#"["\ude00\ud83d","\ud83dx\ude00"]"#,
                r#"["\xed\xb8\x80\xed\xa0\xbd" "\xed\xa0\xbdx\xed\xb8\x80" ]"#,
            ),
            ("a half ends a string", br#"["\ud83d","\ude00"]"#, r#"["\xed\xa0\xbd" "\xed\xb8\x80" ]"#),
            ("last value, first place", br#"{"a":[1],"b":2,"\u0061":{"c":3}}"#, "{a:{c:3.0 } b:2.0 }"),
            (
                "indices first",
                br#"{"b":0,"10":1,"4294967295":2,"9":3,"01":4}"#,
                "{9:3.0 10:1.0 b:0.0 4294967295:2.0 01:4.0 }",
            ),
            (
                "nested",
                br#"[{"x":{"1":[1,2],"0":{"y":0,"y":[]}},"x":{"3":{"b":1,"a":1},"2":4}},5]"#,
                "[{x:{2:4.0 3:{b:1.0 a:1.0 } } } 5.0 ]",
            ),
            ("__proto__", br#"{"a":1,"__proto__":{"a":2},"__proto__":3}"#, "{a:1.0 __proto__:3.0 }"),
        ] {
            assert_eq!(shown(text).as_deref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn leaves_strings_that_are_canonical_as_they_stand() {
        for (text, expected) in [
            (r#"["plain é"]"#, Some("plain é")),
            (r#"["\b\f\n\r\t\"\\ \u0000\u001f\u000b"]"#, Some(r#"\b\f\n\r\t\"\\ \u0000\u001f\u000b"#)),
            (r#"{"a":1,"a":["x\ny"],"0":0}"#, Some("x\\ny")),
            (r#"["a\/b"]"#, None),
            (r#"["\u0041"]"#, None),
            (r#"["\u000A"]"#, None),
            (r#"["\u000a"]"#, None),
            (r#"["\u001F"]"#, None),
            (r#"["\n\ud800"]"#, None),
        ] {
            let read = read_verbatim(text.into());
            let found = read.as_ref().ok().and_then(|(doc, verbatim)| {
                let id = verbatim.iter().position(|&is_verbatim| is_verbatim)?;
                match doc.nodes[id].kind {
                    Kind::String(Text::Bytes { start, len }) => str::from_utf8(doc.text(start, len)).ok(),
                    _ => None,
                }
            });
            assert_eq!(found, expected, "{text}");
            assert!(read.is_ok_and(|(doc, verbatim)| doc.nodes.len() == verbatim.len()));
        }
        assert!(read_verbatim(r#"["\n"#.into()).is_err_and(|error| error.offset() == Some(4)));
    }

    #[test]
    fn finds_a_duplicate_among_many_members() {
        for count in [2, 15, 16, 17, 18, 100] {
            let members: Vec<_> = (0..count).map(|at| format!("\"key-{at}-of-many\":{at}")).collect();
            let text = format!("{{{},\"key-1-of-many\":-1}}", members.join(","));
            let shown = shown(text.as_bytes()).unwrap_or_default();
            assert!(shown.contains(" key-1-of-many:-1.0 "), "{shown}");
            assert_eq!(shown.matches(" key-1-of-many:").count(), 1);
        }
    }

    #[test]
    fn refuses_what_json_parse_refuses_and_says_where() {
        for (text, offset) in [
            (&b""[..], 0),
            (b" ", 1),
            (b"\xEF\xBB\xBF1", 0),
            (b"\xC2\xA01", 0),
            (b"\x0b1", 0),
            (b"[1,]", 3),
            (b"[1 2]", 3),
            (b"[,1]", 1),
            (b"[1}", 2),
            (b"{\"a\":1]", 6),
            (b"{\"a\":1,}", 7),
            (b"{\"a\" 1}", 5),
            (b"{a:1}", 1),
            (b"{1:1}", 1),
            (b"{", 1),
            (b"[", 1),
            (b"1 1", 2),
            (b"01", 1),
            (b"+1", 0),
            (b".5", 0),
            (b"1.", 2),
            (b"1.e1", 2),
            (b"1e", 2),
            (b"1e+", 3),
            (b"-", 1),
            (b"-a", 1),
            (b"NaN", 0),
            (b"nul", 3),
            (b"nullx", 4),
            (b"True", 0),
            (b"\"", 1),
            (b"\"a\x1f\"", 2),
            (b"\"\\x\"", 2),
            (b"\"\\", 2),
            (b"\"\\u12g4\"", 5),
            (b"\"\\u123", 6),
            (b"\"\\n", 3),
            (b"'a'", 0),
            (b"\0", 0),
            (b"1\0", 1),
        ] {
            let expected = Error::new(ErrorKind::Syntax).at_offset(offset);
            assert_eq!(shown(text), Err(expected), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn bounds_depth_and_points_at_the_container_beyond_it() {
        let nested = |depth| [vec![b'['; depth], vec![b']'; depth]].concat();
        let mut doc = Doc::default();
        assert_eq!(read(&nested(MAX_DEPTH), &mut doc), Ok(()));
        assert_eq!(doc.nodes.len(), MAX_DEPTH);
        let pointer = format!("/a/2{}", "/0".repeat(MAX_DEPTH - 2));
        let text = [br#"{"b":[],"a":[[3],{"c":4},"#, &nested(1_000_000)[..], b"]}"].concat();
        assert_eq!(read(&text, &mut doc), Err(Error::new(ErrorKind::Depth).at_pointer(pointer)));
        assert!(doc.nodes.is_empty());
    }

    #[test]
    fn tells_where_bytes_are_not_utf8() {
        assert_eq!(utf8("é".as_bytes()), Ok("é"));
        assert_eq!(utf8(b"ab\xED\xA0\x80"), Err(Error::new(ErrorKind::Utf8).at_offset(2)));
    }
}
