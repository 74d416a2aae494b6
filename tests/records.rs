//! The verdicts on recorded records.

use tapeproof::error::{Class, Error, ErrorKind};
use tapeproof::json::read::read;
use tapeproof::json::value::{Doc, Key, Kind, NodeId, Text};
use tapeproof::record::key::PublicKey;
use tapeproof::record::{Document, HmacKey, Keys, Processors, verify};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const PUBLISHED_KEY: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEArDPmR+Gvu1HawnSvM6xjZao7BVPPQ80Qq3sa1hAYvDU=\n\
    -----END PUBLIC KEY-----\n";

fn get(doc: &Doc, parent: NodeId, name: &str) -> Option<NodeId> {
    doc.children(parent).find(|&id| match doc.node(id).key {
        Key::Literal { start, len } => doc.text(start, len) == name.as_bytes(),
        _ => false,
    })
}

fn text(doc: &Doc, id: NodeId) -> Option<&[u8]> {
    match doc.node(id).kind {
        Kind::String(Text::Bytes { start, len }) => Some(doc.text(start, len)),
        _ => None,
    }
}

/// Whether two values are the same once `JSON.stringify` has been over both.
fn is_same(a: (&Doc, NodeId), b: (&Doc, NodeId), ignored: &[&str]) -> bool {
    let json = |kind| match kind {
        Kind::Number(number) if number.is_infinite() => Kind::Null,
        kind => kind,
    };
    match (json(a.0.node(a.1).kind), json(b.0.node(b.1).kind)) {
        (Kind::String(_), Kind::String(_)) => text(a.0, a.1) == text(b.0, b.1),
        (Kind::Array, Kind::Array) => {
            let (mut left, mut right) = (a.0.children(a.1), b.0.children(b.1));
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return true,
                    (Some(x), Some(y)) if is_same((a.0, x), (b.0, y), ignored) => {}
                    _ => return false,
                }
            }
        }
        (Kind::Object, Kind::Object) => {
            let names = |(doc, id): (&Doc, NodeId)| {
                let names = doc.children(id).filter_map(|id| match doc.node(id).key {
                    Key::Literal { start, len } => {
                        Some(String::from_utf8_lossy(doc.text(start, len)).into_owned())
                    }
                    _ => None,
                });
                names
                    .filter(|name| !ignored.contains(&name.as_str()))
                    .collect::<std::collections::BTreeSet<_>>()
            };
            names(a) == names(b)
                && names(a).iter().all(|name| match (get(a.0, a.1, name), get(b.0, b.1, name)) {
                    (Some(x), Some(y)) => is_same((a.0, x), (b.0, y), ignored),
                    _ => false,
                })
        }
        (left, right) => left == right,
    }
}

/// One PEM, a list of them, or `null`.
fn pems(doc: &Doc, value: Option<NodeId>, default: &[&str]) -> Result<Vec<PublicKey>, Error> {
    let Some(id) = value else {
        return default.iter().map(|pem| PublicKey::from_pem(pem.as_bytes())).collect();
    };
    let pem = |id| text(doc, id).map_or(Err(ErrorKind::PublicKey.into()), PublicKey::from_pem);
    match doc.node(id).kind {
        Kind::Null => Ok(Vec::new()),
        Kind::Array => doc.children(id).map(pem).collect(),
        _ => pem(id).map(|key| vec![key]),
    }
}

fn keys(doc: &Doc, options: Option<NodeId>, signing_key: Option<NodeId>) -> Result<Keys, Error> {
    let option = |name| options.and_then(|options| get(doc, options, name));
    let hmac = match signing_key.map(|id| (doc.node(id).kind, text(doc, id))) {
        Some((_, Some([])) | (Kind::Number(0.0) | Kind::Null, _)) | None => Vec::new(),
        Some((_, Some(text))) => {
            let mut key = text.to_vec();
            tapeproof::text::wtf8::make_well_formed(&mut key);
            vec![HmacKey::Bytes(key)]
        }
        Some(_) => vec![HmacKey::Unusable],
    };
    Ok(Keys {
        pinned: pems(doc, option("expectedPublicKey"), &[PUBLISHED_KEY])?,
        revoked: pems(doc, option("revokedPublicKeys"), &[])?,
        hmac,
    })
}

fn verified(input: &Doc, id: NodeId, options: &str) -> Result<Vec<u8>, Error> {
    let keys = keys(input, get(input, id, options), get(input, id, "signingKey"))?;
    let source = get(input, id, "text").and_then(|id| text(input, id)).unwrap_or_default();
    let report = verify(&Document::from_wtf8(source.to_vec())?, &keys, Processors::All)?.to_json()?;
    // The same without strings that were left as they stand.
    let mut doc = Doc::default();
    read(source, &mut doc)?;
    assert_eq!(verify(&doc.into(), &keys, Processors::AllButOne)?.to_json()?, report);
    Ok(report)
}

fn check(lines: &[u8], input: Option<&str>, options: &str) -> Outcome {
    let mut wrong = Vec::new();
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let mut golden = Doc::default();
        read(line, &mut golden)?;
        let at = |id, name| get(&golden, id, name).ok_or("missing member");
        let name = String::from_utf8_lossy(text(&golden, at(0, "name")?).unwrap_or_default()).into_owned();
        let result = verified(&golden, input.map_or(Ok(0), |input| at(0, input))?, options);
        let expected = at(0, "expected")?;
        let throws = get(&golden, expected, "throws").and_then(|throws| get(&golden, throws, "name"));
        let is_right = match (&result, throws.and_then(|name| text(&golden, name))) {
            (Ok(json), None) => {
                let mut report = Doc::default();
                read(json, &mut report)?;
                is_same((&report, 0), (&golden, expected), &["failures"])
            }
            (Err(error), Some(class)) => {
                let name: &[u8] = match error.kind().class() {
                    Class::Error => b"Error",
                    Class::Type => b"TypeError",
                    Class::Range => b"RangeError",
                    Class::Syntax => b"SyntaxError",
                };
                name == class
            }
            _ => false,
        };
        if !is_right {
            wrong.push(format!(
                "{name}: {:?}",
                result.map(|json| String::from_utf8_lossy(&json).into_owned())
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn records() -> Outcome {
    check(include_bytes!("../__test__/goldens/records.jsonl"), None, "options")
}

#[test]
fn traps() -> Outcome {
    check(include_bytes!("../__test__/goldens/traps.verify.jsonl"), Some("input"), "opts")
}
