//! WTF-8: UTF-8 that can also hold lone surrogates, three bytes each. Pairs are always one character of four bytes.

use std::cmp::Ordering;

/// Appends UTF-16 as WTF-8.
pub fn push(units: &[u16], out: &mut Vec<u8>) {
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(lone) => out.extend_from_slice(&three_bytes(lone.unpaired_surrogate())),
        }
    }
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
        push(units, &mut out);
        out
    }

    #[test]
    fn every_unit_survives_the_round_trip() {
        let all: Vec<u16> = (0..=u16::MAX).rev().chain(0..=u16::MAX).collect();
        assert!(units(&wtf8(&all)).eq(all));
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
