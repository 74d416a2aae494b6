//! JSON Web Tokens in compact form: signed (RFC 7515) and encrypted (RFC 7516).

use super::begins_word;
use crate::redact::scan::{Span, Spans, WORD_DASH, is, literal, pair, run, seek_pair};

/// A signature is at least this long; that of HS256 has 43 symbols.
const SHORTEST_SIGNATURE: usize = 16;

/// Three segments: a header that names its algorithm, or a payload that is an object; and a signature.
pub(in crate::redact) fn jwt(text: &[u16], found: &mut Spans) {
    scan(text, found, |text, header| {
        let payload = segment(text, header.end)?;
        let signature = segment(text, payload.end)?;
        let is_token = literal(text, payload.start, "eyJ") || names(&text[header], ALG);
        (is_token && !payload.is_empty() && signature.len() >= SHORTEST_SIGNATURE).then_some(signature.end)
    });
}

/// Five segments, the second empty when the key is agreed directly; the header names the content encryption.
pub(in crate::redact) fn jwe(text: &[u16], found: &mut Spans) {
    scan(text, found, |text, header| {
        let key = segment(text, header.end)?;
        let vector = segment(text, key.end)?;
        let content = segment(text, vector.end)?;
        let tag = segment(text, content.end)?;
        let is_whole = !vector.is_empty() && !content.is_empty() && tag.len() >= SHORTEST_SIGNATURE;
        (is_whole && names(&text[header], ENC)).then_some(tag.end)
    });
}

/// Finds tokens by their header, which is base64 of `{"`. A header begins where its run of symbols does, so that each
/// run is read as often as a token has segments, and no more.
fn scan(text: &[u16], found: &mut Spans, end_of: impl Fn(&[u16], Span) -> Option<usize>) {
    let mut from = 0;
    while let Some(at) = seek_pair(text, from, |unit, next| pair(unit, next, *b"yJ")) {
        from = at + 1;
        let Some(start) = at.checked_sub(1).filter(|&start| is(text, start, b'e')) else { continue };
        if start > 0 && is(text, start - 1, b'-') || !begins_word(text, start) {
            continue;
        }
        let header = start..run(text, start, &WORD_DASH);
        from = header.end;
        if let Some(end) = end_of(text, header) {
            found.push(start..end);
            from = end;
        }
    }
}

/// The symbols after a dot, possibly none.
fn segment(text: &[u16], at: usize) -> Option<Span> {
    is(text, at, b'.').then(|| at + 1..run(text, at + 1, &WORD_DASH))
}

/// `"alg"` in base64, as it comes out at each of the three places in a group.
const ALG: [&str; 3] = ["ImFsZyI", "JhbGci", "iYWxnI"];
/// `"enc"` likewise.
const ENC: [&str; 3] = ["ImVuYyI", "JlbmMi", "iZW5jI"];

fn names(header: &[u16], member: [&str; 3]) -> bool {
    (0..header.len()).any(|at| member.iter().any(|form| literal(header, at, form)))
}
