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
    /// Short ASCII in the frame.
    pub inline: bool,
}

/// The frame of a value, and the strings beside it.
pub fn frame(value: &Value, keys: &mut Keys, encoding: Encoding) -> (Vec<u8>, Heap) {
    let mut writer = Writer { keys, encoding, frame: vec![VERSION], heap: Heap::default() };
    writer.value(value, encoding.inline);
    (writer.frame, writer.heap)
}

struct Writer<'a> {
    keys: &'a mut Keys,
    encoding: Encoding,
    frame: Vec<u8>,
    heap: Heap,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, inline: bool) {
        match value {
            Value::Null => self.frame.push(0),
            Value::Bool(bool) => self.frame.push(1 + u8::from(*bool)),
            Value::Undefined => self.frame.push(3),
            Value::Number(number) => self.number(*number),
            Value::Text(text) => self.text(text, inline),
            Value::Function => self.reference(9, &[]),
            Value::Symbol => self.reference(10, &[]),
            Value::BigInt => self.reference(11, &[]),
            Value::Array(elements) => {
                self.frame.push(13);
                for element in elements {
                    self.value(element, inline);
                }
                self.frame.push(15);
            }
            Value::Object(members) => {
                self.frame.push(14);
                for (key, value) in members {
                    self.key(key);
                    // The kind of a request is always in the frame.
                    self.value(value, inline || key.iter().copied().eq("kind".encode_utf16()));
                }
                self.frame.extend([0xff, 0xff]);
            }
        }
    }

    fn number(&mut self, number: f64) {
        let integer = number as i32;
        if f64::from(integer).to_bits() == number.to_bits() {
            self.frame.push(5);
            self.frame.extend(integer.to_le_bytes());
        } else {
            self.frame.push(6);
            self.frame.extend(number.to_le_bytes());
        }
    }

    fn text(&mut self, text: &[u16], inline: bool) {
        if inline && text.len() <= 40 && text.iter().all(|&unit| unit < 0x80) {
            self.frame.extend([7, text.len() as u8]);
            self.frame.extend(text.iter().map(|&unit| unit as u8));
        } else {
            self.reference(8, text);
            self.frame.extend((text.len() as u32).to_le_bytes());
        }
    }

    fn reference(&mut self, tag: u8, text: &[u16]) {
        self.frame.push(tag);
        self.frame.extend(self.heap.len().to_le_bytes());
        self.heap.0.push(text.to_vec());
    }

    fn key(&mut self, key: &[u16]) {
        let mut bytes = Vec::new();
        wtf8::push(key, &mut bytes);
        match self.keys.intern(&bytes).0 {
            Some(id) if self.encoding.interned => self.frame.extend(id.to_le_bytes()),
            _ => {
                self.frame.extend([0xfe, 0xff]);
                self.frame.extend((key.len() as u32).to_le_bytes());
                self.frame.extend(key.iter().flat_map(|unit| unit.to_le_bytes()));
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
