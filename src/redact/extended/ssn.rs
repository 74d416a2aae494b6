//! Social security numbers of the United States.

use super::begins_word;
use crate::redact::scan::{Class, DIGIT, Spans, WORD, follows, is, is_digit, literal, run_within, seek_pair};

/// `AAA-GG-SSSS`, when area, group and serial are ones that are given out: no part is all zeros, and no area is 666 or
/// in the nine hundreds.
pub(in crate::redact) fn us_ssn(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(last) = seek_pair(text, from, |unit, next| is_digit(unit) & (next == u16::from(b'-'))) {
        from = last + 1;
        let Some(start) = last.checked_sub(2) else { continue };
        // Before the area may stand a code, `\u` and four digits.
        let code = start.checked_sub(6).filter(|&code| literal(text, code, "\\u"));
        let is_run = !follows(text, start, &DIGIT)
            || code.is_some_and(|code| run_within(text, code + 2, 4, &DIGIT) == start);
        if let Some(end) = end_of(text, start).filter(|_| is_run) {
            found.push(start..end);
            from = end;
        }
    }
}

fn end_of(text: &[u16], start: usize) -> Option<usize> {
    static GLUE: Class = Class::of(".-");
    let part = |at: usize, len: usize| {
        let end = run_within(text, at, len + 1, &DIGIT);
        (end == at + len && text[at..end].iter().any(|&unit| unit != u16::from(b'0'))).then_some(end)
    };
    let glued = !begins_word(text, start) || follows(text, start, &GLUE) && follows(text, start - 1, &WORD);
    let area = part(start, 3)?;
    let is_given_out =
        !is(text, start, b'9') && !text[start..area].iter().all(|&unit| unit == u16::from(b'6'));
    let group = is(text, area, b'-').then(|| part(area + 1, 2)).flatten()?;
    let serial = is(text, group, b'-').then(|| part(group + 1, 4)).flatten()?;
    let continued = WORD.has_at(text, serial) || GLUE.has_at(text, serial) && WORD.has_at(text, serial + 1);
    (is_given_out && !glued && !continued).then_some(serial)
}

#[cfg(test)]
mod tests {
    use super::us_ssn;
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_numbers_that_are_given_out() {
        for (text, found) in [
            ("123-45-6789", true),
            ("SSN: 899-99-9999.", true),
            ("000-45-6789", false),
            ("666-45-6789", false),
            ("900-45-6789", false),
            ("123-00-6789", false),
            ("123-45-0000", false),
            ("1123-45-6789", false),
            ("123-45-67890", false),
            ("1-123-45-6789", false),
            ("123-45-6789-1", false),
            ("a123-45-6789", false),
        ] {
            assert_eq!(matches(us_ssn, text).len(), usize::from(found), "{text}");
        }
    }
}
