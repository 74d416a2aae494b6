//! The matchers of the extended preset and the opt-ins.
//!
//! Each takes one format as its issuer writes it and leaves what only looks like it: placeholders, words, numbers of
//! another kind. Where a format has check digits they are checked.

pub(super) mod aws;
pub(super) mod azure;
pub(super) mod bearer;
pub(super) mod card;
mod country;
pub(super) mod email;
pub(super) mod iban;
pub(super) mod jose;
pub(super) mod keys;
pub(super) mod network;
pub(super) mod pem;
pub(super) mod phone;
pub(super) mod ssn;
pub(super) mod url;

use super::scan::{WORD, follows, is};

/// Whether a word may begin at `at`: nothing of a word is before it.
///
/// The letter of an escape in the source text of a string, as in `\nghp_…`, is no part of a word.
fn begins_word(text: &[u16], at: usize) -> bool {
    !follows(text, at, &WORD) || is_escape(text, at)
}

/// Whether `\n`, `\r` or `\t` stands before `at`.
fn is_escape(text: &[u16], at: usize) -> bool {
    at >= 2 && is(text, at - 2, b'\\') && [b'n', b'r', b't'].iter().any(|&letter| is(text, at - 1, letter))
}

/// Whether the end of a key looks drawn by lot, as no placeholder and no name does: varied, and of more than one kind
/// of lower case, upper case and digits.
fn is_random(key: &[u16]) -> bool {
    let tail = &key[key.len().saturating_sub(20)..];
    let kinds: [fn(&u8) -> bool; 3] = [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
    let kinds_found = kinds
        .iter()
        .filter(|kind| tail.iter().any(|&unit| u8::try_from(unit).is_ok_and(|byte| kind(&byte))))
        .count();
    kinds_found >= 2 && is_varied(tail)
}

/// Whether a text has at least six different ASCII characters.
fn is_varied(text: &[u16]) -> bool {
    let seen = text.iter().filter(|&&unit| unit < 0x80).fold(0_u128, |seen, &unit| seen | 1 << unit);
    seen.count_ones() >= 6
}

#[cfg(test)]
pub(super) mod table {
    //! Table rows: a text, and what is found in it.

    use crate::redact::scan::Spans;

    /// The texts of all matches.
    pub(in crate::redact) fn matches(scan: fn(&[u16], &mut Spans), text: &str) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut found = Spans::default();
        scan(&units, &mut found);
        found.take().into_iter().flatten().map(|span| String::from_utf16_lossy(&units[span])).collect()
    }
}
