//! The normalizer: one pass over the text, no copy of it.

use super::media::MIN_BARE_BASE64;
use super::nfc::{is_inert, is_inert_pair};
use super::scan::{BLOCK, Block, Classes, classes, first, narrow};
use super::sink::Sink;
use super::white_space::is_white_space;

const LF: u16 = 0x0a;
const CR: u16 = 0x0d;
const SPACE: u16 = 0x20;
const BACKTICK: u16 = 0x60;
const QUOTE: u16 = 0x22;
const BACKSLASH: u16 = 0x5c;

/// What is known of the text's Unicode normalization form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nfc {
    /// Nothing: stop at the first code point that is not surely inert.
    Unknown,
    /// The text is in NFC.
    Done,
}

/// The text may change under NFC: normalize it, and begin again with [`Nfc::Done`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotInert;

/// Writes step 3 of T(text) to `sink`: line ends, white space outside fences, blank lines at either end.
///
/// Media is the caller's to look for first, see [`media_digest`](super::media_digest).
///
/// # Errors
/// [`NotInert`] when `nfc` is [`Nfc::Unknown`] and NFC may change the text. The sink is not finished then.
pub fn normalize<S: Sink>(text: &[u16], nfc: Nfc, sink: S) -> Result<(), NotInert> {
    let text = without_blank_tail(text);
    let mut normalizer = Normalizer { text, at: 0, fenced: false, nfc, sink };
    normalizer.run()?;
    normalizer.sink.finish();
    Ok(())
}

/// Whether T(text) is the text itself, and JSON escapes nothing in it: a quick look that says yes for most short texts.
#[inline]
pub fn is_plain(text: &[u8]) -> bool {
    let mut last = 0;
    let plain = text.iter().all(|&byte| {
        let single = byte != b' ' || last != b' ';
        last = byte;
        single && PLAIN[usize::from(byte)]
    });
    plain && last != b' ' && text.len() < MIN_BARE_BASE64 && !text.starts_with(b"data:")
}

/// The bytes of a text, the first `len` units of a block, if T(text) is the text itself and JSON escapes nothing in it.
#[inline]
pub fn plain_bytes(block: &Block, len: usize) -> Option<[u8; BLOCK]> {
    const DATA: [u16; 4] = [b'd' as u16, b'a' as u16, b't' as u16, b'a' as u16];
    let plain =
        classes(block).special_within(len) == 0 && !(block.starts_with(&DATA) && block[4] == u16::from(b':'));
    plain.then(|| narrow(block))
}

/// Printable ASCII but for `"`, `\\` and the backtick.
static PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        table[byte] = !matches!(byte as u16, QUOTE | BACKSLASH | BACKTICK);
        byte += 1;
    }
    table
};

/// The text without the blank lines at its end. White space that ends its last line stays, for inside a fence it counts.
fn without_blank_tail(text: &[u16]) -> &[u16] {
    let content = text.iter().rposition(|&unit| !is_white_space(unit)).map_or(0, |last| last + 1);
    let tail = text[content..].iter().position(|&unit| unit == LF || unit == CR);
    &text[..tail.map_or(text.len(), |line_end| content + line_end)]
}

/// 16 units of a window.
#[inline(always)]
fn piece(window: &[u16; 2 * BLOCK], from: usize) -> &Block {
    window[from..].first_chunk().unwrap_or(&[0; BLOCK])
}

struct Normalizer<'a, S> {
    text: &'a [u16],
    at: usize,
    fenced: bool,
    nfc: Nfc,
    sink: S,
}

impl<S: Sink> Normalizer<'_, S> {
    #[inline(always)]
    fn run(&mut self) -> Result<(), NotInert> {
        while let Some(window) = self.text[self.at..].first_chunk::<{ 2 * BLOCK }>() {
            self.block(window)?;
        }
        // The end, with NULs behind it. They are never plain.
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let rest = &rest[..rest.len().min(BLOCK)];
            let mut window = [0; 2 * BLOCK];
            window[..rest.len()].copy_from_slice(rest);
            let special = self.special_of(&window).1;
            let plain = first(special);
            self.sink.block(piece(&window, 0), plain);
            self.at += plain;
            if let Some(&unit) = rest.get(plain) {
                self.special(unit)?;
            }
        }
        Ok(())
    }

    /// The first block of `window`, up to what needs more than a look at itself.
    #[inline(always)]
    fn block(&mut self, window: &[u16; 2 * BLOCK]) -> Result<(), NotInert> {
        let (classes, mut special) = self.special_of(window);
        let mut from = 0;
        // Apart, so that the next block can be looked at before this one's length is known.
        if special == 0 {
            self.sink.block(piece(window, 0), BLOCK);
            self.at += BLOCK;
            return Ok(());
        }
        loop {
            let to = first(special);
            self.sink.block(piece(window, from), to - from);
            if to == BLOCK {
                self.at += BLOCK;
                return Ok(());
            }
            let unit = window[to];
            if !self.stands_alone(unit, classes, to) {
                self.at += to;
                return self.special(unit);
            }
            self.sink.unit(unit);
            from = to + 1;
            special &= special - 1;
        }
    }

    #[inline(always)]
    fn special_of(&self, window: &[u16; 2 * BLOCK]) -> (Classes, u32) {
        let classes = classes(piece(window, 0));
        (classes, if self.fenced { classes.special_in_fence() } else { classes.special(window[BLOCK]) })
    }

    /// Whether a special unit of a block is written as it is, whatever stands around it.
    #[inline(always)]
    fn stands_alone(&self, unit: u16, classes: Classes, n: usize) -> bool {
        match unit {
            LF => self.fenced || classes.text_follows(n) && self.at + n > 0,
            QUOTE | BACKSLASH => true,
            0x80..0xd800 => {
                (self.nfc == Nfc::Done || is_inert(unit)) && (self.fenced || !is_white_space(unit))
            }
            _ => false,
        }
    }

    /// The unit at `self.at`, which is not plain, and what belongs to it.
    #[inline(always)]
    fn special(&mut self, unit: u16) -> Result<(), NotInert> {
        match unit {
            0x80.. => return self.beyond_ascii(),
            BACKTICK => self.backtick(),
            0x09..=0x0d | SPACE if !self.fenced => self.gap(),
            CR => {
                self.sink.unit(LF);
                self.at += 1 + usize::from(self.peek(1) == Some(LF));
            }
            _ => {
                self.sink.unit(unit);
                self.at += 1;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn peek(&self, ahead: usize) -> Option<u16> {
        self.text.get(self.at + ahead).copied()
    }

    fn at_fence(&self) -> bool {
        self.text[self.at..].starts_with(&[BACKTICK; 3])
    }

    #[inline(always)]
    fn backtick(&mut self) {
        if self.at_fence() {
            self.fenced = !self.fenced;
            (0..3).for_each(|_| self.sink.unit(BACKTICK));
            self.at += 3;
        } else {
            self.sink.unit(BACKTICK);
            self.at += 1;
        }
    }

    /// A run of white space outside a fence. It becomes its line ends, and one space when text follows on its line.
    #[inline(always)]
    fn gap(&mut self) {
        let first = self.at == 0;
        let mut line_ends = 0_usize;
        let mut space = false;
        while let Some(unit) = self.peek(0) {
            match unit {
                LF | CR => {
                    line_ends += 1;
                    space = false;
                    self.at += usize::from(unit == CR && self.peek(1) == Some(LF));
                }
                _ if is_white_space(unit) => space = true,
                _ => break,
            }
            self.at += 1;
        }
        if self.at == self.text.len() {
            return;
        }
        // Blank lines at the start of the text go away.
        if !first {
            (0..line_ends).for_each(|_| self.sink.unit(LF));
        }
        // White space before a fence ends its piece's line, so it goes away too.
        if space && !self.at_fence() {
            self.sink.unit(SPACE);
        }
    }

    /// A run of units beyond ASCII.
    #[inline(always)]
    fn beyond_ascii(&mut self) -> Result<(), NotInert> {
        let unknown = self.nfc == Nfc::Unknown;
        while let Some(unit) = self.peek(0).filter(|&unit| unit >= 0x80) {
            if !self.fenced && is_white_space(unit) {
                self.gap();
                continue;
            }
            if let 0xd800..=0xdbff = unit
                && let Some(low @ 0xdc00..=0xdfff) = self.peek(1)
            {
                if unknown && !is_inert_pair(unit, low) {
                    return Err(NotInert);
                }
                self.sink.pair(unit, low);
                self.at += 2;
                continue;
            }
            // A lone surrogate is inert: nothing combines with it.
            if unknown && !is_inert(unit) && !matches!(unit, 0xd800..=0xdfff) {
                return Err(NotInert);
            }
            self.sink.unit(unit);
            self.at += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sink::Plain;
    use super::*;

    fn normalized(text: &str) -> Result<String, NotInert> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut plain = Vec::new();
        normalize(&units, Nfc::Unknown, Plain::new(&mut plain))?;
        Ok(String::from_utf16_lossy(&plain))
    }

    #[test]
    fn rows() {
        for (name, text, expected) in [
            ("empty", "", ""),
            ("only white space", " \t\r\n\u{3000}\n ", ""),
            ("a run is one space", "a \t\u{a0} b", "a b"),
            ("a leading run stays as one space", "   a", " a"),
            ("blank outer lines go, the first line's space stays", " \n\t\n  a\n \n", " a"),
            ("inner blank lines stay", "a\n \n\nb", "a\n\n\nb"),
            ("trailing white space goes", "a \t\nb ", "a\nb"),
            ("CR and CRLF are LF", "a\rb\r\nc\n\rd", "a\nb\nc\n\nd"),
            ("a fence stays", "x  y\n```\na  b \n```  z  z", "x y\n```\na  b \n``` z z"),
            ("a space before a fence goes", "a ```b  ```", "a```b  ```"),
            ("between two fences", "```x```   ```y```", "```x``````y```"),
            ("an open fence keeps its last line's tail", "```\na  \n  \n\n", "```\na  "),
            ("CRLF in a fence", "```a\r\n  b\r```", "```a\n  b\n```"),
            ("four backticks", "````\na  b\n````\nc  d", "````\na  b\n````\nc d"),
            ("two backticks are text", "``a  b``", "``a b``"),
            ("no white space to JavaScript", "a\u{85}\u{180e}\u{200b}", "a\u{85}\u{180e}\u{200b}"),
            (
                "space at the end of a block",
                "123456789012345 678901234567890",
                "123456789012345 678901234567890",
            ),
            ("two spaces over a block's edge", "123456789012345  78", "123456789012345 78"),
            ("space, then end of text", "123456789012345 ", "123456789012345"),
        ] {
            assert_eq!(normalized(text).as_deref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn plain_text_is_normal_already() {
        for (text, plain) in [
            ("", true),
            ("a b", true),
            (" a", true),
            ("tool_result-1/2", true),
            ("a ", false),
            ("a  b", false),
            (" ", false),
            ("a\nb", false),
            ("a\tb", false),
            ("say \"x\"", false),
            ("a\\b", false),
            ("`x`", false),
            ("é", false),
            ("\u{7f}", false),
            ("data:;base64,QUJD", false),
        ] {
            assert_eq!(is_plain(text.as_bytes()), plain, "{text:?}");
            // What stands behind it makes no difference.
            for behind in ["", " ", "x", "\"\"", "\n\n\n"] {
                let mut block = [0; BLOCK];
                block
                    .iter_mut()
                    .zip([text, behind].concat().encode_utf16())
                    .for_each(|(slot, unit)| *slot = unit);
                if let len @ ..=BLOCK = text.encode_utf16().count() {
                    let bytes = plain_bytes(&block, len);
                    // A control beyond ASCII's end stands as it is; only the look at bytes is wary of it.
                    assert_eq!(bytes.is_some(), plain || text == "\u{7f}", "{text:?}");
                    assert!(bytes.is_none_or(|bytes| bytes[..len] == *text.as_bytes()));
                }
            }
            if plain {
                assert_eq!(normalized(text).as_deref(), Ok(text));
            }
        }
        assert!(!is_plain(&[b'a'; MIN_BARE_BASE64]));
    }

    #[test]
    fn stops_where_nfc_may_change_the_text() {
        for text in ["e\u{301}", "\u{1fef}", "\u{ac00}\u{11a8}", "plain text, then \u{2126}", "\u{1d15e}"] {
            assert_eq!(normalized(text), Err(NotInert), "{text:?}");
        }
    }
}
