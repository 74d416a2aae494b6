//! Media in text: data URLs and long base64 are replaced by the digest of what they decode to.

use crate::digest::{PREFIXED_LEN, Sha256, prefixed_hex};

use super::white_space::is_white_space;

/// Below this many units a bare base64 text stays text.
pub(super) const MIN_BARE_BASE64: usize = 1024;

/// `sha256:` and the digest in hex.
pub type MediaDigest = [u8; PREFIXED_LEN];

/// The digest that stands for `text` when it is a base64 data URL, or nothing but base64 and long.
pub fn media_digest(text: &[u16]) -> Option<MediaDigest> {
    let payload = data_url_payload(text).or_else(|| is_bare_base64(text).then_some(text))?;
    Some(digest_of_decoded(payload))
}

/// Group 1 of `/^data:[^;,]*;base64,([A-Za-z0-9+/=\s]+)$/`.
fn data_url_payload(text: &[u16]) -> Option<&[u16]> {
    let rest = strip_prefix(text, b"data:")?;
    let media_type = rest.iter().position(|&unit| unit == u16::from(b';') || unit == u16::from(b','))?;
    let payload = strip_prefix(&rest[media_type..], b";base64,")?;
    (!payload.is_empty() && payload.iter().all(|&unit| unit == u16::from(b'=') || is_base64_or_space(unit)))
        .then_some(payload)
}

/// `/^[A-Za-z0-9+/\s]+={0,2}$/` on a long text.
fn is_bare_base64(text: &[u16]) -> bool {
    if text.len() < MIN_BARE_BASE64 {
        return false;
    }
    // Nearly every text fails within its first line.
    let body = text.iter().position(|&unit| !is_base64_or_space(unit)).unwrap_or(text.len());
    body > 0 && text.len() - body <= 2 && text[body..].iter().all(|&unit| unit == u16::from(b'='))
}

fn strip_prefix<'a>(text: &'a [u16], prefix: &[u8]) -> Option<&'a [u16]> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.iter().zip(prefix).all(|(&unit, &byte)| unit == u16::from(byte)).then_some(rest)
}

#[inline]
fn is_base64_or_space(unit: u16) -> bool {
    match u8::try_from(unit) {
        Ok(byte) => SYMBOLS[usize::from(byte)] < 64 && !matches!(byte, b'-' | b'_') || is_white_space(unit),
        Err(_) => is_white_space(unit),
    }
}

const SKIP: u8 = 64;
const END: u8 = 65;

/// The value of each base64 symbol of either alphabet, [`END`] for `=`, [`SKIP`] for the rest.
static SYMBOLS: [u8; 256] = {
    let mut table = [SKIP; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        table[alphabet[value as usize] as usize] = value;
        value += 1;
    }
    table[b'-' as usize] = 62;
    table[b'_' as usize] = 63;
    table[b'=' as usize] = END;
    table
};

/// Lenient base64 as Node's `Buffer.from(text, 'base64')`, decoded in small pieces straight into the digest.
///
/// Node looks at the low byte of each unit only, so that U+202F, white space to the tests above, decodes as `/`.
fn digest_of_decoded(payload: &[u16]) -> MediaDigest {
    let symbol = |unit: u16| SYMBOLS[usize::from(unit & 0xff)];
    let mut sha = Sha256::new();
    let mut decoded = [0; 3 * 1024];
    let mut len = 0;
    let mut group = 0_u32;
    let mut held = 0;
    let mut rest = payload;
    loop {
        if len + 3 > decoded.len() {
            sha.update(&decoded[..len]);
            len = 0;
        }
        if held == 0
            && let Some((quad, after)) = rest.split_first_chunk::<4>()
            && let [a, b, c, d] = quad.map(symbol)
            && a | b | c | d < SKIP
        {
            let bits = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
            decoded[len..len + 3].copy_from_slice(&bits.to_be_bytes()[1..]);
            len += 3;
            rest = after;
            continue;
        }
        let Some((&unit, after)) = rest.split_first() else { break };
        rest = after;
        match symbol(unit) {
            END => break,
            SKIP => {}
            value => {
                group = group << 6 | u32::from(value);
                held += 1;
                if held == 4 {
                    decoded[len..len + 3].copy_from_slice(&group.to_be_bytes()[1..]);
                    len += 3;
                    held = 0;
                    group = 0;
                }
            }
        }
    }
    sha.update(&decoded[..len]);
    // Two symbols hold one more byte, three hold two; the bits beyond are ignored, and so is a symbol alone.
    match held {
        2 => sha.update(&[(group >> 4) as u8]),
        3 => sha.update(&[(group >> 10) as u8, (group >> 2) as u8]),
        _ => {}
    }
    prefixed_hex(&sha.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn digest_of(bytes: &[u8]) -> MediaDigest {
        let mut sha = Sha256::new();
        sha.update(bytes);
        prefixed_hex(&sha.finish())
    }

    #[test]
    fn data_urls() {
        for (text, decoded) in [
            ("data:image/png;base64,QUJD", Some(&b"ABC"[..])),
            ("data:;base64,QUJ", Some(b"AB")),
            ("data:;base64,QU", Some(b"A")),
            ("data:;base64,Q", Some(b"")),
            ("data:;base64,QR==", Some(b"A")),
            ("data:;base64,QQ==QQ==", Some(b"A")),
            ("data:;base64,=", Some(b"")),
            ("data:;base64,Q\nU J\tD", Some(b"ABC")),
            ("data:;base64,", None),
            ("data:;base64,QU-D", None),
            ("data:text/plain;charset=utf-8;base64,QUJD", None),
            ("data:,base64,QUJD", None),
            ("DATA:;base64,QUJD", None),
        ] {
            assert_eq!(media_digest(&units(text)), decoded.map(digest_of), "{text:?}");
        }
    }

    #[test]
    fn bare_base64_starts_at_1024_units() {
        let text = "QUJD".repeat(256);
        assert_eq!(media_digest(&units(&text)), Some(digest_of("ABC".repeat(256).as_bytes())));
        assert_eq!(media_digest(&units(&text[..1023])), None);
        assert_eq!(media_digest(&units(&format!("{text}==="))), None);
        assert_eq!(media_digest(&units(&format!("{text}=A"))), None);
    }

    #[test]
    fn node_reads_the_low_byte_only() {
        assert_eq!(
            media_digest(&units("data:;base64,QU\u{202f}D")),
            media_digest(&units("data:;base64,QU/D"))
        );
        assert_eq!(
            media_digest(&units("data:;base64,QU\u{205f}D")),
            media_digest(&units("data:;base64,QU/D"))
        );
    }
}
