//! RFC 8785 text: escapes, member names and the sink that writes normalized text as JSON.

use crate::digest::Sha256;
use crate::text::{Sink, wtf8};

/// From this many bytes on, a hashed text is handed to SHA-256 and forgotten: it stays in the first-level cache.
const FLUSH_BYTES: usize = 16 * 1024;

/// Canonical text on its way into a digest.
#[derive(Debug)]
pub struct Output {
    text: Vec<u8>,
    sha: Sha256,
    kept: bool,
}

impl Output {
    /// Digests the text, after what `sha` has taken already, and forgets it. `buffer` lends its memory.
    pub fn new(mut buffer: Vec<u8>, sha: Sha256) -> Self {
        buffer.clear();
        Self { text: buffer, sha, kept: false }
    }

    /// Keeps the text as well.
    #[must_use]
    pub fn kept(mut self) -> Self {
        self.kept = true;
        self
    }

    /// The digest, and the buffer: it holds the whole text if that was kept.
    pub fn finish(mut self) -> ([u8; 32], Vec<u8>) {
        self.sha.update(&self.text);
        (self.sha.finish(), self.text)
    }

    /// Appends text as it is.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// The end of the text so far, for additions in place.
    pub fn tail(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// The point to which [`Output::rewind`] goes back.
    pub fn mark(&self) -> usize {
        self.text.len()
    }

    /// Takes back what came after a mark. There must have been no [`Output::settle`] since.
    pub fn rewind(&mut self, mark: usize) {
        self.text.truncate(mark);
    }

    /// Says that nothing written so far will be taken back.
    #[inline]
    pub fn settle(&mut self) {
        if self.text.len() >= FLUSH_BYTES && !self.kept {
            self.sha.update(&self.text);
            self.text.clear();
        }
    }
}

/// Writes the inside of a JSON string.
impl Sink for Output {
    #[inline]
    fn block(&mut self, block: &[u16; 16], n: usize) {
        // All 16 bytes are written, and those that do not count are taken back: one store instead of a loop.
        let at = self.text.len();
        self.text.extend_from_slice(&block.map(|unit| unit as u8));
        self.text.truncate(at + n);
    }

    #[inline]
    fn unit(&mut self, unit: u16) {
        match unit {
            0..0x80 => push_ascii(unit as u8, &mut self.text),
            0x80..0x800 => {
                self.text.extend_from_slice(&[0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8])
            }
            0xd800..=0xdfff => push_hex_escape(unit, &mut self.text),
            _ => self.text.extend_from_slice(&wtf8::three_bytes(unit)),
        }
    }

    #[inline]
    fn pair(&mut self, high: u16, low: u16) {
        let code_point = 0x10000 + ((u32::from(high) & 0x3ff) << 10 | u32::from(low) & 0x3ff);
        self.text.extend_from_slice(&[
            0xf0 | (code_point >> 18) as u8,
            0x80 | (code_point >> 12 & 0x3f) as u8,
            0x80 | (code_point >> 6 & 0x3f) as u8,
            0x80 | (code_point & 0x3f) as u8,
        ]);
    }

    fn ascii(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
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

#[inline]
fn push_ascii(byte: u8, out: &mut Vec<u8>) {
    match ESCAPES[usize::from(byte & 0x7f)] {
        0 => out.push(byte),
        b'u' => push_hex_escape(byte.into(), out),
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

#[cold]
fn push_hex_escape(unit: u16, out: &mut Vec<u8>) {
    let digit = |shift: u16| b"0123456789abcdef"[usize::from(unit >> shift & 15)];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}

/// Appends UTF-16 as the inside of a JSON string.
pub fn push_units(units: &[u16], out: &mut Output) {
    let mut rest = units;
    while let [unit, after @ ..] = rest {
        match (*unit, after) {
            (high @ 0xd800..=0xdbff, [low @ 0xdc00..=0xdfff, after @ ..]) => {
                out.pair(high, *low);
                rest = after;
            }
            _ => {
                out.unit(*unit);
                rest = after;
            }
        }
    }
}

/// Appends WTF-8 as the inside of a JSON string.
pub fn push_escaped(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let plain = rest.iter().position(|&byte| needs_a_look(byte)).unwrap_or(rest.len());
        if plain > 0 {
            out.extend_from_slice(&rest[..plain]);
            rest = &rest[plain..];
        } else if let [0xed, second @ 0xa0..=0xbf, third, ..] = *rest {
            push_hex_escape(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f), out);
            rest = &rest[3..];
        } else {
            if byte < 0x80 {
                push_ascii(byte, out)
            } else {
                out.push(byte)
            }
            rest = &rest[1..];
        }
    }
}

/// Whether a byte may start something that is escaped.
#[inline]
fn needs_a_look(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\' || byte == 0xed
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

            let mut output = Output::new(Vec::new(), Sha256::new());
            for decoded in text.chars() {
                match *decoded.encode_utf16(&mut [0; 2]) {
                    [unit] => output.unit(unit),
                    [high, low] => output.pair(high, low),
                    _ => unreachable!(),
                }
            }
            assert_eq!(String::from_utf8_lossy(&output.finish().1), expected);
        }
    }

    #[test]
    fn lone_surrogates_are_escaped_in_lower_case() {
        for unit in [0xd800, 0xdbff, 0xdc00, 0xdfff] {
            let mut wtf8 = Vec::new();
            wtf8::push(&[unit], &mut wtf8);
            let mut out = Vec::new();
            push_escaped(&wtf8, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), format!("\\u{unit:x}"));
            let mut output = Output::new(Vec::new(), Sha256::new());
            output.unit(unit);
            assert_eq!(output.finish().1, out);
        }
    }
}
