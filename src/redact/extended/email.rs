//! E-mail addresses (RFC 5321, and RFC 6531 for names in European scripts).

use super::is_escape;
use crate::redact::scan::{ALNUM, Class, DIGIT, Spans, is, run, seek};

/// The longest local part and the longest label.
const LOCAL_MAX: usize = 64;
const LABEL_MAX: usize = 63;

/// Finds addresses whose domain ends in a top-level name.
///
/// It leaves what only has an `@` in it: versions (`pkg@1.2.3`), image densities (`logo@2x.png`), and the user of a
/// Git remote (`git@host.example:path`).
pub(in crate::redact) fn address(text: &[u16], found: &mut Spans) {
    let mut last_end = 0;
    let mut from = 0;
    while let Some(at) = seek(text, from, |unit| unit == u16::from(b'@')) {
        from = at + 1;
        let Some(end) = domain(text, at + 1) else { continue };
        let start = local_part(text, last_end.max(at.saturating_sub(LOCAL_MAX)), at);
        let is_git = text[start..at].iter().copied().eq("git".encode_utf16()) && is(text, end, b':');
        if start < at && !is_git {
            found.push(start..end);
            last_end = end;
            from = end;
        }
    }
}

/// Where the local part before `at` begins: atoms joined by single dots.
///
/// Of the characters that the RFC allows besides letters and digits, those are taken that addresses have and
/// surrounding syntax has not.
fn local_part(text: &[u16], floor: usize, at: usize) -> usize {
    static PUNCTUATION: Class = Class::of("_%+'-");
    let is_atom = |unit: u16| is_letter_or_digit(unit) || PUNCTUATION.has(unit);
    let mut start = at;
    while start > floor && !is_escape(text, start) {
        let joins = is(text, start - 1, b'.') && start < at && !is(text, start, b'.');
        if !joins && !is_atom(text[start - 1]) {
            break;
        }
        start -= 1;
    }
    // A name does not begin with a dot, a dash or a quotation mark.
    while start < at && !is_letter_or_digit(text[start]) && !is(text, start, b'_') {
        start += 1;
    }
    start
}

/// The end of the longest domain whose last label is a top-level name.
fn domain(text: &[u16], at: usize) -> Option<usize> {
    let first = label(text, at)?;
    let mut end = None;
    let mut last = first;
    while is(text, last, b'.') {
        let Some(next) = label(text, last + 1) else { break };
        if is_top_level(&text[last + 1..next]) {
            end = Some(next);
        }
        last = next;
    }
    let end = end?;
    // `18.2.0`, `v1.0-beta` and `2x.png` are no domains.
    let digits = run(text, at + usize::from(is(text, at, b'v')), &DIGIT);
    let is_version = digits == first && DIGIT.has_at(text, first + 1);
    let is_density = digits > at && is(text, digits, b'x') && digits + 1 == first;
    (!is_version && !is_density).then_some(end)
}

/// The end of a label, which neither begins nor ends with a dash.
fn label(text: &[u16], at: usize) -> Option<usize> {
    let rest = text.get(at..)?.iter().take(LABEL_MAX + 1);
    let len = rest.take_while(|&&unit| is_letter_or_digit(unit) || unit == u16::from(b'-')).count();
    let whole = (1..=LABEL_MAX).contains(&len) && !is(text, at, b'-') && !is(text, at + len - 1, b'-');
    whole.then_some(at + len)
}

/// Two letters or more, or a name in its ASCII form.
fn is_top_level(label: &[u16]) -> bool {
    let letters = label.iter().all(|&unit| is_letter_or_digit(unit) && !DIGIT.has(unit));
    label.len() >= 2 && (letters || label.len() > 4 && label[..4].iter().copied().eq("xn--".encode_utf16()))
}

/// Latin, Greek and Cyrillic. Scripts that set no space between words would make a sentence part of the address.
fn is_letter_or_digit(unit: u16) -> bool {
    ALNUM.has(unit)
        || (0xc0..0x530).contains(&unit) && char::from_u32(unit.into()).is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::address;
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_addresses_and_leaves_what_only_has_an_at() {
        for (text, expected) in [
            ("mail ada.lovelace+x@mail.example.com.", &["ada.lovelace+x@mail.example.com"][..]),
            ("<josé@exämple.com>", &["josé@exämple.com"]),
            ("请联系ada@example.com谢谢", &["ada@example.com"]),
            ("'ada@example.com'", &["ada@example.com"]),
            ("a=ada@example.com&b", &["ada@example.com"]),
            ("ada@example.com.2", &["ada@example.com"]),
            ("a@b@example.com", &["b@example.com"]),
            ("x..ada@example.com", &["ada@example.com"]),
            ("user@163.com", &["user@163.com"]),
            ("ada@xn--e1afmkfd.xn--p1ai", &["ada@xn--e1afmkfd.xn--p1ai"]),
            ("react@18.2.0-beta.next", &[]),
            ("pkg@v1.0.rc", &[]),
            ("logo@2x.png", &[]),
            ("git@github.com:a/b.git", &[]),
            ("root@localhost", &[]),
            ("ada.@example.com", &[]),
            ("ada@-x.com", &[]),
            ("@scope/pkg.name", &[]),
        ] {
            assert_eq!(matches(address, text), expected, "{text}");
        }
    }
}
