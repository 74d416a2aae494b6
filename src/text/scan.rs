//! Finds, in 16 units at a time, the first that is not plain ASCII.
//!
//! The vector form and the scalar form give the same mask; the cargo feature `force-scalar` picks the scalar one.

/// The number of units that are looked at together.
pub const BLOCK: usize = 16;

/// 16 units.
pub type Block = [u16; BLOCK];

/// What a block holds, one bit a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Classes {
    /// Controls, backticks and everything beyond ASCII.
    breaks: u32,
    /// `"` and `\`, which JSON escapes.
    escapes: u32,
    /// U+0020.
    spaces: u32,
}

impl Classes {
    /// The units that are not plain outside a fence: to be escaped, beyond ASCII, or white space other than a single
    /// space between plain units. `next` is the unit behind the block.
    #[inline]
    pub(super) fn special(self, next: u16) -> u32 {
        let next_breaks = u32::from(next <= 0x20 || next >= 0x80 || next == u16::from(b'`'));
        let loose = self.spaces & ((self.spaces | self.breaks) >> 1 | next_breaks << (BLOCK - 1));
        self.breaks | self.escapes | loose
    }

    /// Likewise when the text is the first `len` units of the block.
    #[inline]
    pub(super) fn special_within(self, len: usize) -> u32 {
        let inside = (1 << len) - 1;
        let last = inside ^ inside >> 1;
        let loose = self.spaces & ((self.spaces | self.breaks) >> 1 | last);
        (self.breaks | self.escapes | loose) & inside
    }

    /// The units that are not plain inside a fence, where white space stays as it is.
    #[inline]
    pub(super) fn special_in_fence(self) -> u32 {
        self.breaks | self.escapes
    }

    /// Whether the unit after the `n`th is in the block and no white space, fence or beyond ASCII.
    #[inline]
    pub(super) fn text_follows(self, n: usize) -> bool {
        n < BLOCK - 1 && (self.breaks | self.spaces) >> (n + 1) & 1 == 0
    }
}

/// The index of the first of these units; the length of a block when there is none.
#[inline]
pub(super) fn first(special: u32) -> usize {
    (special | 1 << BLOCK).trailing_zeros() as usize
}

#[cfg(all(target_arch = "x86_64", not(feature = "force-scalar")))]
pub(crate) use sse2::{classes, narrow};

#[cfg(any(not(target_arch = "x86_64"), feature = "force-scalar"))]
pub(crate) use scalar::{classes, narrow};

#[cfg(any(not(target_arch = "x86_64"), feature = "force-scalar", test))]
mod scalar {
    use super::{BLOCK, Block, Classes};

    #[inline]
    pub(crate) fn classes(block: &Block) -> Classes {
        let mut classes = Classes { breaks: 0, escapes: 0, spaces: 0 };
        for (bit, &unit) in block.iter().enumerate() {
            classes.breaks |= u32::from(!(0x20..0x80).contains(&unit) || unit == u16::from(b'`')) << bit;
            classes.escapes |= u32::from(unit == u16::from(b'"') || unit == u16::from(b'\\')) << bit;
            classes.spaces |= u32::from(unit == 0x20) << bit;
        }
        classes
    }

    /// The bytes of ASCII units. What stands for another unit is not said.
    #[inline]
    pub(crate) fn narrow(block: &Block) -> [u8; BLOCK] {
        block.map(|unit| unit as u8)
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "force-scalar")))]
#[expect(unsafe_code, reason = "vector loads take raw pointers")]
mod sse2 {
    use super::{BLOCK, Block, Classes};
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_packus_epi16, _mm_set1_epi8, _mm_storeu_si128,
    };

    #[inline]
    pub(crate) fn classes(block: &Block) -> Classes {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { vector(block) }
    }

    /// The bytes of ASCII units. What stands for another unit is not said.
    #[inline]
    pub(crate) fn narrow(block: &Block) -> [u8; BLOCK] {
        let mut bytes = [0; BLOCK];
        // SAFETY: SSE2 is part of x86-64, the array has 16 bytes, and the store needs no alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), packed(block)) };
        bytes
    }

    /// Saturation keeps ASCII, and sends all else to 0 or to 0x80..=0xff: below 0x20 as signed bytes.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn packed(block: &Block) -> __m128i {
        let halves: *const __m128i = block.as_ptr().cast();
        // SAFETY: a block is two times 16 bytes, and these loads need no alignment.
        let (low, high) = unsafe { (_mm_loadu_si128(halves), _mm_loadu_si128(halves.add(1))) };
        _mm_packus_epi16(low, high)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn vector(block: &Block) -> Classes {
        let bytes = packed(block);
        let is = |byte: u8| _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed()));
        let breaks = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)), is(b'`'));
        let escapes = _mm_or_si128(is(b'"'), is(b'\\'));
        let mask = |lanes| _mm_movemask_epi8(lanes).cast_unsigned();
        Classes { breaks: mask(breaks), escapes: mask(escapes), spaces: mask(is(b' ')) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_agree_on_every_unit_in_every_place() {
        for unit in 0..=u16::MAX {
            let mut block = [u16::from(b'a'); BLOCK];
            block[usize::from(unit) % BLOCK] = unit;
            assert_eq!(classes(&block), scalar::classes(&block), "{unit:#06x}");
            if unit < 0x80 {
                assert_eq!(narrow(&block), scalar::narrow(&block), "{unit:#06x}");
            }
        }
    }

    #[test]
    fn spaces_are_plain_only_between_plain_units() {
        let block = |text: &str| {
            let mut block = [u16::from(b'x'); BLOCK];
            block.iter_mut().zip(text.encode_utf16()).for_each(|(slot, unit)| *slot = unit);
            first(classes(&block).special(text.encode_utf16().nth(BLOCK).unwrap_or(0)))
        };
        for (text, plain) in [
            ("a b", 16),
            ("abcdefghijklmno p", 16),
            ("abcdefghijklmno `", 15),
            ("a  b", 1),
            ("a \tb", 1),
            ("a \nb", 1),
            ("a `b", 1),
            ("a \"b", 2),
            ("a \u{a0}b", 1),
            ("abcdefghijklmno ", 15),
        ] {
            assert_eq!(block(text), plain, "{text:?}");
        }
    }
}
