//! JSON Pointers (RFC 6901) to the nodes of a document.

use std::borrow::Cow;

use super::number;
use super::value::{Doc, Key, Kind, NodeId};
use crate::text::wtf8;

/// Gives the names of members whose keys are not in the document.
pub trait Names {
    /// The WTF-8 bytes of a key.
    fn name(&self, key: Key) -> Cow<'_, [u8]>;
}

impl Names for Doc {
    /// The names of a document that was read from text; a key that is elsewhere has the empty name.
    fn name(&self, key: Key) -> Cow<'_, [u8]> {
        match key {
            Key::Literal { start, len } => Cow::Borrowed(self.text(start, len)),
            _ => Cow::Borrowed(&[]),
        }
    }
}

/// The pointer to a node: empty for the root. A lone surrogate in a name shows as U+FFFD.
///
/// Nodes know no parents, so this walks down from the root: for errors and reports, not for every node.
pub fn pointer(doc: &Doc, target: NodeId, names: &impl Names) -> String {
    let mut out = Vec::new();
    let mut parent = 0;
    while parent != target {
        let mut index = 0;
        // The child whose subtree holds the target.
        let child = doc.children(parent).find(|&child| {
            let found = target < doc.node(child).next;
            if !found {
                index += if let Kind::Holes(count) = doc.node(child).kind { count as usize } else { 1 };
            }
            found
        });
        let Some(child) = child else { break };
        match doc.node(parent).kind {
            Kind::Array => push_index(index, &mut out),
            _ => push_name(&names.name(doc.node(child).key), &mut out),
        }
        parent = child;
    }
    into_string(out)
}

/// Appends `/` and a member name.
pub fn push_name(name: &[u8], out: &mut Vec<u8>) {
    out.push(b'/');
    for &byte in name {
        match byte {
            b'~' => out.extend_from_slice(b"~0"),
            b'/' => out.extend_from_slice(b"~1"),
            _ => out.push(byte),
        }
    }
}

/// Appends `/` and an array index.
pub fn push_index(index: usize, out: &mut Vec<u8>) {
    out.push(b'/');
    number::write_integer(index as u64, out);
}

/// A pointer's text from its WTF-8 bytes: each lone surrogate becomes U+FFFD, as in `String.prototype.toWellFormed`.
pub fn into_string(mut pointer: Vec<u8>) -> String {
    wtf8::make_well_formed(&mut pointer);
    String::from_utf8(pointer).unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read::read;

    #[test]
    fn points_at_every_node_of_a_document() {
        let mut doc = Doc::default();
        assert!(read(br#"{"a":[1,[],{"x/y~z":null}],"":{"\ud800":2},"b":3}"#, &mut doc).is_ok());
        let pointers: Vec<_> = (0..doc.nodes.len()).map(|id| pointer(&doc, id as NodeId, &doc)).collect();
        assert_eq!(pointers, ["", "/a", "/a/0", "/a/1", "/a/2", "/a/2/x~1y~0z", "/", "//\u{FFFD}", "/b"]);
    }
}
