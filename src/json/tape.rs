//! JSON text that is read piece by piece, value by value.
//!
//! The ends of values are found without looking at what is inside: a value up to its first error is in what is given
//! out, and whoever reads it finds the error where a reader of the whole text does.

use std::io::{self, Read};

use super::scan;
use crate::error::{Error, ErrorKind};
use crate::limits::MAX_DEPTH;
use crate::memory;

/// A text on its way in. In memory is a piece of it, or as much as the value that is being read.
#[derive(Debug)]
pub struct Tape<R> {
    source: R,
    /// How much is read at once.
    piece: usize,
    /// The text from `offset` on.
    buffer: Vec<u8>,
    offset: u64,
    /// The part of the buffer that is known to be UTF-8.
    valid: usize,
    at: usize,
    /// Where in the buffer the value begins that is being read.
    // Invariant: `kept <= at <= valid <= buffer.len()`.
    kept: usize,
    is_ended: bool,
}

impl<R: Read> Tape<R> {
    /// The text of a source, read in pieces of this many bytes.
    pub fn new(source: R, piece: usize) -> Self {
        Self {
            source,
            piece: piece.max(1),
            buffer: Vec::new(),
            offset: 0,
            valid: 0,
            at: 0,
            kept: 0,
            is_ended: false,
        }
    }

    /// As [`Tape::new`], for a source whose first byte is at this offset of a text.
    pub fn new_at(source: R, piece: usize, offset: u64) -> Self {
        Self { offset, ..Self::new(source, piece) }
    }

    /// The offset of the next byte in the text.
    pub const fn position(&self) -> u64 {
        self.offset + self.at as u64
    }

    /// The next byte that is no white space; `None` at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Utf8`], as soon as it is read; [`ErrorKind::File`].
    pub fn peek(&mut self) -> Result<Option<u8>, Error> {
        loop {
            while let Some(&byte) = self.buffer[..self.valid].get(self.at) {
                if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                    return Ok(Some(byte));
                }
                self.at += 1;
            }
            self.kept = self.at;
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// Takes the byte that is next, if it is this one.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] for another byte; as [`Tape::peek`].
    pub fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.peek()? != Some(byte) {
            return Err(self.syntax());
        }
        self.at += 1;
        Ok(())
    }

    /// Says that another byte should be next.
    #[cold]
    pub fn syntax(&self) -> Error {
        at(ErrorKind::Syntax, self.position())
    }

    /// The text of the next value, and where it begins. It ends where the value does if that is one; if there is
    /// something wrong with it, then after the first thing that is.
    ///
    /// # Errors
    /// As [`Tape::peek`].
    pub fn value(&mut self) -> Result<(u64, Vec<u8>), Error> {
        let first = self.peek()?;
        let start = self.position();
        self.kept = self.at;
        match first {
            Some(b'"') => drop(self.skip_string()?),
            Some(b'{' | b'[') => self.skip_container()?,
            _ => self.skip_word()?,
        }
        Ok((start, memory::copy(&self.buffer[self.kept..self.at])?))
    }

    /// Reads what is left, to find out whether it is UTF-8.
    ///
    /// # Errors
    /// As [`Tape::peek`].
    pub fn drain(&mut self) -> Result<(), Error> {
        loop {
            self.at = self.valid;
            self.kept = self.at;
            if !self.more()? {
                return Ok(());
            }
        }
    }

    /// Goes behind the closing quote; tells whether there was one.
    fn skip_string(&mut self) -> Result<bool, Error> {
        self.at += 1;
        loop {
            self.at += scan::plain(&self.buffer[self.at..self.valid]);
            match self.buffer[self.at..self.valid] {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(true);
                }
                [b'\\', _, ..] => self.at += 2,
                [] | [b'\\'] => {
                    if !self.more()? {
                        self.at = self.valid;
                        return Ok(false);
                    }
                }
                // A control character, which is the error.
                _ => {
                    self.at += 1;
                    return Ok(false);
                }
            }
        }
    }

    fn skip_container(&mut self) -> Result<(), Error> {
        let mut depth = 0;
        loop {
            let Some(&byte) = self.buffer[..self.valid].get(self.at) else {
                if self.more()? {
                    continue;
                }
                return Ok(());
            };
            match byte {
                b'"' => {
                    if !self.skip_string()? {
                        return Ok(());
                    }
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            // Beyond the limit is an error, which whoever reads this finds.
            if depth == 0 || depth > MAX_DEPTH {
                return Ok(());
            }
        }
    }

    fn skip_word(&mut self) -> Result<(), Error> {
        loop {
            match self.buffer[..self.valid].get(self.at).copied() {
                Some(b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t') => return Ok(()),
                Some(_) => self.at += 1,
                None if self.more()? => {}
                None => return Ok(()),
            }
        }
    }

    /// Reads on, and forgets what is before the value that is being read. `false` at the end.
    fn more(&mut self) -> Result<bool, Error> {
        self.buffer.drain(..self.kept);
        self.offset += self.kept as u64;
        self.valid -= self.kept;
        self.at -= self.kept;
        self.kept = 0;
        while !self.is_ended {
            let len = self.buffer.len();
            memory::room(&mut self.buffer, self.piece)?;
            self.buffer.resize(len + self.piece, 0);
            let read = self.source.read(&mut self.buffer[len..]);
            self.buffer.truncate(len + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.is_ended = true,
                Ok(_) => {}
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
                Err(cause) => return Err(cause.into()),
            }
            let valid = self.valid;
            match str::from_utf8(&self.buffer[valid..]) {
                Ok(text) => self.valid += text.len(),
                // A character that is cut in two waits for its rest.
                Err(error) => {
                    self.valid += error.valid_up_to();
                    if error.error_len().is_some() || self.is_ended {
                        return Err(at(ErrorKind::Utf8, self.offset + self.valid as u64));
                    }
                }
            }
            if self.valid > valid {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn at(kind: ErrorKind, offset: u64) -> Error {
    Error::new(kind).at_offset(usize::try_from(offset).unwrap_or(usize::MAX))
}
