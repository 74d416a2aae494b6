//! Country codes of E.164 and how many digits their numbers have.

use std::ops::RangeInclusive;

/// The length of the country code that these digits begin with, and the lengths of national numbers behind it.
///
/// Where a country's plan is not listed, all lengths are taken that E.164 leaves room for.
pub(super) fn country(mut digits: impl Iterator<Item = u16>) -> Option<(usize, RangeInclusive<usize>)> {
    let first = digits.next()?;
    let second = digits.next()?;
    let third = digits.next()?;
    let two = first * 10 + second;
    let three = two * 10 + third;
    let (code_len, lengths) = match (first, two) {
        (0, _) => return None,
        (1 | 7, _) => (1, 10..=10),
        (
            _,
            20 | 27 | 30..=34 | 36 | 39..=41 | 43..=49 | 51..=58 | 60..=66 | 81 | 82 | 84 | 86 | 90..=95 | 98,
        ) => (2, two_digit(two)),
        (_, 28 | 83 | 89) => return None,
        _ => (3, three_digit(three)),
    };
    Some((code_len, lengths))
}

const fn two_digit(code: u16) -> RangeInclusive<usize> {
    match code {
        27 | 31 | 33 | 34 | 41 | 48 | 61 | 66 => 9..=9,
        30 | 52 | 90 | 91 => 10..=10,
        32 | 36 | 64 => 8..=9,
        45 | 47 | 65 => 8..=8,
        46 => 7..=9,
        55 | 86 => 10..=11,
        44 | 81 => 9..=10,
        _ => 7..=12,
    }
}

const fn three_digit(code: u16) -> RangeInclusive<usize> {
    match code {
        351 | 380 | 420 | 421 | 966 => 9..=9,
        852 | 853 => 8..=8,
        353 | 971 | 972 => 8..=9,
        _ => 6..=12,
    }
}
