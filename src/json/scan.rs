//! Finds the bytes of a JSON string that cannot stand for themselves.

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The length of the longest prefix without `"`, `\` and control characters (below U+0020).
#[inline]
pub fn plain(bytes: &[u8]) -> usize {
    prefix::<false>(bytes)
}

/// As [`plain`], and without ED, with which WTF-8 begins a lone surrogate (and U+D000 to U+D7FF).
#[inline]
pub fn canonical(bytes: &[u8]) -> usize {
    prefix::<true>(bytes)
}

/// Short strings are decided a word at a time; from there on blocks that a compiler turns into vector code.
#[inline]
fn prefix<const ED: bool>(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let mut at = 0;
    let mut words = 0;
    while let Some(word) = word(bytes, at) {
        let found = special::<ED>(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        words += 1;
        if words == 3 {
            let (blocks, _) = bytes[at..].as_chunks::<BLOCK>();
            let is_plain =
                |block: &&[u8; BLOCK]| !block.iter().fold(false, |any, &b| any | is_special::<ED>(b));
            at += BLOCK * blocks.iter().take_while(is_plain).count();
        }
    }
    at + bytes[at..].iter().take_while(|&&b| !is_special::<ED>(b)).count()
}

#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches it becomes vector code")]
const fn is_special<const ED: bool>(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < 0x20) | (ED & (byte == 0xED))
}

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The high bit of each special byte. A borrow can mark bytes after a special one, never before the first.
#[inline]
const fn special<const ED: bool>(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let found = (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(ONES * 0x20) & !word);
    if ED {
        let ed = word ^ (ONES * 0xED);
        (found | ed.wrapping_sub(ONES) & !ed) & HIGHS
    } else {
        found & HIGHS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_at_the_first_special_byte_at_every_length_and_place() {
        for special in [b'"', b'\\', 0x00, 0x0a, 0x1f, 0xed] {
            for length in 0..140 {
                let mut bytes = vec![b'a'; length];
                assert_eq!(plain(&bytes), length);
                for place in 0..length {
                    bytes[place] = special;
                    let plain_len = if special == 0xed { length } else { place };
                    assert_eq!(plain(&bytes), plain_len, "{special:#x} at {place} of {length}");
                    assert_eq!(canonical(&bytes), place, "{special:#x} at {place} of {length}");
                    bytes[place] = b'a';
                }
            }
        }
    }

    #[test]
    fn every_other_byte_is_plain() {
        for byte in (0x20..=0xff).filter(|b| !b"\"\\".contains(b)) {
            assert_eq!(plain(&[byte; 77]), 77, "{byte:#x}");
            assert_eq!(canonical(&[byte; 77]), if byte == 0xed { 0 } else { 77 }, "{byte:#x}");
        }
    }
}
