//! Writes JSON text that the core makes itself.

use crate::error::{Error, ErrorKind};
use crate::jcs;
use crate::memory;

/// JSON text on its way out. Who writes need not look after the memory for it: whether there was any is seen in the end.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: Vec<u8>,
    lacked_room: bool,
}

impl Writer {
    /// Writes an object of the members that `write` writes, each a name and a value.
    pub(crate) fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.raw(b"{");
        write(self);
        self.push(b"}");
    }

    /// Writes an array of the values that `write` writes.
    pub(crate) fn array(&mut self, write: impl FnOnce(&mut Self)) {
        self.raw(b"[");
        write(self);
        self.push(b"]");
    }

    /// Writes the name of the member whose value is next.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.string(name.as_bytes());
        self.push(b":");
        self
    }

    /// Writes a string, given as WTF-8.
    pub(crate) fn string(&mut self, text: &[u8]) {
        self.raw(b"\"");
        jcs::escape(text, |piece| self.push(piece));
        self.push(b"\"");
    }

    /// Writes an array of strings.
    pub(crate) fn strings(&mut self, texts: &[impl AsRef<[u8]>]) {
        self.array(|out| texts.iter().for_each(|text| out.string(text.as_ref())));
    }

    /// Writes `true` or `false`.
    pub(crate) fn bool(&mut self, value: bool) {
        self.raw(if value { b"true" } else { b"false" });
    }

    /// Writes a number.
    pub(crate) fn integer(&mut self, value: usize) {
        self.raw(value.to_string().as_bytes());
    }

    /// Writes a value whose text is known, behind a comma if it needs one.
    pub(crate) fn raw(&mut self, value: &[u8]) {
        if !matches!(self.text.last(), None | Some(b'{' | b'[' | b':')) {
            self.push(b",");
        }
        self.push(value);
    }

    /// The text.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`], if there was none for all of it.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Error> {
        if self.lacked_room { Err(ErrorKind::Memory.into()) } else { Ok(self.text) }
    }

    fn push(&mut self, piece: &[u8]) {
        self.lacked_room |= memory::append(&mut self.text, piece).is_err();
    }
}
