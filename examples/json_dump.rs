//! Reads texts and shows what they hold, for `__test__/json-read.test.mjs`.
//!
//! Standard input is a sequence of texts, each after its length (four bytes, little endian); so is standard output,
//! a dump for each text: `!` and the error's code, or the value in document order.

use std::io::{Read, Write};

use tapeproof::json::read::read;
use tapeproof::json::value::{Doc, Key, Kind, NodeId, Text};

fn main() -> std::io::Result<()> {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let mut output = Vec::new();
    let mut doc = Doc::default();
    let mut rest = &input[..];
    while let Some((head, tail)) = rest.split_first_chunk() {
        let (text, tail) = tail.split_at(u32::from_le_bytes(*head) as usize);
        rest = tail;
        let mut shown = Vec::new();
        match read(text, &mut doc) {
            Ok(()) => dump(&doc, 0, &mut shown),
            Err(error) => shown.extend([b"!", error.code().as_bytes()].concat()),
        }
        output.extend((shown.len() as u32).to_le_bytes());
        output.extend(shown);
    }
    std::io::stdout().write_all(&output)
}

fn dump(doc: &Doc, id: NodeId, out: &mut Vec<u8>) {
    let string = |start, len: u32, out: &mut Vec<u8>| {
        out.extend(len.to_le_bytes());
        out.extend(doc.text(start, len));
    };
    let node = doc.node(id);
    if let Key::Literal { start, len } = node.key {
        string(start, len, out);
    }
    match node.kind {
        Kind::Bool(value) => out.push(if value { b't' } else { b'f' }),
        Kind::Number(number) => {
            out.push(b'd');
            out.extend(number.to_le_bytes());
        }
        Kind::String(Text::Bytes { start, len }) => {
            out.push(b's');
            string(start, len, out);
        }
        Kind::Array | Kind::Object => {
            out.push(if node.kind == Kind::Array { b'[' } else { b'{' });
            doc.children(id).for_each(|child| dump(doc, child, out));
            out.push(b'.');
        }
        _ => out.push(b'n'),
    }
}
