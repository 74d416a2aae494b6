//! AWS secret access keys: 40 base64 symbols that say nothing of themselves, so that what stands before them must.

use super::keys::aws_key_id;
use super::{is_escape, is_random};
use crate::redact::scan::{Class, Span, Spans, follows, is, pair, run_within, seek_pair, word_in_any_case};

const SECRET_LEN: usize = 40;

/// How far behind its key id a secret is taken for one: a line of a CSV file, an assignment, a line break.
const REACH: usize = 64;

static SYMBOL: Class = Class::of("A-Za-z0-9+/");

/// Secrets after a label such as `aws_secret_access_key=` or `"secretAccessKey":`, and after an access key id.
pub(in crate::redact) fn secret(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, |unit, next| pair(unit | 0x20, next | 0x20, *b"ke")) {
        from = at + 1;
        if let Some(label_end) = label(text, at) {
            let start = connected(text, label_end);
            found.extend((start > label_end).then(|| secret_at(text, start)).flatten());
        }
    }
    let mut ids = Spans::default();
    aws_key_id(text, &mut ids);
    found.add(ids, |id| secret_after(text, id.end));
    found.put_in_order();
}

/// Where the value begins behind what joins it to its label, line breaks in the source text of a string too.
fn connected(text: &[u16], label_end: usize) -> usize {
    static CONNECTOR: Class = Class::of(" \t\r\n\"'`:=>(),|\\");
    let mut start = run_within(text, label_end, 8, &CONNECTOR);
    while is_escape(text, start + 1) && start < label_end + 8 {
        start = run_within(text, start + 1, 8, &CONNECTOR);
    }
    start
}

/// The end of `secret key` or `secret access key`, in one word or several, whose `k` is at `at`.
fn label(text: &[u16], at: usize) -> Option<usize> {
    static SEPARATOR: Class = Class::of("_ -");
    let before = |end: usize, word: &str| {
        end.checked_sub(word.len()).filter(|&start| word_in_any_case(text, start, word))
    };
    let unseparated = |end: usize| end - usize::from(follows(text, end, &SEPARATOR));
    let end = unseparated(at);
    let end = before(end, "access").map_or(end, unseparated);
    (word_in_any_case(text, at, "key") && before(end, "secret").is_some()).then_some(at + 3)
}

/// The first secret that begins within reach.
fn secret_after(text: &[u16], end: usize) -> Option<Span> {
    let mut start = end;
    // What stands behind a NUL is another text, see `find`.
    while start < text.len().min(end + REACH) && text[start] != 0 {
        start += usize::from(is_escape(text, start + 1));
        let secret = secret_at(text, start);
        if secret.is_some() {
            return secret;
        }
        start = run_within(text, start, SECRET_LEN + 1, &SYMBOL).max(start + 1);
    }
    None
}

/// A whole run of 40 symbols that is no hexadecimal digest.
fn secret_at(text: &[u16], start: usize) -> Option<Span> {
    static HEX: Class = Class::of("0-9a-f");
    let end = run_within(text, start, SECRET_LEN + 1, &SYMBOL);
    let begins = !follows(text, start, &SYMBOL) || is_escape(text, start);
    let whole = end - start == SECRET_LEN && begins && !is(text, end, b'=');
    let secret = text.get(start..end)?;
    (whole && is_random(secret) && !secret.iter().all(|&unit| HEX.has(unit))).then_some(start..end)
}
