//! Keys and signatures that nobody made: errors and verdicts, never panics; those that somebody made hold, and no other
//! bytes do.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tapeproof::error::ErrorKind;
use tapeproof::record::key::{PrivateKey, PublicKey};
use tapeproof::record::{Algorithm, Document, HmacKey, Keys, Processors, Signature, Signer, seal, verify};
use tapeproof_fuzz::pem;

const SPKI: &[u8] = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
const PKCS8: &[u8] = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";

/// What the first signed record of the goldens claims, and its keys.
const CONTENT: &str = "c7524fac799575a8285d5f78f1248ef80d08faec969ff7bc02e3e4927d4bc855";
const CASSETTE: &str = "e2343ce3b44a1a3c999d099f5e3e2c2db12f0ff61bcc661e4fddb3322eaffff0";
const PEM: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n\
    -----END PUBLIC KEY-----\n";
const HMAC_KEY: &[u8] = b"s3cret";
const HMAC: &str = "034a69e00c4ab501ea9ecda1a83b59fa125ed2a546324c1ddd562805beae1647";

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else { return };
    match mode % 4 {
        0 => public_key(rest),
        1 => private_key(rest),
        2 => hmac(rest),
        _ => block(rest, mode >> 2),
    }
});

fn public_key(text: &[u8]) {
    let expected = pem::key(text, "PUBLIC KEY", SPKI).map(PublicKey::from_bytes);
    assert_eq!(PublicKey::from_pem(text), expected.ok_or_else(|| ErrorKind::PublicKey.into()));
    if let Some(key) = expected {
        assert_eq!(PublicKey::from_pem(key.to_pem().as_bytes()), Ok(key));
        assert!(!key.verifies(text, &[0; 64]));
    }
}

fn private_key(text: &[u8]) {
    let is_key = pem::key(text, "PRIVATE KEY", PKCS8).is_some();
    match PrivateKey::from_pem(text) {
        Ok(key) => {
            assert!(is_key);
            check_pair(&key, text);
        }
        Err(error) => assert!(!is_key && error.kind() == ErrorKind::PrivateKey),
    }
}

fn check_pair(key: &PrivateKey, message: &[u8]) {
    let public = key.public_key();
    let signature = key.sign(message);
    assert!(public.verifies(message, &signature));
    assert!(!public.verifies(&[message, b"."].concat(), &signature));
    for at in [message.len() % 32, 32 + message.len() % 32] {
        let mut other = signature;
        other[at] ^= 1 << (message.len() % 8);
        assert!(!public.verifies(message, &other));
    }
}

/// A key, a NUL and a value: the value is right when it is the one that sealing gives.
fn hmac(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (key, value) = data.split_at(end);
    let value = String::from_utf8_lossy(value.get(1..).unwrap_or_default());
    let draft = || json!({ "manifest": { "run_id": "r" }, "run": {}, "events": [] });
    let sealed = seal(&document(&draft()), &Signer::Hmac(key.to_vec())).expect("a seal");
    let right = sealed.signature.expect("a signature").value;
    let keys = |key: Vec<u8>| Keys { hmac: vec![HmacKey::Bytes(key)], ..Keys::default() };
    let verdict = |value: &str, keys: &Keys| {
        let mut record = draft();
        record["manifest"] = json!({
            "content_digest": String::from_utf8_lossy(&sealed.content_digest),
            "replay": { "cassette_digest": String::from_utf8_lossy(&sealed.cassette_digest) },
            "signature": { "alg": "HMAC-SHA256", "value": value },
        });
        verify(&document(&record), keys, Processors::All).expect("a report").signature
    };
    assert_eq!(verdict(&right, &keys(key.to_vec())), Signature::Valid);
    let expected = match &*value {
        "" => Signature::Unsigned,
        value if value == right => Signature::Valid,
        _ => Signature::Invalid,
    };
    assert_eq!(verdict(&value, &keys(key.to_vec())), expected);
    assert_eq!(verdict(&right, &keys([b"another ", key].concat())), Signature::Invalid);
}

/// The `signature` of a manifest, as JSON text.
fn block(text: &[u8], known: u8) {
    let keys = Keys {
        pinned: golden_key().filter(|_| known & 1 != 0).into_iter().collect(),
        revoked: golden_key().filter(|_| known & 2 != 0).into_iter().collect(),
        hmac: (known & 4 != 0).then(|| HmacKey::Bytes(HMAC_KEY.to_vec())).into_iter().collect(),
    };
    let head = format!(
        r#"{{"events":[],"run":{{}},"manifest":{{"content_digest":"{CONTENT}","replay":{{"cassette_digest":"{CASSETTE}"}},"signature":"#
    );
    let record = Document::from_utf8([head.as_bytes(), text, b"}}"].concat());
    let report = record.and_then(|record| verify(&record, &keys, Processors::All));
    if let Ok(signature) = serde_json::from_slice(text) {
        let report = report.expect("a report");
        assert_eq!((report.signature, report.algorithm), verdict(&signature, &keys));
    }
}

fn verdict(signature: &Value, keys: &Keys) -> (Signature, Option<Algorithm>) {
    let text = |name: &str| signature.get(name).and_then(Value::as_str);
    if !signature.get("value").is_some_and(is_truthy) {
        (Signature::Unsigned, None)
    } else if text("alg") == Some("Ed25519") {
        let verdict = match signature.get("pubkey") {
            Some(pubkey) if is_truthy(pubkey) => ed25519(text("value"), text("pubkey"), keys),
            _ => Signature::NoKey,
        };
        (verdict, Some(Algorithm::Ed25519))
    } else {
        let verdict = match (keys.hmac.is_empty(), text("value")) {
            (true, _) => Signature::NoKey,
            (false, Some(HMAC)) => Signature::Valid,
            (false, _) => Signature::Invalid,
        };
        (verdict, Some(Algorithm::Hmac))
    }
}

fn ed25519(value: Option<&str>, pubkey: Option<&str>, keys: &Keys) -> Signature {
    let signer = pubkey.and_then(|pubkey| pem::key(pubkey.as_bytes(), "PUBLIC KEY", SPKI));
    let message = format!("{CONTENT}:{CASSETTE}");
    match (value.and_then(hex), signer.map(PublicKey::from_bytes)) {
        (Some(signature), Some(signer)) if signer.verifies(message.as_bytes(), &signature) => {
            if keys.revoked.contains(&signer) {
                Signature::Revoked
            } else if keys.pinned.contains(&signer) {
                Signature::Valid
            } else {
                Signature::ValidUnpinned
            }
        }
        _ => Signature::Invalid,
    }
}

fn hex(text: &str) -> Option<[u8; 64]> {
    let is_hex = text.len() == 128 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = is_hex.then(|| (0..128).step_by(2).map(byte).collect())?;
    bytes?.try_into().ok()
}

fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn golden_key() -> Option<PublicKey> {
    PublicKey::from_pem(PEM.as_bytes()).ok()
}

fn document(value: &Value) -> Document {
    Document::from_utf8(value.to_string().into_bytes()).expect("a document")
}
