//! Keys that their issuer begins with a prefix of its own.

use std::ops::RangeInclusive;

use super::{begins_word, is_random, is_varied};
use crate::redact::scan::{ALNUM, Class, Spans, WORD, WORD_DASH, is, literal, pair, run_within, seek_pair};

/// How one kind of key is written.
struct Format {
    prefix: &'static str,
    /// Where in the prefix the two neighbours are by which it is sought.
    anchor: usize,
    body: &'static Class,
    /// The length of the body, which nothing of its class may follow.
    length: RangeInclusive<usize>,
    is_secret: fn(&[u16]) -> bool,
}

impl Format {
    const fn new(
        prefix: &'static str,
        anchor: usize,
        body: &'static Class,
        length: RangeInclusive<usize>,
    ) -> Self {
        Self { prefix, anchor, body, length, is_secret: is_random }
    }

    const fn at_least(prefix: &'static str, anchor: usize, body: &'static Class, shortest: usize) -> Self {
        Self::new(prefix, anchor, body, shortest..=usize::MAX - 1)
    }
}

static DOTTED: Class = Class::of("A-Za-z0-9_.-");
static BASE64: Class = Class::of("A-Za-z0-9+/=");
static BASE32: Class = Class::of("A-Z2-7");
static SLACK_BODY: Class = Class::of("A-Za-z0-9%-");

pub(in crate::redact) fn anthropic(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 1] = [Format::at_least("sk-ant-", 1, &WORD_DASH, 20)];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"k-"));
}

pub(in crate::redact) fn openai(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 6] = [
        Format::at_least("sk-proj-", 1, &WORD_DASH, 20),
        Format::at_least("sk-svcacct-", 1, &WORD_DASH, 20),
        Format::at_least("sk-admin-", 1, &WORD_DASH, 20),
        Format::at_least("sk-None-", 1, &WORD_DASH, 20),
        Format::at_least("sk-or-v1-", 1, &ALNUM, 32),
        Format::at_least("sk-", 1, &ALNUM, 32),
    ];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"k-"));
}

pub(in crate::redact) fn github(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 6] = [
        Format::at_least("ghp_", 2, &WORD, 36),
        Format::at_least("gho_", 2, &WORD, 36),
        Format::at_least("ghu_", 2, &WORD, 36),
        Format::at_least("ghs_", 2, &DOTTED, 36),
        Format::at_least("ghr_", 2, &WORD, 36),
        Format::at_least("github_pat_", 9, &WORD, 36),
    ];
    scan(text, found, &FORMATS, |unit, next| {
        pair(unit, next, *b"p_")
            | pair(unit, next, *b"o_")
            | pair(unit, next, *b"u_")
            | pair(unit, next, *b"s_")
            | pair(unit, next, *b"r_")
            | pair(unit, next, *b"t_")
    });
}

pub(in crate::redact) fn gitlab(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 7] = [
        Format::at_least("glpat-", 4, &DOTTED, 20),
        Format::at_least("gldt-", 3, &DOTTED, 20),
        Format::at_least("glrt-", 3, &DOTTED, 20),
        Format::at_least("glft-", 3, &DOTTED, 20),
        Format::at_least("glptt-", 4, &DOTTED, 20),
        Format::at_least("glcbt-", 4, &DOTTED, 20),
        Format::at_least("glsoat-", 5, &DOTTED, 20),
    ];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"t-"));
}

pub(in crate::redact) fn google(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 1] = [Format::new("AIza", 1, &WORD_DASH, 35..=35)];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"Iz"));
}

pub(in crate::redact) fn huggingface(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 1] = [Format::at_least("hf_", 1, &ALNUM, 30)];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"f_"));
}

pub(in crate::redact) fn npm(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 1] = [Format::new("npm_", 2, &ALNUM, 36..=36)];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"m_"));
}

pub(in crate::redact) fn slack(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 12] = [
        Format::at_least("xoxb-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxp-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxa-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxr-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxs-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxe-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxo-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxc-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxd-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxe.xoxp-", 0, &SLACK_BODY, 16),
        Format::at_least("xoxe.xoxb-", 0, &SLACK_BODY, 16),
        Format::at_least("xapp-", 3, &SLACK_BODY, 16),
    ];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"xo") | pair(unit, next, *b"p-"));
}

pub(in crate::redact) fn stripe(text: &[u16], found: &mut Spans) {
    static FORMATS: [Format; 7] = [
        Format::at_least("sk_live_", 1, &ALNUM, 16),
        Format::at_least("sk_test_", 1, &ALNUM, 16),
        Format::at_least("rk_live_", 1, &ALNUM, 16),
        Format::at_least("rk_test_", 1, &ALNUM, 16),
        Format::at_least("pk_live_", 1, &ALNUM, 16),
        Format::at_least("pk_test_", 1, &ALNUM, 16),
        Format::at_least("whsec_", 4, &BASE64, 24),
    ];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"k_") | pair(unit, next, *b"c_"));
}

pub(in crate::redact) fn aws_key_id(text: &[u16], found: &mut Spans) {
    // One key id in thirty is of capitals alone, so that kinds tell nothing.
    const fn key_id(prefix: &'static str, anchor: usize) -> Format {
        Format { is_secret: is_varied, ..Format::new(prefix, anchor, &BASE32, 16..=16) }
    }
    static FORMATS: [Format; 4] =
        [key_id("AKIA", 2), key_id("ASIA", 2), key_id("ABIA", 2), key_id("ACCA", 1)];
    scan(text, found, &FORMATS, |unit, next| pair(unit, next, *b"IA") | pair(unit, next, *b"CC"));
}

/// Finds keys of any of the formats; `is_anchor` holds at each format's anchor.
#[inline]
fn scan(text: &[u16], found: &mut Spans, formats: &[Format], is_anchor: impl Fn(u16, u16) -> bool + Copy) {
    let mut last_end = 0;
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, is_anchor) {
        from = at + 1;
        let key = formats.iter().find_map(|format| {
            let start = at.checked_sub(format.anchor).filter(|&start| start >= last_end)?;
            (literal(text, start, format.prefix) && begins_word(text, start)).then_some((format, start))
        });
        let Some((format, start)) = key else { continue };
        let body = start + format.prefix.len();
        let mut end = run_within(text, body, format.length.end() + 1, format.body);
        while end > body && is(text, end - 1, b'.') {
            end -= 1;
        }
        if format.length.contains(&(end - body)) && (format.is_secret)(&text[body..end]) {
            found.push(start..end);
            last_end = end;
            from = end;
        } else if *format.length.start() < *format.length.end() {
            // A key that begins later in this run would end as it does, and no better.
            from = from.max(end);
        }
    }
}
