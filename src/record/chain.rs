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
        Self::from_head(None)
    }

    /// A chain that goes on from this head.
    pub(super) fn from_head(head: Option<Hex>) -> Self {
        Self { head, hashing: Hashing::new() }
    }

    /// The head, if there is a link.
    pub(super) const fn head(&self) -> Option<Hex> {
        self.head
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
