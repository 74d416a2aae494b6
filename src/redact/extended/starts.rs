//! The search for places where a match may begin that only the shape of its first characters tells.

use crate::redact::scan::{is_digit, is_word};

/// The units that are looked at together.
const BLOCK: usize = 64;

/// How far before a place what ends a word may begin, see [`begins_word`](super::begins_word), and more.
const REACH: usize = 32;

/// A block; zeros follow where the text ends.
pub(super) type Units = [u16; BLOCK];

/// Places where a word may begin and the text has a shape. However close together they are, one costs no more than a
/// bit; and text without what they are sought by costs no more than the search for it.
pub(super) struct Starts<'a, Search, Shape> {
    text: &'a [u16],
    search: Search,
    shape: Shape,
    /// Where the block begins that was looked at last.
    block: usize,
    /// The places in it, one bit each.
    places: u64,
    /// The first unit that was not looked at.
    rest: usize,
}

impl<'a, Search, Shape> Starts<'a, Search, Shape>
where
    Search: Fn(&[u16], usize) -> Option<usize>,
    Shape: Fn(&Units, u16) -> u64,
{
    /// The search gives the next place from one on, or some before that.
    ///
    /// The shape is told the units of a block and the one before it, and gives one bit for each place where it may be:
    /// what is behind the block may be anything.
    pub(super) const fn new(text: &'a [u16], search: Search, shape: Shape) -> Self {
        Self { text, search, shape, block: 0, places: 0, rest: 0 }
    }

    /// The first place from `from` on, which must not go back.
    ///
    /// Where an escape, a code or a control sequence is near, any place with the shape is one.
    #[inline]
    pub(super) fn seek(&mut self, from: usize) -> Option<usize> {
        let passed = from.saturating_sub(self.block);
        self.places = if passed < BLOCK { self.places & !0 << passed } else { 0 };
        while self.places == 0 {
            self.block = (self.search)(self.text, from.max(self.rest))?;
            self.rest = self.block + BLOCK;
            self.look();
        }
        Some(self.block + self.places.trailing_zeros() as usize)
    }

    fn look(&mut self) {
        let (before, rest) = self.text.split_at(self.block);
        let units = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut units = [0; BLOCK];
            units[..rest.len()].copy_from_slice(rest);
            units
        });
        let last = before.last().copied().unwrap_or(0);
        self.places = (self.shape)(&units, last);
        if self.places == 0 {
            return;
        }
        let near = &before[before.len().saturating_sub(REACH)..];
        if !any_code(near) && !any_code(&units) {
            self.places &= !(mask(&units, is_word) << 1 | u64::from(is_word(last)));
        }
    }
}

/// Whether there is what escapes, codes and control sequences begin with.
#[inline]
fn any_code(units: &[u16]) -> bool {
    let is = |unit: u16, character: u8| unit == u16::from(character);
    units.iter().fold(false, |any, &unit| any | is(unit, b'\\') | is(unit, b'%') | is(unit, 0x1b))
}

/// The units of which this holds, one bit each: eight truths as bytes, which a product moves into one.
#[inline]
pub(super) fn mask(units: &Units, holds: impl Fn(u16) -> bool) -> u64 {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let truths = units.map(|unit| u8::from(holds(unit)));
    let (eights, _) = truths.as_chunks();
    eights
        .iter()
        .rev()
        .fold(0, |mask, &eight| mask << 8 | u64::from_le_bytes(eight).wrapping_mul(GATHER) >> 56)
}

/// The places `distance` units after which this holds, or may hold behind the block.
#[inline]
pub(super) const fn ahead(mask: u64, distance: u32) -> u64 {
    mask >> distance | !(!0 >> distance)
}

/// The shape of what begins with a run of digits that is no shorter.
#[inline]
pub(super) fn digits(shortest: u32) -> impl Fn(&Units, u16) -> u64 {
    move |units, before| {
        let digits = mask(units, is_digit);
        let runs = digits & !(digits << 1 | u64::from(is_digit(before)));
        (1..shortest).fold(runs, |runs, distance| runs & ahead(digits, distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::scan::seek;

    fn places(text: &str, shortest: u32) -> Vec<usize> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut starts = Starts::new(&units, |text, from| seek(text, from, is_digit), digits(shortest));
        std::iter::successors(starts.seek(0), |&at| starts.seek(at + 1)).collect()
    }

    #[test]
    fn a_start_is_seen_in_every_place() {
        for len in 0..200 {
            for (before, found) in [
                (" ", true),
                ("é", true),
                ("+", true),
                ("x", false),
                ("_", false),
                ("\\n", true),
                ("%3D", true),
                ("\\u003d", true),
                ("\x1b[1;31;42m", true),
                ("\\u001b[38;5;123;1m", true),
            ] {
                // Blocks begin near a digit.
                let lead = format!("1{}{before}", "z".repeat(len));
                let start = lead.encode_utf16().count();
                let is_found = places(&format!("{lead}1234z"), 4).contains(&start);
                assert_eq!(is_found, found, "{before:?} after {len}");
            }
        }
    }

    #[test]
    fn each_run_of_digits_is_one_place_and_none_comes_twice() {
        let text = "12 3 456 \\n789".repeat(40);
        let runs: Vec<usize> = (0..text.len())
            .filter(|&at| is_digit(text.as_bytes()[at].into()))
            .filter(|&at| at == 0 || !text.as_bytes()[at - 1].is_ascii_digit())
            .collect();
        assert_eq!(places(&text, 1), runs);
    }

    #[test]
    fn a_mask_has_the_bit_of_every_unit() {
        for place in 0..BLOCK {
            let mut units = [0; BLOCK];
            units[place] = 0x31;
            assert_eq!(mask(&units, is_digit), 1 << place);
            assert_eq!(ahead(1 << place, 3) & !(!0 >> 3), !(!0 >> 3));
        }
        assert_eq!(mask(&[0x31; BLOCK], is_digit), !0);
    }
}
