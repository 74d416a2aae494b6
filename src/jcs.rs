//! RFC 8785 text: escapes, member names and the sink that writes normalized text as JSON.

use std::mem;

use crate::digest::Sha256;
use crate::error::Error;
use crate::json::scan;
use crate::memory;
use crate::text::{BLOCK, Sink, narrow, wtf8};

/// From this many bytes on, a hashed text is handed to SHA-256 and forgotten: it stays in the first-level cache.
const FLUSH_BYTES: usize = 16 * 1024;

/// Canonical text on its way into a digest.
#[derive(Debug)]
pub struct Output {
    /// The text, then memory to write to.
    buffer: Vec<u8>,
    // Invariant: `end <= buffer.len()`.
    end: usize,
    /// For writers that want a vector of their own.
    aside: Vec<u8>,
    sha: Sha256,
    kept: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self { buffer: Vec::new(), end: 0, aside: Vec::new(), sha: Sha256::new(), kept: false }
    }
}

impl Output {
    /// Begins a text, which is digested after what `sha` has taken already. Only a text that is `kept` can be had.
    pub fn begin(&mut self, sha: Sha256, kept: bool) {
        self.end = 0;
        self.sha = sha;
        self.kept = kept;
    }

    /// The digest of the text. The next text has to [`begin`](Self::begin).
    pub fn digest(&mut self) -> [u8; 32] {
        self.sha.update(&self.buffer[..self.end]);
        mem::take(&mut self.sha).finish()
    }

    /// The text, if it is kept.
    pub fn text(&self) -> &[u8] {
        &self.buffer[..self.end]
    }

    /// Gives back memory beyond `max_bytes`.
    pub(crate) fn shrink(&mut self, max_bytes: usize) {
        if self.buffer.capacity() > max_bytes || self.aside.capacity() > max_bytes {
            *self = Self::default();
        }
    }

    /// Makes room for so many bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
    #[inline]
    pub(crate) fn room(&mut self, bytes: usize) -> Result<(), Error> {
        let end = self.end + bytes;
        if end <= self.buffer.capacity() { Ok(()) } else { self.more_room(end) }
    }

    #[cold]
    fn more_room(&mut self, end: usize) -> Result<(), Error> {
        let more = end - self.buffer.len();
        memory::room(&mut self.buffer, more)
    }

    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// Appends text as it is.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        let end = self.end + text.len();
        if end > self.buffer.len() {
            grow(&mut self.buffer, end);
        }
        copy(text, &mut self.buffer[self.end..end]);
        self.end = end;
    }

    /// Appends a string in which nothing is escaped, in its quotes.
    #[inline]
    pub fn push_quoted(&mut self, text: &[u8]) {
        let end = self.end + text.len() + 2;
        if end > self.buffer.len() {
            grow(&mut self.buffer, end);
        }
        if let [open, inside @ .., close] = &mut self.buffer[self.end..end] {
            *open = b'"';
            copy(text, inside);
            *close = b'"';
        }
        self.end = end;
    }

    /// Likewise, a string of the first `len` bytes of a block.
    #[inline]
    pub fn push_quoted_block(&mut self, block: &[u8; BLOCK], len: usize) {
        let most = self.end + BLOCK + 2;
        if most > self.buffer.len() {
            grow(&mut self.buffer, most);
        }
        if let [open, inside @ .., _] = &mut self.buffer[self.end..most] {
            *open = b'"';
            inside.copy_from_slice(block);
        }
        self.buffer[self.end + 1 + len] = b'"';
        self.end += len + 2;
    }

    /// Appends what `write` appends to a vector.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut aside = mem::take(&mut self.aside);
        aside.clear();
        write(&mut aside);
        self.push(&aside);
        self.aside = aside;
    }

    /// A sink for the inside of one JSON string.
    #[inline]
    pub fn escaper(&mut self) -> Escaper<'_> {
        Escaper { at: self.end, buffer: &mut self.buffer, end: &mut self.end }
    }

    /// Says that a piece is complete: from some size on it is digested while it is in the first-level cache.
    #[inline]
    pub fn settle(&mut self) {
        if self.end >= FLUSH_BYTES && !self.kept {
            self.sha.update(&self.buffer[..self.end]);
            self.end = 0;
        }
    }
}

/// Copies a text to a place of its length. Nearly all are short: two moves that may overlap, instead of a call.
#[inline]
fn copy(from: &[u8], to: &mut [u8]) {
    fn ends<const N: usize>(from: &[u8], to: &mut [u8]) -> Option<()> {
        *to.first_chunk_mut()? = *from.first_chunk::<N>()?;
        *to.last_chunk_mut()? = *from.last_chunk::<N>()?;
        Some(())
    }
    let copied = match from.len() {
        ..4 => None,
        4..8 => ends::<4>(from, to),
        8..16 => ends::<8>(from, to),
        16..=32 => ends::<16>(from, to),
        _ => {
            to.copy_from_slice(from);
            return;
        }
    };
    if copied.is_none() {
        from.iter().zip(to).for_each(|(from, to)| *to = *from);
    }
}

#[cold]
fn grow(buffer: &mut Vec<u8>, len: usize) {
    let most = if len <= buffer.capacity() { buffer.capacity() } else { usize::MAX };
    buffer.resize(len.max(2 * buffer.len()).max(1024).min(most), 0);
}

/// Writes the inside of a JSON string.
#[derive(Debug)]
pub struct Escaper<'a> {
    buffer: &'a mut Vec<u8>,
    end: &'a mut usize,
    at: usize,
}

impl Escaper<'_> {
    /// Writes all of `bytes`, of which the first `n` count.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N], n: usize) {
        if self.buffer.len() < self.at + N {
            grow(self.buffer, self.at + N);
        }
        if let Some(place) = self.buffer.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut) {
            *place = bytes;
        }
        self.at += n;
    }
}

impl Sink for Escaper<'_> {
    #[inline(always)]
    fn block(&mut self, block: &[u16; 16], n: usize) {
        self.put(narrow(block), n);
    }

    #[inline(always)]
    fn unit(&mut self, unit: u16) {
        match unit {
            0..0x80 => match ESCAPES[usize::from(unit)] {
                0 => self.put([unit as u8], 1),
                b'u' => self.put(hex_escape(unit), 6),
                letter => self.put([b'\\', letter], 2),
            },
            0x80..0x800 => self.put([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8], 2),
            0xd800..=0xdfff => self.put(hex_escape(unit), 6),
            _ => self.put(wtf8::three_bytes(unit), 3),
        }
    }

    #[inline]
    fn pair(&mut self, high: u16, low: u16) {
        let code_point = 0x10000 + ((u32::from(high) & 0x3ff) << 10 | u32::from(low) & 0x3ff);
        let bytes = [
            0xf0 | (code_point >> 18) as u8,
            0x80 | (code_point >> 12 & 0x3f) as u8,
            0x80 | (code_point >> 6 & 0x3f) as u8,
            0x80 | (code_point & 0x3f) as u8,
        ];
        self.put(bytes, 4);
    }

    #[inline]
    fn finish(self) {
        *self.end = self.at;
    }
}

/// The letter of each two-character escape; `u` for the other controls, 0 for what stands as it is.
// RFC 8785 §3.2.2.2
static ESCAPES: [u8; 128] = {
    let mut table = [0; 128];
    let mut control = 0;
    while control < 0x20 {
        table[control] = b'u';
        control += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0a] = b'n';
    table[0x0c] = b'f';
    table[0x0d] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

fn hex_escape(unit: u16) -> [u8; 6] {
    let digit = |shift: u16| b"0123456789abcdef"[usize::from(unit >> shift & 15)];
    [b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]
}

/// Appends UTF-16 as the inside of a JSON string.
pub fn push_units(units: &[u16], out: &mut Output) {
    let mut escaper = out.escaper();
    let mut rest = units;
    while let Some((&unit, mut after)) = rest.split_first() {
        if let (0xd800..=0xdbff, [low @ 0xdc00..=0xdfff, behind @ ..]) = (unit, after) {
            escaper.pair(unit, *low);
            after = behind;
        } else {
            escaper.unit(unit);
        }
        rest = after;
    }
    escaper.finish();
}

/// Gives WTF-8 as the inside of a JSON string, piece by piece.
#[inline]
pub fn escape(text: &[u8], mut push: impl FnMut(&[u8])) {
    let mut rest = text;
    loop {
        let (plain, special) = rest.split_at(scan::canonical(rest));
        push(plain);
        rest = match *special {
            [] => return,
            [0xed, second @ 0xa0..=0xbf, third, ref rest @ ..] => {
                push(&hex_escape(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f)));
                rest
            }
            [byte, ref rest @ ..] => {
                match ESCAPES.get(usize::from(byte)) {
                    Some(b'u') => push(&hex_escape(byte.into())),
                    Some(&letter) => push(&[b'\\', letter]),
                    // U+D000 to U+D7FF begin with 0xed as surrogates do.
                    None => push(&[byte]),
                }
                rest
            }
        };
    }
}

/// From this length on, what has to be escaped is counted: until then there may be room for six bytes a unit.
const LONG: usize = 1 << 12;

/// The most bytes that UTF-16 takes as the inside of a JSON string.
#[inline]
pub(crate) fn most_of_units(units: &[u16]) -> usize {
    let six = |unit: &&u16| matches!(**unit, 0..0x20 | 0xd800..=0xdfff);
    if units.len() < LONG { 6 * units.len() } else { 3 * (units.len() + units.iter().filter(six).count()) }
}

/// The most bytes that WTF-8 takes as the inside of a JSON string.
#[inline]
pub(crate) fn most_of(text: &[u8]) -> usize {
    let long = |byte: &&u8| matches!(**byte, 0..0x20 | b'"' | b'\\' | 0xed);
    if text.len() < LONG { 6 * text.len() } else { text.len() + 5 * text.iter().filter(long).count() }
}

/// Appends WTF-8 as the inside of a JSON string.
pub fn push_escaped(text: &[u8], out: &mut Vec<u8>) {
    escape(text, |piece| out.extend_from_slice(piece));
}

/// Appends WTF-8 as a JSON string.
pub fn push_string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    push_escaped(text, out);
    out.push(b'"');
}

/// Appends a member's name and its colon.
pub fn push_member_name(key: &[u8], out: &mut Vec<u8>) {
    push_string(key, out);
    out.push(b':');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("plain é 😀 \u{7f}\u{2028}/", "plain é 😀 \u{7f}\u{2028}/"),
            ("\u{8}\t\n\u{c}\r\"\\", "\\b\\t\\n\\f\\r\\\"\\\\"),
            ("\0\u{1f}\u{b}", "\\u0000\\u001f\\u000b"),
            ("\u{d7ff}", "\u{d7ff}"),
        ] {
            let mut out = Vec::new();
            push_escaped(text.as_bytes(), &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected);

            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(String::from_utf8_lossy(&escaped(&units)), expected);
        }
    }

    fn escaped(units: &[u16]) -> Vec<u8> {
        let mut output = Output::default();
        push_units(units, &mut output);
        output.text().to_vec()
    }

    #[test]
    fn lone_surrogates_are_escaped_in_lower_case() {
        for unit in [0xd800, 0xdbff, 0xdc00, 0xdfff] {
            let mut wtf8 = Vec::new();
            assert_eq!(wtf8::push(&[unit], &mut wtf8), Ok(()));
            let mut out = Vec::new();
            push_escaped(&wtf8, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), format!("\\u{unit:x}"));
            assert_eq!(escaped(&[unit]), out);
        }
    }
}
