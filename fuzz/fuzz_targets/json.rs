//! The JSON reader against `serde_json`, on bytes that need not be text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::Deserialize as _;
use serde_json::Value;
use tapeproof::error::ErrorKind;
use tapeproof::jcs;
use tapeproof::json::read::{read, read_verbatim};
use tapeproof::json::value::{Doc, Key, Kind, NodeId, Text};
use tapeproof::limits::MAX_DEPTH;
use tapeproof::request::{Canonicalizer, NoStrings, ToolOrder};

fuzz_target!(|data: &[u8]| {
    let mut doc = Doc::default();
    let result = read(data, &mut doc);
    if let Err(error) = &result {
        assert!(doc.nodes.is_empty());
        assert!(error.offset().is_none_or(|offset| offset <= data.len()));
    }
    let depth = depth(data);
    match &result {
        Ok(()) => assert!(depth <= MAX_DEPTH),
        Err(error) if error.kind() == ErrorKind::Depth => assert!(depth > MAX_DEPTH),
        Err(error) => assert_eq!(error.kind(), ErrorKind::Syntax),
    }
    if depth <= MAX_DEPTH {
        match serde(data) {
            Ok(value) => {
                assert_eq!(result, Ok(()));
                compare(&doc, 0, &value);
            }
            // What `serde_json` refuses and `JSON.parse` does not.
            Err(error) => {
                let error = error.to_string();
                let stricter = ["number out of range", "surrogate", "hex escape", "unicode code point"];
                assert!(result.is_err() || stricter.iter().any(|reason| error.contains(reason)), "{error}");
            }
        }
    }
    if str::from_utf8(data).is_ok() {
        check_verbatim(data, result.is_ok().then_some(&doc));
    }
    if result.is_ok() {
        let mut core = Canonicalizer::default();
        let _ = core.state_hash(&mut doc, &mut NoStrings);
        if read(data, &mut doc).is_ok() {
            let _ = core.req_hash(&mut doc, ToolOrder::ByName, &mut NoStrings);
        }
    }
});

/// Strings that were left as they stand are what a writer would write.
fn check_verbatim(data: &[u8], expected: Option<&Doc>) {
    let (Ok((doc, verbatim)), Some(expected)) = (read_verbatim(data.to_vec()), expected) else {
        assert!(read_verbatim(data.to_vec()).is_err() && expected.is_none());
        return;
    };
    assert_eq!([doc.nodes.len(), verbatim.len()], [expected.nodes.len(); 2]);
    for ((node, is_verbatim), other) in doc.nodes.iter().zip(verbatim).zip(&expected.nodes) {
        assert_eq!(node.next, other.next);
        match (node.kind, other.kind) {
            (
                Kind::String(Text::Bytes { start, len }),
                Kind::String(Text::Bytes { start: at, len: bytes }),
            ) => {
                let mut text = expected.text(at, bytes).to_vec();
                if is_verbatim {
                    let mut escaped = Vec::new();
                    jcs::push_escaped(&text, &mut escaped);
                    text = escaped;
                }
                assert_eq!(doc.text(start, len), text);
            }
            (kind, other) => assert!(!is_verbatim && kind == other),
        }
    }
}

fn serde(data: &[u8]) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(data);
    deserializer.disable_recursion_limit();
    let value = Value::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// The deepest nesting of brackets that are not in strings.
fn depth(data: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for &byte in data {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn compare(doc: &Doc, id: NodeId, value: &Value) {
    let text = |text| match text {
        Text::Bytes { start, len } => doc.text(start, len),
        Text::Units { .. } | Text::External { .. } => unreachable!("a document from text"),
    };
    match (doc.node(id).kind, value) {
        (Kind::Null, Value::Null) => {}
        (Kind::Bool(one), Value::Bool(other)) => assert_eq!(one, *other),
        (Kind::Number(one), Value::Number(other)) => {
            assert_eq!(Some(one.to_bits()), other.as_f64().map(f64::to_bits));
        }
        (Kind::String(one), Value::String(other)) => assert_eq!(text(one), other.as_bytes()),
        (Kind::Array, Value::Array(elements)) => {
            let ids: Vec<_> = doc.children(id).collect();
            assert_eq!(ids.len(), elements.len());
            ids.into_iter().zip(elements).for_each(|(id, element)| compare(doc, id, element));
        }
        (Kind::Object, Value::Object(members)) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| array_index(key).unwrap_or(u32::MAX));
            let ids: Vec<_> = doc.children(id).collect();
            assert_eq!(ids.len(), members.len());
            for (id, (key, member)) in ids.into_iter().zip(members) {
                let Key::Literal { start, len } = doc.node(id).key else {
                    unreachable!("a member has a key")
                };
                assert_eq!(doc.text(start, len), key.as_bytes());
                compare(doc, id, member);
            }
        }
        (kind, value) => panic!("{kind:?} is not {value}"),
    }
}

fn array_index(key: &str) -> Option<u32> {
    let index: u32 = key.parse().ok().filter(|&index| index != u32::MAX)?;
    (index.to_string() == key).then_some(index)
}
