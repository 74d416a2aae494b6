//! A value of a record as JavaScript code sees it.

use std::borrow::Cow;

use super::canonical::{Form, Writer};
use super::document::Document;
use crate::error::{Error, ErrorKind};
use crate::json::number;
use crate::json::pointer::pointer;
use crate::json::value::{Key, Kind, NodeId, Text};
use crate::memory;

/// With more holes than these an array prints more commas than any string of JavaScript can hold.
const MAX_HOLES: u32 = 1 << 29;

/// A value that is there: `undefined` is `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) doc: &'a Document,
    pub(super) id: NodeId,
}

/// The elements of an array that is being printed.
struct Elements {
    first: NodeId,
    next: NodeId,
    end: NodeId,
}

impl<'a> Value<'a> {
    /// The value of a document, or nothing if it is `undefined`.
    pub(super) fn new(doc: &'a Document, id: NodeId) -> Option<Self> {
        (!matches!(doc.nodes.get(id as usize)?.kind, Kind::Undefined | Kind::Holes(_)))
            .then_some(Self { doc, id })
    }

    /// What it is.
    pub(super) fn kind(self) -> Kind {
        self.doc.node(self.id).kind
    }

    /// An own member of an object: `value?.key`.
    pub(super) fn get(self, key: &[u8]) -> Option<Self> {
        self.members().find(|&(name, _)| name == key).and_then(|(_, id)| Self::new(self.doc, id))
    }

    /// The members of an object, none for anything else.
    pub(super) fn members(self) -> impl Iterator<Item = (&'a [u8], NodeId)> {
        let is_object = self.kind() == Kind::Object;
        let children = is_object.then(|| self.doc.children(self.id)).into_iter().flatten();
        children.filter_map(move |id| match self.doc.node(id).key {
            Key::Literal { start, len } => Some((self.doc.text(start, len), id)),
            _ => None,
        })
    }

    /// The WTF-8 of a string.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub(super) fn text(self) -> Result<Option<Cow<'a, [u8]>>, Error> {
        self.doc.string(self.id)
    }

    /// The WTF-8 of a string that is no longer than some name or digest.
    pub(super) fn short_text(self, most: usize) -> Option<Cow<'a, [u8]>> {
        // As it stands, a byte takes up to six.
        match self.kind() {
            Kind::String(Text::Bytes { len, .. }) if len as usize <= 6 * most => self.text().ok().flatten(),
            _ => None,
        }
    }

    /// Whether it is this string.
    pub(super) fn is_text(self, text: &[u8]) -> bool {
        self.short_text(text.len()).as_deref() == Some(text)
    }

    /// `Boolean(value)`
    pub(super) fn is_truthy(self) -> bool {
        match self.kind() {
            Kind::Null | Kind::Undefined => false,
            Kind::Bool(value) => value,
            Kind::Number(value) => value != 0.0 && !value.is_nan(),
            Kind::String(Text::Bytes { len, .. }) => len > 0,
            _ => true,
        }
    }

    /// `a === b`, for values of which no two objects are the same.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub(super) fn is_same(self, other: Self) -> Result<bool, Error> {
        Ok(match (self.kind(), other.kind()) {
            (Kind::String(_), Kind::String(_)) => self.text()? == other.text()?,
            (Kind::Array | Kind::Object, _) => std::ptr::eq(self.doc, other.doc) && self.id == other.id,
            (kind, other) => kind == other,
        })
    }

    /// The pointer to it.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub(super) fn pointer(self) -> Result<String, Error> {
        pointer(self.doc, self.id, &**self.doc)
    }

    /// An error at this value.
    #[cold]
    pub(super) fn error(self, kind: ErrorKind) -> Error {
        match self.pointer() {
            Ok(pointer) => Error::new(kind).at_pointer(pointer),
            Err(lack) => lack,
        }
    }

    /// Its text in this form.
    pub(super) fn written(self, form: Form) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.write(form, &mut out)?;
        Ok(out)
    }

    /// Appends it.
    pub(super) fn write(self, form: Form, out: &mut Vec<u8>) -> Result<(), Error> {
        Writer::new(self.doc, form).write(self.id, &[], out)
    }

    /// Appends what `${value}` prints, as WTF-8.
    ///
    /// # Errors
    /// [`ErrorKind::Conversion`] where JavaScript throws: an object has a member `toString` of its own, and JSON has no
    /// functions.
    pub(super) fn print(self, out: &mut Vec<u8>) -> Result<(), Error> {
        // An explicit stack: nesting costs no stack of the thread.
        let mut open = Vec::new();
        self.begin_print(out, &mut open)?;
        while let Some(Elements { first, next, end }) = open.last_mut() {
            if next == end {
                open.pop();
                continue;
            }
            let id = *next;
            *next = self.doc.node(id).next;
            if id != *first {
                memory::push(out, b',')?;
            }
            match self.doc.node(id).kind {
                Kind::Null | Kind::Undefined => {}
                Kind::Holes(count) if count > MAX_HOLES => return Err(ErrorKind::Memory.into()),
                Kind::Holes(count) => {
                    memory::room(out, count as usize)?;
                    out.extend(std::iter::repeat_n(b',', count as usize - 1));
                }
                _ => Self { doc: self.doc, id }.begin_print(out, &mut open)?,
            }
        }
        Ok(())
    }

    /// Prints what is no array; an array's elements are then still to come.
    fn begin_print(self, out: &mut Vec<u8>, open: &mut Vec<Elements>) -> Result<(), Error> {
        const MAX_SCALAR: usize = 32;
        memory::room(out, MAX_SCALAR)?;
        match self.kind() {
            Kind::Null => out.extend_from_slice(b"null"),
            Kind::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Kind::Number(value) => number::write(value, out),
            Kind::String(_) => {
                let text = self.text()?.unwrap_or_default();
                memory::append(out, &text)?;
            }
            Kind::Object if self.members().any(|(name, _)| name == b"toString") => {
                return Err(self.error(ErrorKind::Conversion));
            }
            Kind::Array => {
                let first = self.id + 1;
                memory::push(open, Elements { first, next: first, end: self.doc.node(self.id).next })?;
            }
            _ => out.extend_from_slice(b"[object Object]"),
        }
        Ok(())
    }
}
