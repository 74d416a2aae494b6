//! The values of a record, or of its events.

use std::borrow::Cow;
use std::ops::Deref;

use crate::error::Error;
use crate::json::read::{read_in_place, read_verbatim, read_verbatim_within};
use crate::json::value::{Doc, Kind, NodeId, Text};
use crate::memory;

/// A document whose keys and strings are all its own.
///
/// Of a text, the strings that are canonical already are kept as they stand, so that nothing has to be done to hash
/// them.
#[derive(Debug, Default)]
pub struct Document {
    doc: Doc,
    /// Whether a node is a string whose bytes are the inside of its canonical text. Empty if none is.
    verbatim: Vec<bool>,
}

impl Document {
    /// A document and which of its nodes are strings whose bytes are the inside of their canonical text.
    #[cfg(feature = "node")]
    pub fn new(doc: Doc, verbatim: Vec<bool>) -> Self {
        Self { doc, verbatim }
    }

    /// Reads JSON text in UTF-8.
    ///
    /// # Errors
    /// As [`read`](crate::json::read::read) has them, and [`ErrorKind::Utf8`](crate::error::ErrorKind::Utf8).
    pub fn from_utf8(text: Vec<u8>) -> Result<Self, Error> {
        crate::json::read::utf8(&text)?;
        let (doc, verbatim) = read_verbatim(text)?;
        Ok(Self { doc, verbatim })
    }

    /// Reads a value that is inside of so many containers, from text that is UTF-8.
    ///
    /// # Errors
    /// As [`read`](crate::json::read::read) has them, at places inside of this text.
    pub(super) fn from_part(text: Vec<u8>, depth: usize) -> Result<Self, Error> {
        let (doc, verbatim) = read_verbatim_within(text, depth)?;
        Ok(Self { doc, verbatim })
    }

    /// Reads JSON text in WTF-8: UTF-8 that may also hold what a lone surrogate of a JavaScript string becomes.
    ///
    /// # Errors
    /// As [`read`](crate::json::read::read) has them.
    pub fn from_wtf8(text: Vec<u8>) -> Result<Self, Error> {
        if str::from_utf8(&text).is_ok() {
            let (doc, verbatim) = read_verbatim(text)?;
            return Ok(Self { doc, verbatim });
        }
        let mut doc = Doc { bytes: text, ..Doc::default() };
        read_in_place(&mut doc)?;
        Ok(doc.into())
    }

    /// The inside of a string's canonical text, where that is known.
    #[inline]
    pub(super) fn verbatim(&self, id: NodeId) -> Option<&[u8]> {
        match self.node(id).kind {
            Kind::String(Text::Bytes { start, len }) if self.verbatim.get(id as usize) == Some(&true) => {
                Some(self.text(start, len))
            }
            _ => None,
        }
    }

    /// The WTF-8 of a string.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
    pub(super) fn string(&self, id: NodeId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let Kind::String(Text::Bytes { start, len }) = self.node(id).kind else { return Ok(None) };
        let bytes = self.text(start, len);
        Ok(Some(match self.verbatim(id) {
            Some(inside) if inside.contains(&b'\\') => Cow::Owned(unescaped(inside)?),
            _ => Cow::Borrowed(bytes),
        }))
    }
}

/// What the inside of a string literal stands for.
fn unescaped(inside: &[u8]) -> Result<Vec<u8>, Error> {
    let mut doc = Doc::default();
    memory::room(&mut doc.bytes, inside.len() + 2)?;
    for piece in [b"\"", inside, b"\""] {
        doc.bytes.extend_from_slice(piece);
    }
    // It has been read before: nothing but memory can be amiss.
    read_in_place(&mut doc)?;
    let Doc { nodes, mut bytes, .. } = doc;
    if let Some(Kind::String(Text::Bytes { start, len })) = nodes.first().map(|node| node.kind) {
        bytes.truncate((start + len) as usize);
        bytes.drain(..start as usize);
    }
    Ok(bytes)
}

impl From<Doc> for Document {
    fn from(doc: Doc) -> Self {
        Self { doc, verbatim: Vec::new() }
    }
}

impl From<Document> for Doc {
    /// The memory, to be used again; strings are not what they were.
    fn from(document: Document) -> Self {
        document.doc
    }
}

impl Deref for Document {
    type Target = Doc;

    fn deref(&self) -> &Doc {
        &self.doc
    }
}
