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
mod starts;
pub(super) mod url;

use super::scan::{Class, DIGIT, WORD, follows, is, literal, run_back, run_within};

/// Whether a word may begin at `at`: nothing of a word is before it.
///
/// What writes another character, or none, is no part of a word: an escape in the source text of a string, as in
/// `\nghp_…` and `\u0022ghp_…`, one in a URL, as in `%3Dghp_…`, and a colour of a terminal.
fn begins_word(text: &[u16], at: usize) -> bool {
    !follows(text, at, &WORD) || is_escape(text, at) || is_code(text, at) || is_control_sequence(text, at)
}

/// Whether `%3D`, `\x3d` or `\u003d`, with any digits, stands before `at`.
fn is_code(text: &[u16], at: usize) -> bool {
    static HEX: Class = Class::of("0-9A-Fa-f");
    // The prefix is rarer than the digits.
    [("%", 2), ("\\x", 2), ("\\u", 4)].into_iter().any(|(prefix, digits)| {
        let code = at.checked_sub(digits).filter(|&code| ends_with(&text[..code], prefix));
        code.is_some_and(|code| run_within(text, code, digits, &HEX) == at)
    })
}

/// Whether a control sequence of a terminal (ECMA-48), as in `\x1b[1;31m`, stands before `at`; its first character may
/// be written as in the source text of a string.
fn is_control_sequence(text: &[u16], at: usize) -> bool {
    static PARAMETER: Class = Class::of("0-9;");
    let Some(last) = at.checked_sub(1).filter(|&last| !DIGIT.has_at(text, last)) else { return false };
    let start = run_back(text, last.saturating_sub(16), last, &PARAMETER);
    let Some(bracket) = start.checked_sub(1).filter(|&bracket| is(text, bracket, b'[')) else { return false };
    let escapes = ["\x1b", "\\u001b", "\\u001B", "\\x1b", "\\x1B", "\\033", "\\e"];
    escapes.iter().any(|escape| ends_with(&text[..bracket], escape))
}

fn ends_with(text: &[u16], suffix: &str) -> bool {
    text.len().checked_sub(suffix.len()).is_some_and(|start| literal(text, start, suffix))
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
