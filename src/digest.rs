//! SHA-256, its hex text, and the version prefix of request and state hashes.

use sha2::Digest as _;

/// The version of the hashing rules, a wire format: any change to any rule needs a new one.
pub const HASH_VERSION: u32 = 3;

/// `HASH_VERSION` in decimal and one zero byte, ahead of the canonical text.
const VERSION_PREFIX: &[u8] = b"3\0";

/// Length of a digest in hex.
pub const HEX_LEN: usize = 64;

/// Length of `sha256:` and a digest in hex.
pub const PREFIXED_LEN: usize = PREFIX.len() + HEX_LEN;

const PREFIX: &[u8] = b"sha256:";

/// A running SHA-256.
#[derive(Debug, Clone, Default)]
pub struct Sha256(sha2::Sha256);

impl Sha256 {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begun with the version prefix, as every request and state hash is.
    pub fn versioned() -> Self {
        let mut sha = Self::new();
        sha.update(VERSION_PREFIX);
        sha
    }

    /// Takes more bytes.
    #[inline]
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes taken.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// A digest as 64 lowercase hex digits.
pub fn hex(digest: &[u8; 32]) -> [u8; HEX_LEN] {
    let digit = |nibble: u8| b"0123456789abcdef"[usize::from(nibble)];
    let mut text = [0; HEX_LEN];
    for (pair, byte) in text.chunks_exact_mut(2).zip(digest) {
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    text
}

/// A digest as `sha256:` and 64 lowercase hex digits.
pub fn prefixed_hex(digest: &[u8; 32]) -> [u8; PREFIXED_LEN] {
    let mut text = [0; PREFIXED_LEN];
    text[..PREFIX.len()].copy_from_slice(PREFIX);
    text[PREFIX.len()..].copy_from_slice(&hex(digest));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_the_version() {
        assert_eq!(VERSION_PREFIX, format!("{HASH_VERSION}\0").as_bytes());
    }

    #[test]
    fn digest_of_nothing() {
        let text = prefixed_hex(&Sha256::new().finish());
        assert_eq!(&text, b"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
