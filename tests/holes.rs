//! Holes: four billion of them cost JavaScript nothing, and must cost nothing here.

use tapeproof::error::{Error, ErrorKind};
use tapeproof::json::read::read;
use tapeproof::json::value::{Doc, Kind};
use tapeproof::record::{
    Document, HmacKey, Keys, Processors, Signer, cassette_digest, event_chain, seal, verify,
};

const STAND_IN: f64 = 4711.0;

/// A document with so many holes in place of 4711.
fn document(json: &str, count: u32) -> Document {
    let mut doc = Doc::default();
    assert_eq!(read(json.as_bytes(), &mut doc), Ok(()), "{json}");
    for node in &mut doc.nodes {
        if node.kind == Kind::Number(STAND_IN) {
            node.kind = Kind::Holes(count);
        }
    }
    Document::from(doc)
}

fn outcome<T>(result: Result<T, Error>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

#[test]
fn text_that_no_string_of_javascript_can_hold_is_an_error_at_once() {
    let keys = Keys { hmac: vec![HmacKey::Bytes(b"key".to_vec())], ..Keys::default() };
    let verified = |json: &str| outcome(verify(&document(json, u32::MAX), &keys, Processors::All));
    let chained = |json: &str| outcome(event_chain(&document(json, u32::MAX)));
    let digested = |json: &str| outcome(cassette_digest(&document(json, u32::MAX)));
    for (name, found) in [
        ("an event", chained("[[4711]]")),
        ("a member", chained(r#"[{"input":[[4711]]}]"#)),
        ("an entry", digested(r#"[{"type":"env","key":[4711]}]"#)),
        ("the name of a tool", digested(r#"[{"type":"tool","tool_name":[4711]}]"#)),
        ("a digest", {
            verified(r#"{"manifest":{"content_digest":[4711],"signature":{"value":"x"}},"events":[]}"#)
        }),
        ("the schema", verified(r#"{"$schema":[4711],"manifest":{"a":1},"events":[]}"#)),
        ("what the run says", {
            verified(
                r#"{"manifest":{"a":1},"run":{"output":[4711]},"events":[{"type":"run","phase":"end"}]}"#,
            )
        }),
        ("a sealed event", {
            let draft = document(r#"{"manifest":{"a":1},"events":[{"type":"env","key":[4711]}]}"#, u32::MAX);
            outcome(seal(&draft, &Signer::None))
        }),
    ] {
        assert_eq!(found, Some(ErrorKind::Memory), "{name}");
    }
}

#[test]
fn each_hole_among_the_events_is_an_event() {
    let nulls = |text: &str| event_chain(&document(text, 0));
    assert_eq!(event_chain(&document("[4711]", 3)), nulls("[null,null,null]"));
    assert_eq!(event_chain(&document(r#"[4711,{"a":1}]"#, 2)), nulls(r#"[null,null,{"a":1}]"#));
    assert_eq!(event_chain(&document("[[4711]]", 2)), nulls("[[null,null]]"));
}
