//! JSON Pointers (RFC 6901) to the nodes of a document.

use std::borrow::Cow;

use super::number;
use super::value::{Doc, Key, Kind, NodeId};
use crate::error::Error;
use crate::memory;
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
///
/// # Errors
/// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
pub fn pointer(doc: &Doc, target: NodeId, names: &impl Names) -> Result<String, Error> {
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
            Kind::Array => push_index(index, &mut out)?,
            _ => push_name(&names.name(doc.node(child).key), &mut out)?,
        }
        parent = child;
    }
    Ok(wtf8::into_string(out))
}

/// Appends `/` and a member name.
///
/// # Errors
/// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
pub fn push_name(name: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let escapes = name.iter().filter(|byte| matches!(byte, b'~' | b'/')).count();
    memory::room(out, 1 + name.len() + escapes)?;
    out.push(b'/');
    for &byte in name {
        match byte {
            b'~' => out.extend_from_slice(b"~0"),
            b'/' => out.extend_from_slice(b"~1"),
            _ => out.push(byte),
        }
    }
    Ok(())
}

/// Appends `/` and an array index.
///
/// # Errors
/// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
pub fn push_index(index: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    const MOST: usize = 1 + 20;
    memory::room(out, MOST)?;
    out.push(b'/');
    number::write_integer(index as u64, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read::read;

    #[test]
    fn points_at_every_node_of_a_document() {
        let mut doc = Doc::default();
        assert!(read(br#"{"a":[1,[],{"x/y~z":null}],"":{"\ud800":2},"b":3}"#, &mut doc).is_ok());
        let pointers: Result<Vec<_>, _> =
            (0..doc.nodes.len()).map(|id| pointer(&doc, id as NodeId, &doc)).collect();
        assert_eq!(
            pointers.unwrap_or_default(),
            ["", "/a", "/a/0", "/a/1", "/a/2", "/a/2/x~1y~0z", "/", "//\u{FFFD}", "/b"]
        );
    }
}
