//! Finds the bytes of a JSON string that cannot stand for themselves.

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The length of the longest prefix without `"`, `\` and control characters (below U+0020).
///
/// Short strings are decided a word at a time; from there on blocks that a compiler turns into vector code.
#[inline]
pub fn plain(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let mut at = 0;
    let mut words = 0;
    while let Some(word) = word(bytes, at) {
        let found = special(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        words += 1;
        if words == 3 {
            let (blocks, _) = bytes[at..].as_chunks::<BLOCK>();
            at += BLOCK
                * blocks
                    .iter()
                    .take_while(|block| !block.iter().fold(false, |any, &b| any | is_special(b)))
                    .count();
        }
    }
    at + bytes[at..].iter().take_while(|&&b| !is_special(b)).count()
}

#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches it becomes vector code")]
const fn is_special(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < 0x20)
}

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The high bit of each special byte. A borrow can mark bytes after a special one, never before the first.
#[inline]
const fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    ((quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(ONES * 0x20) & !word))
        & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_at_the_first_special_byte_at_every_length_and_place() {
        for special in [b'"', b'\\', 0x00, 0x0a, 0x1f] {
            for length in 0..140 {
                let mut bytes = vec![b'a'; length];
                assert_eq!(plain(&bytes), length);
                for place in 0..length {
                    bytes[place] = special;
                    assert_eq!(plain(&bytes), place, "{special:#x} at {place} of {length}");
                    bytes[place] = b'a';
                }
            }
        }
    }

    #[test]
    fn every_other_byte_is_plain() {
        for byte in (0x20..=0xff).filter(|b| !b"\"\\".contains(b)) {
            assert_eq!(plain(&[byte; 77]), 77, "{byte:#x}");
        }
    }
}
