//! WTF-8: UTF-8 that can also hold lone surrogates, three bytes each. Pairs are always one character of four bytes.

use std::cmp::Ordering;

use crate::error::Error;
use crate::memory;

/// Appends UTF-16 as WTF-8.
///
/// # Errors
/// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
pub fn push(units: &[u16], out: &mut Vec<u8>) -> Result<(), Error> {
    const BLOCK: usize = 32;
    let mut rest = units;
    while !rest.is_empty() {
        // All that may be ASCII, and one block, and the unit behind it, that may be three times as long.
        memory::room(out, rest.len() + 2 * BLOCK + 4)?;
        let (blocks, _) = rest.as_chunks::<BLOCK>();
        let is_ascii = |block: &&[u16; BLOCK]| block.iter().fold(0, |all, unit| all | unit) < 0x80;
        let ascii = blocks
            .iter()
            .take_while(is_ascii)
            .map(|block| out.extend_from_slice(&block.map(|unit| unit as u8)));
        rest = &rest[BLOCK * ascii.count()..];
        // The next block is not ASCII, or there is none: unit by unit.
        let mut at = 0;
        while at < rest.len().min(BLOCK) {
            at += push_first(&rest[at..], out);
        }
        rest = &rest[at..];
    }
    Ok(())
}

/// Appends the first character, and returns how many units it is.
#[inline]
fn push_first(units: &[u16], out: &mut Vec<u8>) -> usize {
    match *units {
        [unit @ 0..0x80, ..] => out.push(unit as u8),
        [unit @ 0x80..0x800, ..] => {
            out.extend_from_slice(&[0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]);
        }
        [high @ 0xd800..=0xdbff, low @ 0xdc00..=0xdfff, ..] => {
            let code = 0x10000 + (u32::from(high & 0x3ff) << 10 | u32::from(low & 0x3ff));
            let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
            out.extend_from_slice(&[0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]);
            return 2;
        }
        [unit, ..] => out.extend_from_slice(&three_bytes(unit)),
        [] => {}
    }
    1
}

/// The three bytes of a unit of `0x800` or more.
#[inline]
pub fn three_bytes(unit: u16) -> [u8; 3] {
    [0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]
}

/// Appends WTF-8 as UTF-16.
pub fn push_units(bytes: &[u8], out: &mut Vec<u16>) {
    out.extend(units(bytes));
}

/// The UTF-16 units of WTF-8. Bytes that are not WTF-8 give some units, but never a panic.
pub fn units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let mut rest = bytes.iter();
    let mut low = None;
    std::iter::from_fn(move || {
        if let Some(low) = low.take() {
            return Some(low);
        }
        let first = *rest.next()?;
        let mut tail = |bits: u32, n: usize| {
            rest.by_ref().take(n).fold(bits, |bits, &byte| bits << 6 | u32::from(byte & 0x3f))
        };
        let code_point = match first {
            0xf0.. => tail(u32::from(first & 7), 3),
            0xe0.. => tail(u32::from(first & 15), 2),
            0xc0.. => tail(u32::from(first & 31), 1),
            _ => u32::from(first),
        };
        match code_point.checked_sub(0x10000) {
            Some(offset) => {
                low = Some(0xdc00 | (offset & 0x3ff) as u16);
                Some(0xd800 | (offset >> 10 & 0x3ff) as u16)
            }
            None => Some(code_point as u16),
        }
    })
}

/// Turns WTF-8 into UTF-8: U+FFFD, which is as long, for each lone surrogate.
pub fn make_well_formed(text: &mut [u8]) {
    for at in 0..text.len() {
        if text[at] == 0xed && text.get(at + 1).is_some_and(|&next| next >= 0xa0) {
            text[at..].iter_mut().zip("\u{fffd}".bytes()).for_each(|(byte, new)| *byte = new);
        }
    }
}

/// WTF-8 as a string, in the same memory: each lone surrogate becomes U+FFFD, as in `String.prototype.toWellFormed`.
pub fn into_string(mut text: Vec<u8>) -> String {
    make_well_formed(&mut text);
    String::from_utf8(text).unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned())
}

/// The order of UTF-16 units, as RFC 8785 §3.2.3 sorts keys.
///
/// Byte order is the same but where surrogates and U+E000 to U+FFFF meet.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let Some((x, y)) = a.iter().zip(b).find(|(x, y)| x != y) else { return a.len().cmp(&b.len()) };
    if *x < 0xed || *y < 0xed { x.cmp(y) } else { units(a).cmp(units(b)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wtf8(units: &[u16]) -> Vec<u8> {
        let mut out = Vec::new();
        assert_eq!(push(units, &mut out), Ok(()));
        out
    }

    #[test]
    fn every_unit_survives_the_round_trip() {
        let all: Vec<u16> = (0..=u16::MAX).rev().chain(0..=u16::MAX).collect();
        assert!(units(&wtf8(&all)).eq(all));
    }

    #[test]
    fn pairs_are_one_character_wherever_they_are() {
        for at in 0..100 {
            let text = format!("{}é😀{}", "a".repeat(at), "b".repeat(70));
            assert_eq!(wtf8(&text.encode_utf16().collect::<Vec<_>>()), text.as_bytes());
        }
    }

    #[test]
    fn compares_as_utf16() {
        let texts: Vec<Vec<u16>> =
            ["", "a", "a\0", "é", "\u{d7ff}", "\u{e000}", "\u{fb33}", "\u{ffff}", "😀", "😁"]
                .iter()
                .map(|text| text.encode_utf16().collect())
                .chain([vec![0xd83d], vec![0xdc00], vec![0xd83d, 0x61], vec![0xd83d, 0xe000]])
                .collect();
        for a in &texts {
            for b in &texts {
                assert_eq!(compare(&wtf8(a), &wtf8(b)), a.cmp(b), "{a:x?} {b:x?}");
            }
        }
    }
}
