//! What a record's signature proves.

use subtle::ConstantTimeEq;

use super::key::PublicKey;
use super::value::Value;
use crate::digest::{self, Sha256};
use crate::error::{Error, ErrorKind};
use crate::memory;
use crate::text::wtf8;

/// Keys to verify a signature with.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// A signature by one of these is [`Signature::Valid`].
    pub pinned: Vec<PublicKey>,
    /// A signature by one of these is [`Signature::Revoked`].
    pub revoked: Vec<PublicKey>,
    /// An HMAC signature that one of these makes is [`Signature::Valid`].
    pub hmac: Vec<HmacKey>,
}

/// A key of HMAC signatures.
#[derive(Clone)]
pub enum HmacKey {
    /// These bytes; of a text its UTF-8.
    Bytes(Vec<u8>),
    /// Something that is no key: misuse, if a signature asks for it.
    Unusable,
}

impl std::fmt::Debug for HmacKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HmacKey")
    }
}

/// The verdict on a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// By a pinned key, or with the right HMAC key.
    Valid,
    /// By the key inside the record, which proves nothing about who signed.
    ValidUnpinned,
    /// By a revoked key.
    Revoked,
    /// Wrong, or unreadable.
    Invalid,
    /// There is no key to verify it with.
    NoKey,
    /// There is none.
    Unsigned,
}

impl Signature {
    /// The verdict's name in a result.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::ValidUnpinned => "valid-unpinned",
            Self::Revoked => "revoked",
            Self::Invalid => "invalid",
            Self::NoKey => "no-key",
            Self::Unsigned => "unsigned",
        }
    }
}

/// How a record is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Ed25519, without pre-hash.
    Ed25519,
    /// HMAC-SHA256.
    Hmac,
}

impl Algorithm {
    /// The algorithm's name in a record.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ed25519 => "Ed25519",
            Self::Hmac => "HMAC-SHA256",
        }
    }
}

/// The verdict on a manifest's signature, and its algorithm unless it is unsigned.
///
/// # Errors
/// [`ErrorKind::SigningKey`] for an unusable HMAC key, [`ErrorKind::Conversion`] for digests that JavaScript cannot
/// print.
pub(super) fn check(manifest: Value, keys: &Keys) -> Result<(Signature, Option<Algorithm>), Error> {
    let signature = manifest.get(b"signature");
    let Some((signature, value)) =
        signature.and_then(|signature| Some((signature, signature.get(b"value")?)))
    else {
        return Ok((Signature::Unsigned, None));
    };
    if !value.is_truthy() {
        return Ok((Signature::Unsigned, None));
    }
    let payload = payload(manifest)?;
    if signature.get(b"alg").is_some_and(|alg| alg.is_text(b"Ed25519")) {
        let pubkey = signature.get(b"pubkey").filter(|pubkey| pubkey.is_truthy());
        let verdict = match pubkey {
            Some(pubkey) => ed25519(&payload, value, pubkey, keys)?,
            None => Signature::NoKey,
        };
        Ok((verdict, Some(Algorithm::Ed25519)))
    } else {
        let verdict = match value.text()? {
            _ if keys.hmac.is_empty() => Signature::NoKey,
            None => Signature::Invalid,
            Some(value) => made_by_one(&keys.hmac, &payload, &value)?,
        };
        Ok((verdict, Some(Algorithm::Hmac)))
    }
}

fn made_by_one(keys: &[HmacKey], payload: &[u8], value: &[u8]) -> Result<Signature, Error> {
    for key in keys {
        let HmacKey::Bytes(key) = key else { return Err(ErrorKind::SigningKey.into()) };
        if bool::from(hmac(key, payload).ct_eq(value)) {
            return Ok(Signature::Valid);
        }
    }
    Ok(Signature::Invalid)
}

/// The signed bytes: `content_digest:cassette_digest`, as a JavaScript template prints what the manifest claims.
fn payload(manifest: Value) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    print(manifest.get(b"content_digest"), &mut out)?;
    memory::push(&mut out, b':')?;
    print(manifest.get(b"replay").and_then(|replay| replay.get(b"cassette_digest")), &mut out)?;
    wtf8::make_well_formed(&mut out);
    Ok(out)
}

fn print(value: Option<Value>, out: &mut Vec<u8>) -> Result<(), Error> {
    let Some(value) = value else {
        return memory::append(out, b"undefined");
    };
    value.print(out)
}

fn ed25519(payload: &[u8], value: Value, pubkey: Value, keys: &Keys) -> Result<Signature, Error> {
    let Some(signature) = value.text()?.as_deref().and_then(from_hex) else { return Ok(Signature::Invalid) };
    let Some(Ok(signer)) = pubkey.text()?.as_deref().map(PublicKey::from_pem) else {
        return Ok(Signature::Invalid);
    };
    Ok(if !signer.verifies(payload, &signature) {
        Signature::Invalid
    } else if keys.revoked.contains(&signer) {
        Signature::Revoked
    } else if keys.pinned.contains(&signer) {
        Signature::Valid
    } else {
        Signature::ValidUnpinned
    })
}

/// The 64 bytes of 128 hex digits of either case.
fn from_hex(text: &[u8]) -> Option<[u8; 64]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut out = [0; 64];
    let (pairs, rest) = text.as_chunks::<2>();
    if pairs.len() != out.len() || !rest.is_empty() {
        return None;
    }
    for (byte, &[high, low]) in out.iter_mut().zip(pairs) {
        *byte = (digit(high)? << 4 | digit(low)?) as u8;
    }
    Some(out)
}

/// HMAC-SHA256 (RFC 2104) in hex.
pub(super) fn hmac(key: &[u8], message: &[u8]) -> [u8; digest::HEX_LEN] {
    const BLOCK: usize = 64;
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        let mut sha = Sha256::new();
        sha.update(key);
        block[..32].copy_from_slice(&sha.finish());
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let pass = |pad: u8, message: &[u8]| {
        let mut sha = Sha256::new();
        sha.update(&block.map(|byte| byte ^ pad));
        sha.update(message);
        sha.finish()
    };
    digest::hex(&pass(0x5C, &pass(0x36, message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hmac_of_rfc_4231() {
        for (key, message, expected) in [
            (
                &[0x0b; 20][..],
                &b"Hi There"[..],
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ] {
            assert_eq!(&hmac(key, message), expected.as_bytes());
        }
    }
}
