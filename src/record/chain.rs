//! The event chain: each event's hash covers its canonical text and the hash before it.

use super::canonical::{Hashing, Sink};
use crate::digest::HEX_LEN;
use crate::error::Error;

/// A digest in lower-case hex.
pub type Hex = [u8; HEX_LEN];

/// A chain of hashes: `head = SHA-256(hex of head before + link)`, the first over the link alone.
#[derive(Debug)]
pub(super) struct Chain {
    head: Option<Hex>,
    hashing: Hashing,
}

impl Chain {
    /// A chain without links.
    pub(super) fn new() -> Self {
        Self { head: None, hashing: Hashing::new() }
    }

    /// Adds the link that `write` writes, and returns the new head.
    pub(super) fn push(
        &mut self,
        write: impl FnOnce(&mut Hashing) -> Result<(), Error>,
    ) -> Result<Hex, Error> {
        if let Some(head) = &self.head {
            self.hashing.push(head);
        }
        write(&mut self.hashing)?;
        Ok(*self.head.insert(self.hashing.finish()))
    }

    /// The head; without links the digest of nothing.
    pub(super) fn digest(mut self) -> Hex {
        self.head.unwrap_or_else(|| self.hashing.finish())
    }
}
