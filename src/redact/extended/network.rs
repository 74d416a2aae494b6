//! Addresses of machines. They are in no preset: most texts that hold one are about machines, not people.

use std::net::Ipv6Addr;

use super::begins_word;
use crate::redact::scan::{
    Class, DIGIT, Spans, WORD, follows, is, is_digit, run, run_back, run_within, seek, seek_pair,
    word_in_any_case,
};

static HEX: Class = Class::of("0-9A-Fa-f");

/// Six pairs of hexadecimal digits, joined by colons or by dashes.
pub(in crate::redact) fn mac(text: &[u16], found: &mut Spans) {
    const LEN: usize = 17;
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, is_hex_before_separator) {
        from = at + 1;
        let Some(start) = at.checked_sub(1) else { continue };
        let separator = text[at + 1];
        let joins = |at: usize| is(text, at, b':') || is(text, at, b'-');
        let Some(address) = text.get(start..start + LEN) else { continue };
        let pairs = address
            .iter()
            .enumerate()
            .all(|(place, &unit)| if place % 3 == 2 { unit == separator } else { HEX.has(unit) });
        let begins = begins_word(text, start) && !start.checked_sub(1).is_some_and(joins);
        let ends = !WORD.has_at(text, start + LEN) && !joins(start + LEN);
        if pairs && begins && ends {
            found.push(start..start + LEN);
            from = start + LEN;
        }
    }
}

#[inline]
fn is_hex_before_separator(unit: u16, next: u16) -> bool {
    (next == u16::from(b':') || next == u16::from(b'-')) && HEX.has(unit)
}

/// Addresses in any text form of RFC 4291, without a zone. One without digits, as `dead::beef`, may be code.
pub(in crate::redact) fn ipv6(text: &[u16], found: &mut Spans) {
    static FORM: Class = Class::of("0-9A-Fa-f:.");
    static COLON: Class = Class::of(":");
    /// The longest form, with an IPv4 address at its end.
    const LONGEST: usize = 45;
    let is_lone_colon =
        |at: usize| is(text, at, b':') && !is(text, at + 1, b':') && !follows(text, at, &COLON);
    let mut from = 0;
    while let Some(colon) = seek(text, from, |unit| unit == u16::from(b':')) {
        let mut start = run_back(text, from.max(colon.saturating_sub(LONGEST)), colon, &FORM);
        let mut end = run(text, colon, &FORM);
        from = end;
        start += usize::from(is_lone_colon(start));
        while end > start && (is(text, end - 1, b'.') || is_lone_colon(end - 1)) {
            end -= 1;
        }
        if end - start > LONGEST {
            continue;
        }
        let form: String = text[start..end].iter().map(|&unit| char::from(unit as u8)).collect();
        let whole = begins_word(text, start) && !WORD.has_at(text, end);
        if whole && form.bytes().any(|byte| byte.is_ascii_digit()) && form.parse::<Ipv6Addr>().is_ok() {
            found.push(start..end);
        }
    }
}

/// Four decimal octets without leading zeros, that are no version.
pub(in crate::redact) fn ipv4(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, |unit, next| is_digit(unit) & (next == u16::from(b'.'))) {
        let start = run_back(text, from.max(at.saturating_sub(3)), at + 1, &DIGIT);
        from = at + 2;
        if let Some(end) = octets(text, start).filter(|_| !is_part(text, start)) {
            found.push(start..end);
            from = end;
        }
    }
}

fn octets(text: &[u16], start: usize) -> Option<usize> {
    let mut end = start;
    for place in 0..4 {
        let at = if place == 0 { start } else { is(text, end, b'.').then_some(end + 1)? };
        end = run_within(text, at, 4, &DIGIT);
        let value = text[at..end].iter().fold(0, |value, &unit| value * 10 + u32::from(unit & 0xf));
        let padded = end - at > 1 && is(text, at, b'0');
        if end == at || end - at > 3 || padded || value > 255 {
            return None;
        }
    }
    let goes_on = WORD.has_at(text, end) || is(text, end, b'.') && WORD.has_at(text, end + 1);
    (!goes_on).then_some(end)
}

/// Whether more of a number, of a name or of a version stands before.
fn is_part(text: &[u16], start: usize) -> bool {
    static GLUE: Class = Class::of(".-");
    let version = start
        .checked_sub(8)
        .is_some_and(|at| word_in_any_case(text, at, "version") && is(text, start - 1, b' '));
    !begins_word(text, start) || follows(text, start, &GLUE) || version
}

#[cfg(test)]
mod tests {
    use super::{ipv4, ipv6, mac};
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_addresses_and_leaves_versions_times_and_code() {
        for (text, expected) in [
            ("from 10.0.0.1:80", &["10.0.0.1"][..]),
            ("192.168.1.255.", &["192.168.1.255"]),
            ("v1.2.3.4", &[]),
            ("version 1.2.3.4", &[]),
            ("1.2.3.4.5", &[]),
            ("1.2.3.256", &[]),
            ("1.2.3.04", &[]),
        ] {
            assert_eq!(matches(ipv4, text), expected, "{text}");
        }
        for (text, expected) in [
            ("[2001:db8::1]:80", &["2001:db8::1"][..]),
            ("addr:fe80::1, ::1", &["fe80::1", "::1"]),
            ("::ffff:10.0.0.1.", &["::ffff:10.0.0.1"]),
            ("12:34:56", &[]),
            ("std::string", &[]),
            ("dead::beef", &[]),
        ] {
            assert_eq!(matches(ipv6, text), expected, "{text}");
        }
        for (text, expected) in [
            ("at 00:1B:44:11:3A:b7.", &["00:1B:44:11:3A:b7"][..]),
            ("00-1B-44-11-3A-B7", &["00-1B-44-11-3A-B7"]),
            ("00:1B:44:11:3A:B7:00", &[]),
            ("00:1B-44:11:3A:B7", &[]),
            ("x00:1B:44:11:3A:B7", &[]),
        ] {
            assert_eq!(matches(mac, text), expected, "{text}");
        }
    }
}
