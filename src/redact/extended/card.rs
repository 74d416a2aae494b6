//! Payment cards (ISO/IEC 7812-1).

use std::ops::RangeInclusive;

use super::begins_word;
use super::starts::{Starts, digits};
use crate::redact::luhn;
use crate::redact::scan::{Class, DIGIT, Spans, WORD, follows, is, is_digit, run_within, seek_pair};

/// Finds card numbers of known issuers, in the groups that cards have or in none, joined by one kind of space, dash or
/// dot. The length must be the issuer's and the check digit right.
pub(in crate::redact) fn card(text: &[u16], found: &mut Spans) {
    let mut starts = Starts::new(
        text,
        |text, from| seek_pair(text, from, |unit, next| is_digit(unit) & is_digit(next)),
        digits(4),
    );
    let mut from = 0;
    while let Some(start) = starts.seek(from) {
        let end = if is_part(text, start) { None } else { end_of(text, start) };
        found.extend(end.map(|end| start..end));
        from = end.unwrap_or(start + 1);
    }
}

/// The ways in which the digits of a card are grouped, longest first. All begin with four.
const GROUPS: [&[usize]; 4] = [&[4, 4, 4, 4, 3], &[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4]];

fn end_of(text: &[u16], start: usize) -> Option<usize> {
    static SEPARATOR: Class = Class::of(" .-");
    let first = run_within(text, start, 20, &DIGIT) - start;
    if first != 4 {
        let end = start + first;
        return (LENGTHS.contains(&first) && is_whole(text, end) && is_card(&text[start..end]))
            .then_some(end);
    }
    let separator = *text.get(start + first).filter(|&&unit| SEPARATOR.has(unit))? as u8;
    let mut ends = [start + first; 5];
    let mut lengths = [first, 0, 0, 0, 0];
    for place in 1..5 {
        let at = ends[place - 1] + 1;
        if !is(text, at - 1, separator) {
            break;
        }
        // Far enough to see that a group is longer than any of a card.
        ends[place] = run_within(text, at, 7, &DIGIT);
        lengths[place] = ends[place] - at;
    }
    GROUPS.iter().find_map(|groups| {
        let end = ends[groups.len() - 1];
        (lengths.starts_with(groups) && is_whole(text, end) && is_card(&text[start..end])).then_some(end)
    })
}

/// Whether the digits at `start` go on with what stands before: a word, a decimal, an identifier with dashes.
fn is_part(text: &[u16], start: usize) -> bool {
    static GLUE: Class = Class::of(".-");
    !begins_word(text, start) || follows(text, start, &GLUE) && follows(text, start - 1, &DIGIT)
}

/// Whether the number ends at `end`. Behind a space other numbers may follow, such as the date and code of the card.
fn is_whole(text: &[u16], end: usize) -> bool {
    static GLUE: Class = Class::of(".-");
    let goes_on = GLUE.has_at(text, end) && DIGIT.has_at(text, end + 1);
    !goes_on && !WORD.has_at(text, end)
}

/// First digits of an issuer's numbers, as a range, and the lengths of the numbers.
type Issuer = (RangeInclusive<u32>, RangeInclusive<usize>);

/// The shortest and the longest of all.
const LENGTHS: RangeInclusive<usize> = 14..=19;

/// By six digits. Ranges of one issuer that differ in length stand apart.
const ISSUERS: [Issuer; 19] = [
    // Visa
    (400_000..=499_999, 16..=16),
    // Mastercard
    (510_000..=559_999, 16..=16),
    (222_100..=272_099, 16..=16),
    // American Express
    (340_000..=349_999, 15..=15),
    (370_000..=379_999, 15..=15),
    // Diners Club
    (300_000..=305_999, 14..=14),
    (309_500..=309_599, 14..=14),
    (360_000..=369_999, 14..=14),
    (380_000..=399_999, 14..=14),
    // Discover
    (601_100..=601_199, 16..=19),
    (644_000..=659_999, 16..=19),
    // JCB
    (352_800..=358_999, 16..=19),
    // UnionPay
    (620_000..=629_999, 16..=19),
    (810_000..=817_199, 16..=19),
    // Maestro
    (501_800..=501_899, 16..=19),
    (560_000..=589_999, 16..=19),
    (670_000..=679_999, 16..=19),
    // Mir
    (220_000..=220_499, 16..=19),
    // RuPay
    (508_500..=508_999, 16..=16),
];

fn is_card(candidate: &[u16]) -> bool {
    let digits = || candidate.iter().filter(|&&unit| is_digit(unit)).map(|&unit| (unit & 0xf) as u8);
    let first_six = digits().take(6).fold(0, |value, digit| value * 10 + u32::from(digit));
    let length = digits().count();
    let issued =
        ISSUERS.iter().any(|(range, lengths)| range.contains(&first_six) && lengths.contains(&length));
    let from_last = candidate.iter().rev().filter(|&&unit| is_digit(unit)).map(|&unit| (unit & 0xf) as u8);
    issued && luhn::is_valid(from_last)
}

#[cfg(test)]
mod tests {
    use super::card;
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_cards_in_their_groups_and_leaves_other_numbers() {
        for (text, expected) in [
            ("4111111111111111", &["4111111111111111"][..]),
            ("4111 1111 1111 1111 ok", &["4111 1111 1111 1111"]),
            ("4111-1111-1111-1111", &["4111-1111-1111-1111"]),
            ("4111.1111.1111.1111.", &["4111.1111.1111.1111"]),
            ("12 4111 1111 1111 1111 12/30 123", &["4111 1111 1111 1111"]),
            ("3782 822463 10005", &["3782 822463 10005"]),
            ("3056 930902 5904", &["3056 930902 5904"]),
            ("2223003122003222,5555555555554444", &["2223003122003222", "5555555555554444"]),
            ("4111111111111112", &[]),
            ("4111 1111 1111 111", &[]),
            ("4111 1111-1111 1111", &[]),
            ("41111111-1111-1111-1111-111111111111", &[]),
            ("0.4111111111111111", &[]),
            ("4111111111111111.5", &[]),
            ("x4111111111111111", &[]),
            ("1704067200000", &[]),
            ("411111111111111145", &[]),
        ] {
            assert_eq!(matches(card, text), expected, "{text}");
        }
    }
}
