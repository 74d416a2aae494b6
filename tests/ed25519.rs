//! Third-party conformance vectors of Ed25519, read where they are and never copied.

use std::path::Path;

use serde_json::Value;
use tapeproof::record::key::PublicKey;

/// The vectors, or a message that they are not here.
fn vectors(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors/ed25519").join(name);
    let text = std::fs::read(&path).ok();
    assert!(text.is_some() || !path.parent().is_some_and(Path::exists), "{} is missing", path.display());
    text.and_then(|text| serde_json::from_slice(&text).ok())
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap_or_default();
    (0..hex.len() / 2).filter_map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()).collect()
}

fn verifies(key: &Value, message: &Value, signature: &Value) -> bool {
    match (bytes(key).try_into(), bytes(signature).try_into()) {
        (Ok(key), Ok(signature)) => PublicKey::from_bytes(key).verifies(&bytes(message), &signature),
        _ => false,
    }
}

#[test]
fn wycheproof() {
    let Some(vectors) = vectors("wycheproof_ed25519_test.json") else { return };
    let mut count = 0;
    for group in vectors["testGroups"].as_array().into_iter().flatten() {
        for test in group["tests"].as_array().into_iter().flatten() {
            let verdict = verifies(&group["publicKey"]["pk"], &test["msg"], &test["sig"]);
            assert_eq!(verdict, test["result"] == "valid", "{} {}", test["tcId"], test["comment"]);
            count += 1;
        }
    }
    assert_eq!(vectors["numberOfTests"], count);
}

#[test]
fn speccheck_accepts_case_3_alone() {
    let Some(vectors) = vectors("speccheck_cases.json") else { return };
    let cases = vectors.as_array().map(Vec::as_slice).unwrap_or_default();
    let verdicts: Vec<_> =
        cases.iter().map(|case| verifies(&case["pub_key"], &case["message"], &case["signature"])).collect();
    assert_eq!(verdicts, (0..12).map(|case| case == 3).collect::<Vec<_>>());
}
