//! Keys as PEM: Ed25519 public keys (SPKI) and private keys (PKCS#8), read strictly.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::error::{Error, ErrorKind};
use crate::text::white_space::is_white_space;

/// The DER of an Ed25519 public key is this and the 32 key bytes (RFC 8410 §4).
const SPKI: &[u8] = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
/// The DER of an Ed25519 private key is this and the 32 bytes of the seed (RFC 8410 §7).
const PKCS8: &[u8] = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";

/// The 32 bytes of an Ed25519 public key. They need not be a point on the curve: such a key verifies nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// Reads a text with exactly one `PUBLIC KEY` PEM block.
    ///
    /// The block's markers each start a line (after a byte order mark, at the first) and only blanks follow them there;
    /// behind the first a line feed. White space between them does not count. The block is the DER of an Ed25519 SPKI,
    /// nothing more or less.
    ///
    /// # Errors
    /// [`ErrorKind::PublicKey`]
    pub fn from_pem(pem: &[u8]) -> Result<Self, Error> {
        let bytes = der(pem, "PUBLIC KEY").and_then(|der| der.strip_prefix(SPKI)?.try_into().ok());
        bytes.map(Self).ok_or_else(|| ErrorKind::PublicKey.into())
    }

    /// The key that has these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key as a PEM block.
    pub fn to_pem(&self) -> String {
        pem("PUBLIC KEY", &[SPKI, &self.0].concat())
    }

    /// Whether this is the key's signature of a message.
    ///
    /// Strict: S is below the group order, key and R are canonical encodings of points that are not of small order, and
    /// R is compared byte for byte without a cofactor. OpenSSL 3.5, and so Node 24, gives the same verdicts.
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        is_canonical(&self.0)
            && VerifyingKey::from_bytes(&self.0)
                .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
    }
}

/// Whether the y coordinate is below the field's prime, 2^255 - 19.
fn is_canonical(point: &[u8; 32]) -> bool {
    point[0] < 0xED || point[31] & 0x7F != 0x7F || point[1..31].iter().any(|&byte| byte != 0xFF)
}

/// An Ed25519 key to sign with.
#[derive(Debug)]
pub struct PrivateKey(SigningKey);

impl PrivateKey {
    /// Reads a text with exactly one `PRIVATE KEY` PEM block: the DER of an Ed25519 key as PKCS#8, without attributes.
    ///
    /// # Errors
    /// [`ErrorKind::PrivateKey`]
    pub fn from_pem(pem: &[u8]) -> Result<Self, Error> {
        let seed: Option<[u8; 32]> =
            der(pem, "PRIVATE KEY").and_then(|der| der.strip_prefix(PKCS8)?.try_into().ok());
        seed.map(|seed| Self(SigningKey::from_bytes(&seed))).ok_or_else(|| ErrorKind::PrivateKey.into())
    }

    /// Its public half.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// The signature of a message.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

/// The digits of no key are more.
const MAX_DIGITS: usize = 64;

/// The content of the one PEM block with this label.
fn der(pem: &[u8], label: &str) -> Option<Vec<u8>> {
    let pem = pem.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(pem);
    let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
    // What is behind the first marker, and the block between the two.
    let (mut open, mut found) = (None, None);
    let mut rest = Some(pem);
    while let Some(text) = rest {
        let (line, terminator);
        (line, terminator, rest) = first_line(text);
        match open {
            None if is_marker(line, &begin) && terminator.ends_with(b"\n") => open = rest,
            Some(block) if is_marker(line, &end) => {
                if found.is_some() {
                    return None;
                }
                found = Some(&block[..block.len() - text.len()]);
                open = None;
            }
            _ => {}
        }
    }
    let block = str::from_utf8(found?).ok()?;
    // Line ends are white space.
    let digits = block.encode_utf16().filter(|&unit| !is_white_space(unit));
    let digits: Vec<u16> = digits.take(MAX_DIGITS + 1).collect();
    if digits.len() > MAX_DIGITS { None } else { base64(&digits) }
}

/// The first line of a text, what ends it, and what follows. A line ends as in ECMAScript, or with a CR and LF.
fn first_line(text: &[u8]) -> (&[u8], &[u8], Option<&[u8]>) {
    for (at, &byte) in text.iter().enumerate() {
        let len = match (byte, &text[at + 1..]) {
            (b'\r', [b'\n', ..]) => 2,
            (b'\n' | b'\r', _) => 1,
            (0xE2, [0x80, 0xA8 | 0xA9, ..]) => 3,
            _ => continue,
        };
        return (&text[..at], &text[at..at + len], Some(&text[at + len..]));
    }
    (text, b"", None)
}

/// Whether a line is this marker, and blanks.
fn is_marker(line: &[u8], marker: &str) -> bool {
    line.strip_prefix(marker.as_bytes()).is_some_and(|rest| rest.iter().all(|byte| b" \t".contains(byte)))
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes base64 with its padding. Bits beyond the last byte do not count.
fn base64(digits: &[u16]) -> Option<Vec<u8>> {
    let is_pad = |&&unit: &&u16| unit == u16::from(b'=');
    let padding = digits.iter().rev().take_while(is_pad).count();
    if !digits.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(digits.len() / 4 * 3);
    for group in digits[..digits.len() - padding].chunks(4) {
        let mut bits = 0;
        for &unit in group {
            bits = bits << 6 | BASE64.iter().position(|&digit| u16::from(digit) == unit)? as u32;
        }
        bits <<= 6 * (4 - group.len());
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(out)
}

/// A PEM block, its base64 in lines of 64.
fn pem(label: &str, der: &[u8]) -> String {
    let mut digits = String::new();
    for group in der.chunks(3) {
        let mut bytes = [0; 4];
        bytes[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(bytes);
        for at in 0..4 {
            let digit = BASE64[(bits >> (18 - 6 * at) & 63) as usize];
            digits.push(if at <= group.len() { digit.into() } else { '=' });
        }
    }
    let lines: Vec<_> = digits.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEM: &str = "-----BEGIN PUBLIC KEY-----\n\
        MCowBQYDK2VwAyEArDPmR+Gvu1HawnSvM6xjZao7BVPPQ80Qq3sa1hAYvDU=\n\
        -----END PUBLIC KEY-----\n";

    #[test]
    fn reads_public_keys() {
        let key = PublicKey::from_pem(PEM.as_bytes());
        assert_eq!(key.as_ref().map(PublicKey::to_pem), Ok(PEM.to_owned()));
        for (name, text) in [
            ("CRLF", PEM.replace('\n', "\r\n")),
            ("no end of line", PEM.trim_end().to_owned()),
            ("byte order mark", format!("\u{FEFF}{PEM}")),
            ("text around", format!("Subject: us\n\n{PEM}\nand more -----BEGIN PUBLIC KEY-----\n")),
            (
                "CR, line and paragraph separators",
                format!("a\r{}\u{2029}b", PEM.replace("\n-----E", "\u{2028}-----E")),
            ),
            ("blanks", PEM.replace("MCow", "MC\u{a0} \tow").replace("-----\n", "----- \t\n")),
            ("a block left open", format!("{PEM}-----BEGIN PUBLIC KEY-----\nMCow")),
        ] {
            assert_eq!(PublicKey::from_pem(text.as_bytes()), key, "{name}");
        }
    }

    #[test]
    fn refuses_all_else() {
        for (name, text) in [
            ("empty", String::new()),
            ("two blocks", PEM.repeat(2)),
            ("leading blank", format!(" {PEM}")),
            ("one line", PEM.replace('\n', "")),
            ("another label", PEM.replace("PUBLIC", "PRIVATE")),
            ("end missing", PEM.replace("END", "FIN")),
            ("text after a marker", PEM.replace("-----\nMC", "----- x\nMC")),
            ("CR after the first marker", PEM.replacen('\n', "\r", 1)),
            ("header", PEM.replace("MCow", "Proc-Type: 4\n\nMCow")),
            ("padding missing", PEM.replace('=', "")),
            ("URL alphabet", PEM.replace('+', "-")),
            ("trailing byte", PEM.replace("DU=", "DUA")),
            ("another algorithm", PEM.replace("K2Vw", "K2Vx")),
        ] {
            assert_eq!(PublicKey::from_pem(text.as_bytes()), Err(ErrorKind::PublicKey.into()), "{name}");
        }
    }

    #[test]
    fn signs_and_verifies() {
        let pem = pem("PRIVATE KEY", &[PKCS8, &[7; 32]].concat());
        let key = PrivateKey::from_pem(pem.as_bytes()).map(|key| (key.public_key(), key.sign(b"message")));
        assert!(key.is_ok_and(|(key, signature)| {
            key.verifies(b"message", &signature) && !key.verifies(b"massage", &signature)
        }));
        assert!(PrivateKey::from_pem(PEM.as_bytes()).is_err());
    }

    #[test]
    fn a_block_that_is_no_utf8_is_none() {
        let pem = |blank: &[u8]| {
            let digits =
                [&b"MCowBQYDK2VwAyEArDPmR+Gvu1HawnSvM6xjZao7BVPPQ80Qq3sa"[..], blank, b"1hAYvDU=\n"].concat();
            [&b"-----BEGIN PUBLIC KEY-----\n"[..], &digits, b"-----END PUBLIC KEY-----\n"].concat()
        };
        assert!(PublicKey::from_pem(&pem("\u{a0}".as_bytes())).is_ok());
        assert_eq!(PublicKey::from_pem(&pem(b"\xa0")), Err(ErrorKind::PublicKey.into()));
    }
}
