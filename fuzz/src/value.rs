//! JavaScript values, made from the bytes of a fuzzer.

use arbitrary::{Arbitrary, Result, Unstructured};

/// A value that a frame can hold. Objects have their members as JavaScript enumerates them.
#[derive(Debug, Clone)]
pub enum Value {
    /// `null`
    Null,
    /// `undefined`
    Undefined,
    /// `true` or `false`
    Bool(bool),
    /// Any number.
    Number(f64),
    /// Any string.
    Text(Vec<u16>),
    /// A function.
    Function,
    /// A symbol.
    Symbol,
    /// A `BigInt`.
    BigInt,
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Vec<(Vec<u16>, Value)>),
}

const MAX_DEPTH: usize = 24;

/// The keys that objects mostly have.
pub const KEYS: &str = include_str!("../keys.txt");

const FIELDS: [&str; 15] = [
    "tool_name",
    "args",
    "counter",
    "provider",
    "model_id",
    "messages",
    "system_prompt_sha",
    "tool_schemas",
    "response_format",
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "max_tokens",
    "tool_choice",
];

const TEXTS: [&str; 12] = [
    "",
    "msg_1",
    "msg_2",
    "a text that is longer than what stands in a frame",
    "data:image/png;base64,QUJD",
    "data:;base64,QU JD==",
    "  a \t b\r\n\n",
    "x ```\n  code  \n\n``` y",
    "e\u{301} \u{212b} \u{1fef}\u{1fef}\u{1fef}",
    "\u{feff}\u{3000}",
    "“quoted” — \"quoted\" \\ \u{7f}\u{1}",
    "😀\u{e000}",
];

impl<'a> Arbitrary<'a> for Value {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        value(u, 0)
    }
}

/// An object with the fields of a request.
///
/// # Errors
/// When there is no more data to draw from.
pub fn request(u: &mut Unstructured<'_>) -> Result<Value> {
    let kind = u.choose(&["model", "model", "tool", "clock"])?;
    let mut members = vec![(units("kind"), Value::Text(units(kind)))];
    for name in FIELDS {
        if u.ratio(1, 2)? {
            members.push((units(name), value(u, 1)?));
        }
    }
    Ok(Value::Object(members))
}

fn value(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let last = if depth < MAX_DEPTH { 15 } else { 10 };
    Ok(match u.int_in_range(0..=last)? {
        0 => Value::Null,
        1 => Value::Bool(u.arbitrary()?),
        2 => Value::Number(u.arbitrary::<i32>()?.into()),
        3 => Value::Number(u.arbitrary()?),
        4..=6 => Value::Text(text(u)?),
        7 => Value::Undefined,
        8 => Value::Function,
        9 => Value::Symbol,
        10 => Value::BigInt,
        11 | 12 => {
            let count = u.int_in_range(0..=5)?;
            Value::Array((0..count).map(|_| value(u, depth + 1)).collect::<Result<_>>()?)
        }
        _ => {
            let count = u.int_in_range(0..=20)?;
            let members = (0..count).map(|_| Ok((key(u)?, value(u, depth + 1)?)));
            Value::Object(own_entries(members.collect::<Result<_>>()?))
        }
    })
}

fn key(u: &mut Unstructured<'_>) -> Result<Vec<u16>> {
    let keys: Vec<_> = KEYS.lines().collect();
    if u.ratio(7, 8)? { Ok(units(u.choose(&keys)?)) } else { text(u) }
}

fn text(u: &mut Unstructured<'_>) -> Result<Vec<u16>> {
    if u.ratio(1, 2)? {
        return Ok(units(u.choose(&TEXTS)?));
    }
    let len = u.int_in_range(0..=60)?;
    Ok(u.bytes(len.min(u.len()))?.iter().map(|&byte| unit(byte)).collect())
}

/// The UTF-16 of a text.
pub fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A unit for a byte: ASCII for most, and for the rest those that normalization knows.
pub fn unit(byte: u8) -> u16 {
    const ODD: &[u16] = &[
        0x85, 0xa0, 0xe9, 0xad, 0x300, 0x301, 0x327, 0x345, 0x34f, 0x5b0, 0x1100, 0x1161, 0x11a8, 0x1680,
        0x180e, 0x1fef, 0x2000, 0x2001, 0x200a, 0x200b, 0x2014, 0x2028, 0x2029, 0x202f, 0x205f, 0x2126,
        0x212a, 0x3000, 0xac00, 0xd800, 0xd834, 0xd83d, 0xdbff, 0xdc00, 0xdd5e, 0xde00, 0xdfff, 0xe000,
        0xf900, 0xfb33, 0xfeff, 0xfffd, 0xffff, 0x20, 0x20, 0x0a, 0x0d, 0x09, 0x60, 0x60, 0x3d, 0x2b,
    ];
    match byte {
        0..0x80 => byte.into(),
        _ => ODD[usize::from(byte - 0x80) % ODD.len()],
    }
}

/// The last of several equal keys counts, in the first one's place; array indices come first, ascending.
fn own_entries(members: Vec<(Vec<u16>, Value)>) -> Vec<(Vec<u16>, Value)> {
    let mut entries: Vec<(Vec<u16>, Value)> = Vec::new();
    for (key, value) in members {
        match entries.iter_mut().find(|(known, _)| *known == key) {
            Some(entry) => entry.1 = value,
            None => entries.push((key, value)),
        }
    }
    entries.sort_by_key(|(key, _)| array_index(key).unwrap_or(u32::MAX));
    entries
}

fn array_index(key: &[u16]) -> Option<u32> {
    let text = String::from_utf16(key).ok()?;
    let index: u32 = text.parse().ok().filter(|&index| index != u32::MAX)?;
    (index.to_string() == text).then_some(index)
}

impl Value {
    /// The same value with the members of every object the other way round.
    #[must_use]
    pub fn reversed(&self) -> Self {
        match self {
            Self::Array(elements) => Self::Array(elements.iter().map(Self::reversed).collect()),
            Self::Object(members) => Self::Object(
                members.iter().rev().map(|(key, value)| (key.clone(), value.reversed())).collect(),
            ),
            _ => self.clone(),
        }
    }

    /// Whether any key, anywhere, is one of those whose text becomes an ordinal.
    pub fn has_ids(&self) -> bool {
        match self {
            Self::Array(elements) => elements.iter().any(Self::has_ids),
            Self::Object(members) => members.iter().any(|(key, value)| {
                let key = String::from_utf16_lossy(key).to_lowercase();
                key == "id" || key.ends_with("_id") || value.has_ids()
            }),
            _ => false,
        }
    }
}
