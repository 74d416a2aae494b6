//! Secrets in URLs.

use super::{ends_with, is_random};
use crate::redact::scan::{
    ALNUM, Class, DIGIT, Spans, follows, is, is_capital, literal, pair, run, run_within, seek_pair,
};
use crate::text::white_space::is_white_space;

/// `user:password` before the `@` of a URL with an authority (RFC 3986 §3.2.1).
///
/// A user without a password is left, and so is a placeholder: stars, a variable, `user:password`.
pub(in crate::redact) fn credentials(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(colon) = seek_pair(text, from, |unit, next| pair(unit, next, *b":/")) {
        from = colon + 1;
        if !literal(text, colon, "://") || !follows(text, colon, &ALNUM) {
            continue;
        }
        let start = colon + 3;
        let authority = &text[start..];
        let authority =
            &authority[..authority.iter().position(|&unit| ends_authority(unit)).unwrap_or(authority.len())];
        // A URL begins at a `://`, so no other begins in this authority.
        from = start + authority.len();
        // The last `@` separates, as in the URL standard: a password may hold one.
        let Some(at) = authority.iter().rposition(|&unit| unit == u16::from(b'@')) else { continue };
        let host_follows = ALNUM.has_at(text, start + at + 1) || is(text, start + at + 1, b'[');
        if host_follows && has_password(&authority[..at]) {
            found.push(start..start + at);
        }
    }
}

fn ends_authority(unit: u16) -> bool {
    static DELIMITERS: Class = Class::of("\"#/<>?[\\]^`{|}");
    unit <= 0x20 || unit == 0x7f || DELIMITERS.has(unit) || is_white_space(unit)
}

fn has_password(user_info: &[u16]) -> bool {
    static PORT_END: Class = Class::of(",;");
    const PLACEHOLDERS: [&str; 4] = ["user:pass", "user:password", "username:pass", "username:password"];
    if PLACEHOLDERS.iter().any(|placeholder| user_info.iter().copied().eq(placeholder.encode_utf16())) {
        return false;
    }
    let Some(colon) = user_info.iter().position(|&unit| unit == u16::from(b':')) else { return false };
    let password = &user_info[colon + 1..];
    let is_variable = matches!(password.first(), Some(&unit) if unit == u16::from(b'$') || unit == u16::from(b'%'))
        && password[1..].iter().all(|&unit| ALNUM.has(unit) || unit == u16::from(b'_'))
        && !is_percent_encoded(password);
    let is_masked = password.iter().all(|&unit| unit == u16::from(b'*') || unit == u16::from(b'x'));
    // `host:port,next@…` in a list.
    let digits = run(password, 0, &DIGIT);
    let is_port = (1..=5).contains(&digits) && PORT_END.has_at(password, digits);
    !is_masked && !is_variable && !is_port
}

fn is_percent_encoded(text: &[u16]) -> bool {
    static HEX: Class = Class::of("0-9A-Fa-f");
    is(text, 0, b'%') && run_within(text, 1, 2, &HEX) == 3
}

/// The secret path of a Slack webhook: `T…/B…/…` after `hooks.slack.com/services/`, and the like for workflows and
/// triggers.
pub(in crate::redact) fn slack_webhook(text: &[u16], found: &mut Spans) {
    static WORKSPACE: Class = Class::of("A-Z0-9");
    static PATH: Class = Class::of("A-Za-z0-9/_-");
    const PREFIXES: [&str; 3] =
        ["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"];
    let mut from = 0;
    while let Some(slash) = seek_pair(text, from, |unit, next| (unit == u16::from(b'/')) & is_capital(next)) {
        let start = slash + 1;
        from = start;
        if !PREFIXES.iter().any(|prefix| ends_with(&text[..start], prefix)) {
            continue;
        }
        let workspace = run(text, start, &WORKSPACE);
        let end = run(text, start, &PATH);
        if workspace - start >= 8 && is(text, workspace, b'/') && is_random(&text[start..end]) {
            found.push(start..end);
        }
        from = end;
    }
}
