//! Private keys in PEM (RFC 7468, RFC 1421 headers, `OpenPGP` armor).

use super::is_escape;
use crate::redact::scan::{Class, Span, Spans, is, literal, pair, run, run_within, seek_pair};

/// A line of base64 is as long; one word of prose is not.
const SHORTEST_LINE: usize = 32;

/// Finds private key blocks, whole. A block whose end was cut off goes to the end of its base64.
pub(in crate::redact) fn private_key(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(start) = seek_pair(text, from, |unit, next| pair(unit, next, *b"--")) {
        match block(text, start) {
            Some(end) => {
                found.push(start..end);
                from = end;
            }
            None => from = start + 1,
        }
    }
}

fn block(text: &[u16], start: usize) -> Option<usize> {
    // Base64 and line breaks, also as `\n` in the source of a string.
    static BODY: Class = Class::of("A-Za-z0-9+/=:,. \t\r\n\\");
    // And what stands at the ends of lines that are quoted, or strings that are joined.
    static QUOTED: Class = Class::of("A-Za-z0-9+/=:,. \t\r\n\\\"'`>|#*");
    let label = label(text, start, "-----BEGIN ")?;
    let body = headers(text, label.end + 5);
    let end = body_end(text, body, &QUOTED);
    let end = match self::label(text, end, "-----END ") {
        Some(last) if text[last.clone()] == text[label] => last.end + 5,
        // Of other text behind the key, nothing is its own.
        _ => body_end(text, body, &BODY),
    };
    has_line(&text[body..end]).then_some(end)
}

fn body_end(text: &[u16], body: usize, class: &Class) -> usize {
    let mut end = run(text, body, class);
    // A single dash is of a header; five begin the end line, which is the body's end at the latest.
    while is(text, end, b'-') && !is(text, end + 1, b'-') {
        end = run(text, end + 1, class);
    }
    end
}

/// Whether there is a line of base64.
fn has_line(body: &[u16]) -> bool {
    static SYMBOL: Class = Class::of("A-Za-z0-9+/");
    body.split(|&unit| !SYMBOL.has(unit)).any(|line| line.len() >= SHORTEST_LINE)
}

/// The end of the headers, such as `Version: GnuPG v2 (GNU/Linux)`, whose values hold any character.
fn headers(text: &[u16], start: usize) -> usize {
    static NAME: Class = Class::of("A-Za-z0-9-");
    static BREAK: Class = Class::of("\r\n\\");
    static BETWEEN: Class = Class::of(" \t\r\n\\\"'`>|#*");
    let mut end = start;
    loop {
        let mut name = run(text, end, &BETWEEN);
        name += usize::from(is_escape(text, name + 1));
        let value = run_within(text, name, 40, &NAME);
        if value == name || !literal(text, value, ": ") {
            return end;
        }
        end = value + 2;
        // No header goes on behind a boundary: headers are read once, however many boundaries there are.
        while end < text.len() && !BREAK.has_at(text, end) && text[end] != 0 && !literal(text, end, "-----") {
            end += 1;
        }
    }
}

/// The label of an encapsulation boundary, when it is that of a private key: at most 40 characters.
fn label(text: &[u16], at: usize, boundary: &str) -> Option<Span> {
    static LABEL: Class = Class::of("A-Z0-9 ");
    if !literal(text, at, boundary) {
        return None;
    }
    let start = at + boundary.len();
    let end = run_within(text, start, 40, &LABEL);
    let is_private = [" KEY BLOCK", " KEY"].iter().any(|suffix| {
        let suffix = end.checked_sub(suffix.len()).filter(|&at| literal(text, at, suffix));
        suffix.and_then(|at| at.checked_sub(7)).is_some_and(|at| at >= start && literal(text, at, "PRIVATE"))
    });
    (is_private && literal(text, end, "-----")).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_private_keys_whole_and_nothing_else() {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\nggSjAgEAAoIBAQ==\n";
        let block = |label: &str, body: &str| format!("-----BEGIN {label}-----\n{body}-----END {label}-----");
        for (name, text, whole) in [
            ("PKCS #8", block("PRIVATE KEY", body), true),
            ("PKCS #1", block("RSA PRIVATE KEY", body), true),
            ("OpenSSH", block("OPENSSH PRIVATE KEY", body), true),
            ("OpenPGP", block("PGP PRIVATE KEY BLOCK", body), true),
            ("headers", block("RSA PRIVATE KEY", &format!("DEK-Info: AES-128-CBC,0A1B\n\n{body}")), true),
            (
                "any header",
                block("PGP PRIVATE KEY BLOCK", &format!("Version: GnuPG v2 (GNU/Linux)\n\n{body}")),
                true,
            ),
            ("escaped", block("PRIVATE KEY", body).replace('\n', "\\n"), true),
            ("CRLF", block("PRIVATE KEY", body).replace('\n', "\\r\\n"), true),
            ("quoted", block("PRIVATE KEY", body).replace('\n', "\n> "), true),
            ("joined", block("PRIVATE KEY", body).replace('\n', "\\n\" +\n  \""), true),
            ("public key", block("PUBLIC KEY", body), false),
            ("certificate", block("CERTIFICATE", body), false),
            (
                "prose",
                "-----BEGIN PRIVATE KEY----- is how a file in the form of PKCS8 begins".to_owned(),
                false,
            ),
            ("abbreviated", block("PRIVATE KEY", "...\n"), false),
        ] {
            let expected = if whole { vec![text.clone()] } else { vec![] };
            assert_eq!(matches(private_key, &format!("x {text} y")), expected, "{name}");
        }
    }

    #[test]
    fn a_cut_off_block_ends_with_its_base64() {
        let text = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw";
        assert_eq!(matches(private_key, text), [text]);
        let other = format!("{text}\n-----END CERTIFICATE-----");
        assert_eq!(matches(private_key, &other), [format!("{text}\n")]);
    }
}
