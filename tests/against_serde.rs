//! The JSON reader against `serde_json`, and canonical text against `serde_jcs`, wherever both are defined.
//!
//! They are not where JavaScript has what Rust's strings and `serde_json`'s numbers have not: a lone surrogate, and a
//! number beyond the largest double. `TAPEPROOF_SEED` repeats a run.

use serde_json::{Map, Number, Value};
use tapeproof::error::{Error, ErrorKind};
use tapeproof::json::read::{read, utf8};
use tapeproof::json::value::{Doc, Key, Kind, NodeId, Text};
use tapeproof::request::{Canonicalizer, NoStrings, ToolOrder};

/// Seeded choices (xorshift64).
struct Source(u64);

impl Source {
    fn new() -> (Self, u64) {
        let given = std::env::var("TAPEPROOF_SEED").ok().and_then(|seed| seed.parse().ok());
        let now = || {
            let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
            since.as_micros() as u64
        };
        let seed: u64 = given.unwrap_or_else(now);
        // No seed leads to the state zero, which would stay zero.
        (Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1), seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.bits() >> 33) as usize % bound
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

const SPACES: &[&str] = &["", "", "", " ", "\n\t", "\r\n "];

/// What a string literal can be made of.
const PIECES: &[&str] = &[
    "a",
    "Z",
    "0",
    "10",
    "~/",
    " ",
    r"\u0000",
    r"\u001f",
    r"\b\f\n\r\t",
    r#"\"\\\/"#,
    "\u{7f}",
    r"\u00e9",
    "é",
    "e\u{301}",
    "\u{2028}",
    "\u{fb33}",
    "\u{ffff}",
    "😀",
    r"\ud83d\ude00",
    r"\uD83D\uDE01",
    "a run of plain text that is longer than one block of the scanner",
];

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "7",
    "-1",
    "1e21",
    "1E-7",
    "0.1",
    "5e-324",
    "1e-400",
    "1.7976931348623157e308",
    "9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.500000000000000166533453693773481063544750213623046875",
    "333333333.33333329",
];

fn push_string(source: &mut Source, out: &mut String) {
    out.push('"');
    (0..source.below(4)).for_each(|_| out.push_str(source.pick(PIECES)));
    out.push('"');
}

/// Appends a random JSON text.
fn push_value(source: &mut Source, depth: usize, out: &mut String) {
    out.push_str(source.pick(SPACES));
    match source.below(if depth == 0 { 6 } else { 10 }) {
        0 => out.push_str(source.pick(&["null", "true", "false"])),
        1 => out.push_str(source.pick(NUMBERS)),
        2 => out.push_str(&(source.bits().cast_signed() >> source.below(64)).to_string()),
        3 => {
            let number = f64::from_bits(source.bits());
            let text = format!("{:e}", if number.is_finite() { number } else { 0.25 });
            out.push_str(&text);
        }
        4 | 5 => push_string(source, out),
        kind => {
            let is_object = kind > 7;
            out.push(if is_object { '{' } else { '[' });
            for index in 0..source.below(if depth == 5 { 40 } else { 5 }) {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(source.pick(SPACES));
                if is_object {
                    push_string(source, out);
                    out.push_str(source.pick(SPACES));
                    out.push(':');
                }
                push_value(source, depth - 1, out);
            }
            out.push_str(source.pick(SPACES));
            out.push(if is_object { '}' } else { ']' });
        }
    }
    out.push_str(source.pick(SPACES));
}

fn random_text(source: &mut Source) -> String {
    let mut text = String::new();
    push_value(source, 5, &mut text);
    text
}

/// A value that was read, as `serde_json` would have it; `None` where it cannot have it.
fn as_serde(doc: &Doc, id: NodeId) -> Option<Value> {
    let string = |start, len| str::from_utf8(doc.text(start, len)).ok().map(str::to_owned);
    Some(match doc.node(id).kind {
        Kind::Null => Value::Null,
        Kind::Bool(bool) => Value::Bool(bool),
        Kind::Number(number) => Value::Number(Number::from_f64(number)?),
        Kind::String(Text::Bytes { start, len }) => Value::String(string(start, len)?),
        Kind::Array => Value::Array(doc.children(id).map(|id| as_serde(doc, id)).collect::<Option<_>>()?),
        Kind::Object => {
            let mut members = Map::new();
            for id in doc.children(id) {
                let Key::Literal { start, len } = doc.node(id).key else { return None };
                members.insert(string(start, len)?, as_serde(doc, id)?);
            }
            Value::Object(members)
        }
        _ => return None,
    })
}

/// The same value with every number as a double, as JavaScript has it.
fn doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            number.as_f64().and_then(Number::from_f64).map_or(Value::Null, Value::Number)
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(doubles).collect()),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(key, value)| (key, doubles(value))).collect())
        }
        value => value,
    }
}

fn read_bytes(text: &[u8], doc: &mut Doc) -> Result<(), Error> {
    utf8(text).and_then(|text| read(text.as_bytes(), doc))
}

/// The canonical text of the value that a text holds, not normalized: a counter stands in a request as it is.
fn canonical(text: &str) -> Result<String, Error> {
    let mut doc = Doc::default();
    read(format!(r#"{{"kind":"clock","counter":{text}}}"#).as_bytes(), &mut doc)?;
    let bytes = Canonicalizer::default().request_text(&mut doc, ToolOrder::ByName, &mut NoStrings)?;
    let request = utf8(&bytes)?;
    let counter = request.strip_prefix(r#"{"counter":"#);
    let counter = counter.and_then(|rest| rest.strip_suffix(r#","kind":"clock"}"#));
    counter.map(str::to_owned).ok_or_else(|| ErrorKind::Frame.into())
}

#[test]
fn both_read_the_same_values() {
    let (mut source, seed) = Source::new();
    let mut doc = Doc::default();
    for _ in 0..4_000 {
        let text = random_text(&mut source);
        assert_eq!(read(text.as_bytes(), &mut doc), Ok(()), "seed {seed}: {text}");
        let theirs = serde_json::from_str(&text).ok().map(doubles);
        assert!(theirs.is_some(), "seed {seed}: {text}");
        assert_eq!(as_serde(&doc, 0), theirs, "seed {seed}: {text}");
    }
}

#[test]
fn both_refuse_the_same_broken_texts() {
    /// Why `serde_json` refuses what `JSON.parse` reads.
    const NOT_IN_RUST: &[&str] =
        &["lone leading surrogate", "unexpected end of hex escape", "number out of range"];
    const BYTES: &[u8] = b"\0\x1f \n\"\\/,:[]{}-+.eE019autf\xc3\xed\xff";
    let (mut source, seed) = Source::new();
    let mut doc = Doc::default();
    let mut refused = 0;
    for _ in 0..4_000 {
        let mut text = random_text(&mut source).into_bytes();
        let at = source.below(text.len());
        match source.below(3) {
            0 => drop(text.remove(at)),
            1 => text.insert(at, BYTES[source.below(BYTES.len())]),
            _ => text[at] = BYTES[source.below(BYTES.len())],
        }
        let shown = text.escape_ascii();
        match (read_bytes(&text, &mut doc), serde_json::from_slice(&text)) {
            (Ok(()), Ok(theirs)) => {
                assert_eq!(as_serde(&doc, 0), Some(doubles(theirs)), "seed {seed}: {shown}");
            }
            (Ok(()), Err(error)) => {
                let reason = error.to_string();
                assert!(NOT_IN_RUST.iter().any(|&known| reason.starts_with(known)), "seed {seed}: {shown}");
            }
            (Err(_), theirs) => {
                assert!(theirs.is_err(), "seed {seed}: {shown}");
                refused += 1;
            }
        }
    }
    assert!(refused > 400, "{refused}");
}

#[test]
fn only_ours_reads_what_javascript_alone_has() {
    let mut doc = Doc::default();
    for text in [r#""\ud800""#, r#"{"\udc00":1}"#, r#""\ude00\ud83d""#, "1e400", "[-1e309]"] {
        assert_eq!(read(text.as_bytes(), &mut doc), Ok(()), "{text}");
        assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
    }
}

#[test]
fn both_write_the_same_canonical_text() -> Result<(), serde_json::Error> {
    let (mut source, seed) = Source::new();
    for _ in 0..4_000 {
        let text = random_text(&mut source);
        let theirs = serde_jcs::to_string(&serde_json::from_str::<Value>(&text)?)?;
        assert_eq!(canonical(&text), Ok(theirs), "seed {seed}: {text}");
    }
    Ok(())
}

#[test]
fn both_write_the_same_numbers() -> Result<(), serde_json::Error> {
    let (mut source, seed) = Source::new();
    let mut out = Vec::new();
    for _ in 0..40_000 {
        let number = f64::from_bits(source.bits());
        if number.is_finite() {
            out.clear();
            tapeproof::json::number::write(number, &mut out);
            let theirs = serde_jcs::to_vec(&number)?;
            assert_eq!(out, theirs, "seed {seed}: {number:e}");
        }
    }
    Ok(())
}
