//! Bearer credentials (RFC 6750).

use super::begins_word;
use crate::redact::scan::{
    ALNUM, Class, Spans, is, is_digit, pair, run, run_back, run_within, seek_pair, word_in_any_case,
};

/// The value after `Bearer`, in any case. What follows must look like a credential: `Bearer of bad news` has none.
/// After `Authorization:` less is asked of it.
pub(in crate::redact) fn value(text: &[u16], found: &mut Spans) {
    static CREDENTIAL: Class = Class::of("A-Za-z0-9._~+/-");
    static PADDING: Class = Class::of("=");
    static SPACE: Class = Class::of(" \t");
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, |unit, next| pair(unit | 0x20, next | 0x20, *b"be")) {
        from = at + 1;
        if !word_in_any_case(text, at, "bearer") || !begins_word(text, at) {
            continue;
        }
        let start = run_within(text, at + 6, 8, &SPACE);
        let mut end = run(text, start, &CREDENTIAL);
        from = end.max(from);
        while end > start && is(text, end - 1, b'.') {
            end -= 1;
        }
        if start > at + 6 && is_credential(&text[start..end], is_header(text, at)) {
            found.push(start..run(text, end, &PADDING));
        }
    }
}

/// Whether `authorization` stands before, with what separates a name from its value.
fn is_header(text: &[u16], at: usize) -> bool {
    static CONNECTOR: Class = Class::of(" \t\"':=\\");
    let end = run_back(text, at.saturating_sub(8), at, &CONNECTOR);
    end < at && end.checked_sub(13).is_some_and(|start| word_in_any_case(text, start, "authorization"))
}

/// Whether some piece between punctuation mixes letters with digits, as words do not.
fn is_credential(value: &[u16], is_header: bool) -> bool {
    let digits = |piece: &[u16]| piece.iter().filter(|&&unit| is_digit(unit)).count();
    let mixed = value.split(|&unit| !ALNUM.has(unit)).any(|piece| {
        let digits = digits(piece);
        piece.len() >= 8 && digits >= 2 && digits < piece.len()
    });
    mixed || is_header && value.len() >= 8 && digits(value) > 0
}
