//! The steps that every matcher is made of: sets of ASCII characters, runs, and the search for the next candidate.

use std::ops::Range;
use std::vec::Drain;

use crate::error::{Error, ErrorKind};
use crate::memory;

/// A match: positions in code units.
pub(super) type Span = Range<usize>;

/// The matches of one matcher. It need not look after the memory for them: whether there was any is seen in the end.
#[derive(Debug, Default)]
pub(super) struct Spans {
    list: Vec<Span>,
    lacked_room: bool,
}

impl Spans {
    #[inline]
    pub(super) fn push(&mut self, span: Span) {
        if memory::push(&mut self.list, span).is_err() {
            self.lacked_room = true;
        }
    }

    /// Adds what there is for each of some others.
    pub(super) fn add(&mut self, others: Self, found: impl Fn(Span) -> Option<Span>) {
        self.lacked_room |= others.lacked_room;
        self.extend(others.list.into_iter().filter_map(found));
    }

    /// From left to right, each once.
    pub(super) fn put_in_order(&mut self) {
        self.list.sort_unstable_by_key(|span| span.start);
        self.list.dedup();
    }

    /// Takes them out.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`], if there was none for all of them.
    pub(super) fn take(&mut self) -> Result<Drain<'_, Span>, Error> {
        if self.lacked_room { Err(ErrorKind::Memory.into()) } else { Ok(self.list.drain(..)) }
    }
}

impl Extend<Span> for Spans {
    fn extend<I: IntoIterator<Item = Span>>(&mut self, spans: I) {
        spans.into_iter().for_each(|span| self.push(span));
    }
}

/// A set of ASCII characters. Nothing beyond ASCII is in any.
pub(super) struct Class([bool; 128]);

impl Class {
    /// The set that a regular expression writes in brackets: `a-z` is a range, a `-` at the end itself.
    pub(super) const fn of(members: &str) -> Self {
        let members = members.as_bytes();
        let mut set = [false; 128];
        let mut at = 0;
        while at < members.len() {
            let is_range = at + 2 < members.len() && members[at + 1] == b'-';
            let last = if is_range { members[at + 2] } else { members[at] };
            let mut member = members[at];
            while member <= last {
                set[member as usize] = true;
                member += 1;
            }
            at += if is_range { 3 } else { 1 };
        }
        Self(set)
    }

    #[inline]
    pub(super) fn has(&self, unit: u16) -> bool {
        self.0.get(usize::from(unit)).copied().unwrap_or(false)
    }

    /// Whether the unit at `at` is there and in the set.
    #[inline]
    pub(super) fn has_at(&self, text: &[u16], at: usize) -> bool {
        text.get(at).is_some_and(|&unit| self.has(unit))
    }
}

/// `\w`
pub(super) static WORD: Class = Class::of("A-Za-z0-9_");
/// `[\w-]`
pub(super) static WORD_DASH: Class = Class::of("A-Za-z0-9_-");
/// `[A-Za-z0-9]`
pub(super) static ALNUM: Class = Class::of("A-Za-z0-9");
/// `\d`
pub(super) static DIGIT: Class = Class::of("0-9");

/// `\d`, as arithmetic that the compiler makes vectors of.
#[inline]
pub(super) const fn is_digit(unit: u16) -> bool {
    unit.wrapping_sub(b'0' as u16) < 10
}

/// `[A-Z]`, likewise.
#[inline]
pub(super) const fn is_capital(unit: u16) -> bool {
    unit.wrapping_sub(b'A' as u16) < 26
}

/// `\w`, likewise.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps vectors away")]
pub(super) const fn is_word(unit: u16) -> bool {
    is_digit(unit) | ((unit | 0x20).wrapping_sub(b'a' as u16) < 26) | (unit == b'_' as u16)
}

/// Whether two neighbours are these characters.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps vectors away")]
pub(super) const fn pair(unit: u16, next: u16, expected: [u8; 2]) -> bool {
    (unit == expected[0] as u16) & (next == expected[1] as u16)
}

/// Whether the unit at `at` is this character.
#[inline]
pub(super) fn is(text: &[u16], at: usize, character: u8) -> bool {
    text.get(at).is_some_and(|&unit| unit == u16::from(character))
}

/// Whether `literal` stands at `at`.
#[inline]
pub(super) fn literal(text: &[u16], at: usize, literal: &str) -> bool {
    text.get(at..at + literal.len())
        .is_some_and(|found| found.iter().zip(literal.bytes()).all(|(&unit, byte)| unit == u16::from(byte)))
}

/// Whether a word of ASCII letters, given in lower case, stands at `at` in any case.
#[inline]
pub(super) fn word_in_any_case(text: &[u16], at: usize, word: &str) -> bool {
    text.get(at..at + word.len()).is_some_and(|found| {
        found.iter().zip(word.bytes()).all(|(&unit, byte)| unit | 0x20 == u16::from(byte))
    })
}

/// Whether a unit of the class stands before `at`; with [`WORD`], the left side of a `\b`.
#[inline]
pub(super) fn follows(text: &[u16], at: usize, class: &Class) -> bool {
    at > 0 && class.has(text[at - 1])
}

/// The end of the run of the class that begins at `at`.
#[inline]
pub(super) fn run(text: &[u16], at: usize, class: &Class) -> usize {
    run_within(text, at, usize::MAX, class)
}

/// Likewise, but at most `limit` units.
#[inline]
pub(super) fn run_within(text: &[u16], at: usize, limit: usize, class: &Class) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take(limit).take_while(|&&unit| class.has(unit)).count()
}

/// The start of the run of the class that ends at `at`, not before `floor`.
#[inline]
pub(super) fn run_back(text: &[u16], floor: usize, at: usize, class: &Class) -> usize {
    at - text[floor..at].iter().rev().take_while(|&&unit| class.has(unit)).count()
}

/// How many units a search looks at one by one, where hits are close together, and then at once.
const NEAR: usize = 8;
const STRIDE: usize = 32;

/// The first position from `from` on whose unit is a hit.
#[inline]
pub(super) fn seek(text: &[u16], from: usize, hit: impl Fn(u16) -> bool) -> Option<usize> {
    let near = text.get(from..)?.iter().take(NEAR).position(|&unit| hit(unit));
    if let Some(offset) = near {
        return Some(from + offset);
    }
    let mut at = from + NEAR;
    for block in text.get(at..)?.chunks_exact(STRIDE) {
        if block.iter().fold(false, |any, &unit| any | hit(unit)) {
            break;
        }
        at += STRIDE;
    }
    text[at..].iter().position(|&unit| hit(unit)).map(|offset| at + offset)
}

/// The first position from `from` on that, with the unit after it, is a hit.
#[inline]
pub(super) fn seek_pair(text: &[u16], from: usize, hit: impl Fn(u16, u16) -> bool) -> Option<usize> {
    let near = text.get(from..)?.windows(2).take(NEAR).position(|pair| hit(pair[0], pair[1]));
    if let Some(offset) = near {
        return Some(from + offset);
    }
    let mut at = from + NEAR;
    let first = text.get(at..)?;
    let second = text.get(at + 1..)?;
    for (block, next) in first.chunks_exact(STRIDE).zip(second.chunks_exact(STRIDE)) {
        if block.iter().zip(next).fold(false, |any, (&unit, &next)| any | hit(unit, next)) {
            break;
        }
        at += STRIDE;
    }
    text[at..].windows(2).position(|pair| hit(pair[0], pair[1])).map(|offset| at + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn a_class_is_written_as_in_a_regular_expression() {
        let members = |class: &Class| (0..=u16::MAX).filter(|&unit| class.has(unit)).collect::<Vec<_>>();
        assert_eq!(members(&Class::of("+.a-c-")), units("+-.abc"));
        assert_eq!(members(&WORD).len(), 63);
        assert_eq!(members(&WORD), (0..=u16::MAX).filter(|&unit| is_word(unit)).collect::<Vec<_>>());
        assert_eq!(members(&DIGIT), (0..=u16::MAX).filter(|&unit| is_digit(unit)).collect::<Vec<_>>());
    }

    #[test]
    fn a_search_finds_the_first_hit_in_any_place() {
        for len in 0..100 {
            for place in 0..len {
                let mut text = vec![u16::from(b'x'); len];
                text[place] = u16::from(b'@');
                assert_eq!(seek(&text, 0, |unit| unit == u16::from(b'@')), Some(place));
                assert_eq!(seek(&text, place + 1, |unit| unit == u16::from(b'@')), None);
                let pair =
                    seek_pair(&text, 0, |unit, next| unit == u16::from(b'@') && next == u16::from(b'x'));
                assert_eq!(pair, (place + 1 < len).then_some(place));
            }
        }
    }

    #[test]
    fn runs_stop_where_the_class_or_the_limit_does() {
        let text = units("12a345");
        assert_eq!(run(&text, 0, &DIGIT), 2);
        assert_eq!(run(&text, 2, &DIGIT), 2);
        assert_eq!(run(&text, 9, &DIGIT), 9);
        assert_eq!(run_within(&text, 3, 2, &DIGIT), 5);
        assert_eq!(run_back(&text, 0, 6, &DIGIT), 3);
        assert_eq!(run_back(&text, 4, 6, &DIGIT), 4);
    }
}
