//! The identity of a call: which parts of a request count, in which form, and the hashes over them.
//!
//! Values come as a [`Doc`], from a frame or from JSON text. Nothing is copied into a second
//! tree: `ordinals` marks the ids in place, and `write` puts out canonical text in its final order.

mod identity;
mod keys;
mod ordinals;
pub(crate) mod write;

pub use identity::{Field, Identity, ToolOrder};
pub use keys::{Class, Keys};
pub use ordinals::Ordinals;
pub use write::{Form, Scratch, Writer, is_member};

use self::keys::NamesOf;
use crate::digest::Sha256;
use crate::error::{Error, ErrorKind};
use crate::jcs::Output;
use crate::json::pointer;
use crate::json::value::{Doc, Kind, NodeId};
use crate::memory;

/// Gives the strings that stayed outside the document, and the normalization of text that Rust does not decide on.
pub trait Strings {
    /// Puts the `len` code units of a string into `units`, which is emptied first.
    ///
    /// # Errors
    /// When the string cannot be had.
    fn read(&mut self, index: u32, len: usize, units: &mut Vec<u16>) -> Result<(), Error>;

    /// Replaces `units` by its Unicode Normalization Form C.
    ///
    /// # Errors
    /// When the text cannot be normalized.
    fn nfc(&mut self, units: &mut Vec<u16>) -> Result<(), Error>;
}

/// For documents that hold all their strings: NFC by the crate's own tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStrings;

impl Strings for NoStrings {
    fn read(&mut self, _index: u32, _len: usize, _units: &mut Vec<u16>) -> Result<(), Error> {
        Err(ErrorKind::Frame.into())
    }

    fn nfc(&mut self, units: &mut Vec<u16>) -> Result<(), Error> {
        *units = crate::text::nfc::compose(units);
        Ok(())
    }
}

/// Writes one canonical text.
trait Body<S>: FnOnce(&mut Writer<'_, S>) -> Result<(), Failure> {}

impl<S, F: FnOnce(&mut Writer<'_, S>) -> Result<(), Failure>> Body<S> for F {}

/// What went wrong, and at which node.
pub(crate) type Failure = (Error, NodeId);

/// Computes hashes and canonical texts, and keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Canonicalizer {
    keys: Keys,
    ordinals: Ordinals,
    scratch: Scratch,
    output: Output,
}

impl Canonicalizer {
    /// The interned keys.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The interned keys, to add to.
    pub fn keys_mut(&mut self) -> &mut Keys {
        &mut self.keys
    }

    /// The digest of a request's canonical text, as `reqHash` gives it in hex.
    ///
    /// # Errors
    /// For a value without canonical text, with the JSON Pointer to it.
    pub fn req_hash(
        &mut self,
        doc: &mut Doc,
        order: ToolOrder,
        strings: &mut impl Strings,
    ) -> Result<[u8; 32], Error> {
        let identity = self.identity(doc, order, strings)?;
        self.digest(doc, strings, |writer| identity.write(writer))
    }

    /// The digest of a state's canonical text, as `stateHash` gives it in hex.
    ///
    /// # Errors
    /// For a value without canonical text, with the JSON Pointer to it.
    pub fn state_hash(&mut self, doc: &mut Doc, strings: &mut impl Strings) -> Result<[u8; 32], Error> {
        self.mark_state(doc, strings)?;
        self.digest(doc, strings, |writer| writer.value(0, Form::Normalized))
    }

    /// The canonical text of a request.
    ///
    /// # Errors
    /// As [`Canonicalizer::req_hash`].
    pub fn request_text(
        &mut self,
        doc: &mut Doc,
        order: ToolOrder,
        strings: &mut impl Strings,
    ) -> Result<Vec<u8>, Error> {
        let identity = self.identity(doc, order, strings)?;
        self.text(doc, strings, |writer| identity.write(writer))
    }

    /// The canonical text of a state.
    ///
    /// # Errors
    /// As [`Canonicalizer::state_hash`].
    pub fn state_text(&mut self, doc: &mut Doc, strings: &mut impl Strings) -> Result<Vec<u8>, Error> {
        self.mark_state(doc, strings)?;
        self.text(doc, strings, |writer| writer.value(0, Form::Normalized))
    }

    /// Finds the fields of a request that count, and marks the ids in them.
    ///
    /// # Errors
    /// For what is no request, with the JSON Pointer to it.
    pub fn identity(
        &mut self,
        doc: &mut Doc,
        order: ToolOrder,
        strings: &mut impl Strings,
    ) -> Result<Identity, Error> {
        let Self { keys, ordinals, .. } = self;
        ordinals.begin();
        Identity::of(doc, keys, order)
            .and_then(|identity| {
                identity.normalized().try_for_each(|root| ordinals.mark(doc, root, keys, strings))?;
                Ok(identity)
            })
            .map_err(|failure| self.locate(doc, failure))
    }

    /// Marks the ids of a state.
    ///
    /// # Errors
    /// For what is no JSON value.
    pub fn mark_state(&mut self, doc: &mut Doc, strings: &mut impl Strings) -> Result<(), Error> {
        if let Kind::Undefined | Kind::Function(_) | Kind::Symbol(_) = doc.node(0).kind {
            return Err(Error::new(ErrorKind::NotJson).at_pointer(""));
        }
        self.ordinals.begin();
        self.ordinals.mark(doc, 0, &self.keys, strings).map_err(|failure| self.locate(doc, failure))
    }

    /// Gives back memory beyond `max_bytes`.
    pub fn shrink(&mut self, max_bytes: usize) {
        self.ordinals.shrink(max_bytes);
        self.scratch.shrink(max_bytes);
        self.output.shrink(max_bytes);
    }

    /// Drops the interned keys. Documents that name them are void.
    pub fn forget_keys(&mut self) {
        self.keys = Keys::default();
    }

    fn digest<S: Strings>(
        &mut self,
        doc: &Doc,
        strings: &mut S,
        body: impl Body<S>,
    ) -> Result<[u8; 32], Error> {
        self.write(doc, strings, (Sha256::versioned(), false), body)?;
        Ok(self.output.digest())
    }

    fn text<S: Strings>(&mut self, doc: &Doc, strings: &mut S, body: impl Body<S>) -> Result<Vec<u8>, Error> {
        self.write(doc, strings, (Sha256::new(), true), body)?;
        memory::copy(self.output.text())
    }

    fn write<S: Strings>(
        &mut self,
        doc: &Doc,
        strings: &mut S,
        (sha, kept): (Sha256, bool),
        body: impl Body<S>,
    ) -> Result<(), Error> {
        let Self { keys, scratch, output, .. } = self;
        output.begin(sha, kept);
        body(&mut Writer { doc, keys, strings, out: output, scratch })
            .map_err(|failure| self.locate(doc, failure))
    }

    /// The JSON Pointer to a node.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub fn pointer(&self, doc: &Doc, node: NodeId) -> Result<String, Error> {
        pointer::pointer(doc, node, &NamesOf(&self.keys, doc))
    }

    #[cold]
    fn locate(&self, doc: &Doc, (error, node): Failure) -> Error {
        match self.pointer(doc, node) {
            Ok(pointer) => error.at_pointer(pointer),
            Err(lack) => lack,
        }
    }
}
