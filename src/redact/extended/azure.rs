//! Azure keys and signatures.

use super::is_code;
use crate::redact::scan::{
    ALNUM, Class, Spans, follows, literal, pair, run, run_back, run_within, seek, seek_pair, word_in_any_case,
};

static BASE64: Class = Class::of("A-Za-z0-9+/");

/// `AccountKey=` with 64 bytes of base64 and `SharedAccessKey=` with 32; the bytes are found, not the name. A 64-byte
/// key is also taken after a name that ends in `key`, as in an environment variable.
pub(in crate::redact) fn key(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(equals) = seek(text, from, |unit| unit == u16::from(b'=')) {
        from = equals + 1;
        let padding = 1 + usize::from(literal(text, equals, "=="));
        let symbols = if padding == 2 { 86 } else { 43 };
        let start = run_back(text, equals.saturating_sub(symbols + 1), equals, &BASE64);
        if equals - start == symbols && is_labelled(&text[..start], padding == 2) {
            found.push(start..equals + padding);
            from = equals + padding;
        }
    }
}

fn is_labelled(before: &[u16], is_long: bool) -> bool {
    static CONNECTOR: Class = Class::of(" \t\"':=\\");
    let end = run_back(before, before.len().saturating_sub(6), before.len(), &CONNECTOR);
    let label = if is_long { "key" } else { "sharedaccesskey" };
    let start = end.checked_sub(label.len());
    end < before.len() && start.is_some_and(|start| word_in_any_case(before, start, label))
}

/// The value of `sig` in a query: a SHA-256 in base64, percent-encoded.
pub(in crate::redact) fn sas(text: &[u16], found: &mut Spans) {
    static BEFORE: Class = Class::of("?&; \"'");
    // `&` may be written as a code: `\u0026`, `%26`.
    let begins = |at: usize| at == 0 || follows(text, at, &BEFORE) || is_code(text, at);
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, |unit, next| pair(unit, next, *b"g=")) {
        from = at + 2;
        let led = at >= 2 && literal(text, at - 2, "sig=") && begins(at - 2);
        if let Some(end) = led.then(|| signature(text, at + 2)).flatten() {
            found.push(at + 2..end);
            from = end;
        }
    }
}

/// The end of 43 symbols and `=`, any of which may be percent-encoded.
fn signature(text: &[u16], start: usize) -> Option<usize> {
    static HEX: Class = Class::of("0-9A-Fa-f");
    let mut end = start;
    for _ in 0..43 {
        end = if BASE64.has_at(text, end) {
            end + 1
        } else if literal(text, end, "%") && run_within(text, end + 1, 2, &HEX) == end + 3 {
            end + 3
        } else {
            return None;
        };
    }
    let padding = ["=", "%3D", "%3d"].iter().find(|padding| literal(text, end, padding))?;
    let end = end + padding.len();
    (run(text, end, &ALNUM) == end).then_some(end)
}
