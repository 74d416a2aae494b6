//! Private keys in PEM (RFC 7468, RFC 1421 headers, `OpenPGP` armor).

use crate::redact::scan::{Class, Span, Spans, is, literal, pair, run, run_within, seek_pair};

/// Fewer symbols are no key but an abbreviation of one.
const FEWEST_SYMBOLS: usize = 32;

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
    // Base64, headers such as `DEK-Info: AES-128-CBC,0A1B`, and line breaks, also as `\n` in the source of a string.
    static BODY: Class = Class::of("A-Za-z0-9+/=:,. \t\r\n\\");
    static SYMBOL: Class = Class::of("A-Za-z0-9+/");
    let label = label(text, start, "-----BEGIN ")?;
    let body = label.end + 5;
    let mut end = run(text, body, &BODY);
    // A single dash is of a header; five begin the end line, which is BODY's end at the latest.
    while is(text, end, b'-') && !is(text, end + 1, b'-') {
        end = run(text, end + 1, &BODY);
    }
    let symbols = text[body..end].iter().filter(|&&unit| SYMBOL.has(unit)).count();
    if symbols < FEWEST_SYMBOLS {
        return None;
    }
    match self::label(text, end, "-----END ") {
        Some(last) if text[last.clone()] == text[label] => Some(last.end + 5),
        _ => Some(end),
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
            ("escaped", block("PRIVATE KEY", body).replace('\n', "\\n"), true),
            ("public key", block("PUBLIC KEY", body), false),
            ("certificate", block("CERTIFICATE", body), false),
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
