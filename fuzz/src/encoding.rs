//! Values as frames and as JSON text.

use std::fmt::Write as _;

use tapeproof::error::{Error, ErrorKind};
use tapeproof::frame::VERSION;
use tapeproof::request::{Keys, NoStrings, Strings};
use tapeproof::text::wtf8;

use crate::value::{KEYS, Value};

/// The strings beside a frame.
#[derive(Debug, Default)]
pub struct Heap(Vec<Vec<u16>>);

impl Heap {
    /// Some strings of every kind, for frames that come from nowhere.
    pub fn samples() -> Self {
        let texts =
            ["", "x", "  a \r\n b", "e\u{301}", "```\n a  \n```", "data:;base64,QUJD", "“é” 😀\u{1}\\"];
        let mut texts: Vec<Vec<u16>> = texts.iter().map(|text| text.encode_utf16().collect()).collect();
        texts.push(vec![0xd800, 0x20, 0xdc00]);
        texts.push("QUJD".repeat(256).encode_utf16().collect());
        Self(texts)
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.0.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Strings for &Heap {
    fn read(&mut self, index: u32, _len: usize, units: &mut Vec<u16>) -> Result<(), Error> {
        let text = self.0.get(index as usize).ok_or(ErrorKind::Frame)?;
        units.clear();
        units.extend(text);
        Ok(())
    }

    fn nfc(&mut self, units: &mut Vec<u16>) -> Result<(), Error> {
        NoStrings.nfc(units)
    }
}

/// Interns the keys that frames name by number: those of `keys.txt` follow the fields of a request.
pub fn intern(keys: &mut Keys) {
    for key in KEYS.lines() {
        keys.intern(key.as_bytes());
    }
}

/// How a frame holds what it can hold in two ways.
#[derive(Debug, Clone, Copy)]
pub struct Encoding {
    /// Known keys by their numbers.
    pub interned: bool,
    /// Strings in the text beside the frame, not in the list.
    pub joined: bool,
}

/// The frame of a value, the text beside it, and the list.
pub fn frame(value: &Value, keys: &mut Keys, encoding: Encoding) -> (Vec<u32>, Vec<u16>, Heap) {
    let Encoding { interned, joined } = encoding;
    let mut writer =
        Writer { keys, interned, frame: vec![VERSION, 0], text: Vec::new(), heap: Heap::default() };
    writer.value(0, value, joined);
    writer.frame[1] = writer.text.len() as u32;
    (writer.frame, writer.text, writer.heap)
}

struct Writer<'a> {
    keys: &'a mut Keys,
    interned: bool,
    frame: Vec<u32>,
    text: Vec<u16>,
    heap: Heap,
}

impl Writer<'_> {
    /// `head` holds the key of a member.
    fn value(&mut self, head: u32, value: &Value, joined: bool) {
        match value {
            Value::Null => self.frame.push(head),
            Value::Bool(bool) => self.frame.push(head + 1 + u32::from(*bool)),
            Value::Undefined => self.frame.push(head + 3),
            Value::Number(number) => self.number(head, *number),
            Value::Text(text) => self.text(head, text, joined),
            Value::Function => self.reference(head + 9, &[]),
            Value::Symbol => self.reference(head + 10, &[]),
            Value::BigInt => self.reference(head + 11, &[]),
            Value::Array(elements) => {
                self.frame.push(head + 13);
                for element in elements {
                    self.value(0, element, joined);
                }
                self.frame.push(15);
            }
            Value::Object(members) => {
                self.frame.push(head + 14);
                for (key, value) in members {
                    let head = self.key(key);
                    // The kind of a request is always in the text.
                    self.value(head, value, joined || key.iter().copied().eq("kind".encode_utf16()));
                }
                self.frame.push(15);
            }
        }
    }

    fn number(&mut self, head: u32, number: f64) {
        let integer = number as i32;
        let bits = number.to_bits();
        if f64::from(integer).to_bits() == bits {
            self.frame.extend([head + 5, integer.cast_unsigned()]);
        } else {
            self.frame.extend([head + 6, bits as u32, (bits >> 32) as u32]);
        }
    }

    fn text(&mut self, head: u32, text: &[u16], joined: bool) {
        if joined {
            self.frame.push(head + 7);
            self.text.extend(text);
        } else {
            self.reference(head + 8, text);
        }
        self.frame.push(text.len() as u32);
    }

    fn reference(&mut self, word: u32, text: &[u16]) {
        self.frame.extend([word, self.heap.len()]);
        self.heap.0.push(text.to_vec());
    }

    fn key(&mut self, key: &[u16]) -> u32 {
        let mut bytes = Vec::new();
        let _ = wtf8::push(key, &mut bytes);
        match self.keys.intern(&bytes).0 {
            Some(id) if self.interned => u32::from(id) << 16,
            _ => {
                self.frame.extend([16, key.len() as u32]);
                self.text.extend(key);
                0xfffe << 16
            }
        }
    }
}

/// The JSON text of a value that has one.
pub fn json(value: &Value) -> Option<String> {
    let mut out = String::new();
    push_json(value, &mut out)?;
    Some(out)
}

fn push_json(value: &Value, out: &mut String) -> Option<()> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(bool) => out.push_str(if *bool { "true" } else { "false" }),
        Value::Number(number) if number.is_nan() => return None,
        Value::Number(number) if number.is_infinite() => {
            out.push_str(if *number > 0.0 { "1e999" } else { "-1e999" });
        }
        Value::Number(number) => drop(write!(out, "{number:e}")),
        Value::Text(text) => push_quoted(text, out),
        Value::Undefined | Value::Function | Value::Symbol | Value::BigInt => return None,
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index > 0 { " , " } else { "" });
                push_json(element, out)?;
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                push_quoted(key, out);
                out.push(':');
                push_json(value, out)?;
            }
            out.push('}');
        }
    }
    Some(())
}

fn push_quoted(text: &[u16], out: &mut String) {
    out.push('"');
    for &unit in text {
        match u8::try_from(unit) {
            Ok(byte @ (b' ' | b'a'..=b'z' | b'A'..=b'Z')) => out.push(byte.into()),
            _ => drop(write!(out, "\\u{unit:04X}")),
        }
    }
    out.push('"');
}
