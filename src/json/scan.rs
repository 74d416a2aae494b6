//! Finds the bytes of a JSON string that cannot stand for themselves.
//!
//! The vector form and the scalar form find the same; the cargo feature `force-scalar` picks the scalar one.

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

#[inline]
const fn is_special<const ED: bool>(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20 || ED && byte == 0xED
}

#[cfg(all(target_arch = "x86_64", not(feature = "force-scalar")))]
use sse2::prefix;

#[cfg(any(not(target_arch = "x86_64"), feature = "force-scalar"))]
use scalar::prefix;

/// A word at a time.
#[cfg(any(not(target_arch = "x86_64"), feature = "force-scalar", test))]
mod scalar {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

    #[inline]
    pub(super) fn prefix<const ED: bool>(bytes: &[u8]) -> usize {
        let (words, rest) = bytes.as_chunks();
        for (index, word) in words.iter().enumerate() {
            let found = special::<ED>(u64::from_le_bytes(*word));
            if found != 0 {
                return index * 8 + (found.trailing_zeros() / 8) as usize;
            }
        }
        bytes.len() - rest.len() + rest.iter().take_while(|&&byte| !super::is_special::<ED>(byte)).count()
    }

    /// The high bit of each special byte. A borrow can mark bytes after a special one, never before the first.
    #[inline]
    const fn special<const ED: bool>(word: u64) -> u64 {
        let found = zeros(word ^ (ONES * b'"' as u64))
            | zeros(word ^ (ONES * b'\\' as u64))
            | (word.wrapping_sub(ONES * 0x20) & !word);
        HIGHS & if ED { found | zeros(word ^ (ONES * 0xED)) } else { found }
    }

    /// The high bit of each zero byte.
    #[inline]
    const fn zeros(word: u64) -> u64 {
        word.wrapping_sub(ONES) & !word
    }
}

/// 16 bytes at a time.
#[cfg(all(target_arch = "x86_64", not(feature = "force-scalar")))]
#[expect(unsafe_code, reason = "vector loads take raw pointers")]
mod sse2 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };

    #[inline]
    pub(super) fn prefix<const ED: bool>(bytes: &[u8]) -> usize {
        let (blocks, rest) = bytes.as_chunks();
        for (index, block) in blocks.iter().enumerate() {
            // SAFETY: SSE2 is part of x86-64.
            let found = unsafe { special::<ED>(block) };
            if found != 0 {
                return index * 16 + found.trailing_zeros() as usize;
            }
        }
        bytes.len() - rest.len() + rest.iter().take_while(|&&byte| !super::is_special::<ED>(byte)).count()
    }

    /// One bit for each special byte.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn special<const ED: bool>(block: &[u8; 16]) -> i32 {
        let at: *const __m128i = block.as_ptr().cast();
        // SAFETY: a block is 16 bytes, and this load needs no alignment.
        let bytes = unsafe { _mm_loadu_si128(at) };
        let is = |byte: u8| _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed()));
        let controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
        let mut found = _mm_or_si128(controls, _mm_or_si128(is(b'"'), is(b'\\')));
        if ED {
            found = _mm_or_si128(found, is(0xED));
        }
        _mm_movemask_epi8(found)
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
                    assert_eq!(
                        scalar::prefix::<false>(&bytes),
                        plain_len,
                        "{special:#x} at {place} of {length}"
                    );
                    assert_eq!(scalar::prefix::<true>(&bytes), place, "{special:#x} at {place} of {length}");
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
