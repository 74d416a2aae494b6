//! Ids become ordinals: the first string met is `call_0`, the next new one `call_1`.

use std::hash::{BuildHasher as _, RandomState};

use super::keys::{Class, Keys};
use super::write::load;
use super::{Failure, Strings};
use crate::error::{Error, ErrorKind};
use crate::json::value::{Doc, Kind, NodeId, Text};
use crate::memory;

/// The ids of one request, in the order of their ordinals.
#[derive(Debug, Default)]
pub struct Ordinals {
    ids: Ids,
    units: Vec<u16>,
}

impl Ordinals {
    /// Forgets the ids of the last request.
    pub(crate) fn begin(&mut self) {
        self.ids.clear();
    }

    /// Replaces the id strings below `root` by [`Kind::Ordinal`], in document order: the order in which JavaScript
    /// enumerates.
    ///
    /// What lies below a dropped key is not seen; what lies below `__proto__` is.
    pub(crate) fn mark(
        &mut self,
        doc: &mut Doc,
        root: NodeId,
        keys: &Keys,
        strings: &mut impl Strings,
    ) -> Result<(), Failure> {
        let end = doc.node(root).next;
        // The root's own key is a field of the request, or none.
        let mut id = root + 1;
        while id < end {
            let node = *doc.node(id);
            let mut next = id + 1;
            match (keys.class(doc, node.key), node.kind) {
                (Class::Dropped, _) => next = node.next,
                (Class::Id, Kind::String(text)) => {
                    let ordinal = self.ordinal(doc, text, strings).map_err(|error| (error, id))?;
                    doc.nodes[id as usize].kind = Kind::Ordinal(ordinal);
                }
                _ => {}
            }
            id = next;
        }
        Ok(())
    }

    fn ordinal(&mut self, doc: &Doc, id: Text, strings: &mut impl Strings) -> Result<u32, Error> {
        load(doc, id, strings, &mut self.units)?;
        self.ids.ordinal(&self.units)
    }

    /// Gives back memory beyond `max_bytes`, and forgets the ids then.
    pub(crate) fn shrink(&mut self, max_bytes: usize) {
        let most = max_bytes / 4;
        if self.ids.units.capacity() > most
            || self.ids.slots.capacity() > most
            || self.units.capacity() > most
        {
            *self = Self::default();
        }
    }
}

/// A set of strings with their order of arrival: an open-addressing table over one buffer of all their units, for
/// a conversation may hold a million ids. The hash is seeded, for they come from outside.
#[derive(Debug, Default)]
struct Ids {
    units: Vec<u16>,
    /// Where each string ends in `units`.
    ends: Vec<u32>,
    /// A string's number + 1, or 0. Their count is zero or a power of two, and at most half of them are taken.
    slots: Vec<u32>,
    seed: RandomState,
}

impl Ids {
    fn clear(&mut self) {
        // A small request must not pay for the table that a large one needed.
        if self.ends.len() * 8 < self.slots.len() {
            self.slots = Vec::new();
        }
        self.slots.fill(0);
        self.units.clear();
        self.ends.clear();
    }

    /// The number of a string, a new one if need be.
    fn ordinal(&mut self, id: &[u16]) -> Result<u32, Error> {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow()?;
        }
        let slot = self.find(id);
        if let Some(known) = self.slots[slot].checked_sub(1) {
            return Ok(known);
        }
        memory::append(&mut self.units, id)?;
        let end = u32::try_from(self.units.len()).map_err(|_| ErrorKind::Memory)?;
        memory::push(&mut self.ends, end)?;
        self.slots[slot] = self.ends.len() as u32;
        Ok(self.ends.len() as u32 - 1)
    }

    /// The slot where a string is, or where it belongs.
    fn find(&self, id: &[u16]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.seed.hash_one(id) as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1)
            && self.get(number) != id
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn get(&self, number: u32) -> &[u16] {
        let end = |number: u32| self.ends[number as usize] as usize;
        &self.units[number.checked_sub(1).map_or(0, end)..end(number)]
    }

    fn grow(&mut self) -> Result<(), Error> {
        let mut slots = Vec::new();
        let len = (self.slots.len() * 2).max(16);
        memory::room(&mut slots, len)?;
        slots.resize(len, 0);
        self.slots = slots;
        for number in 0..self.ends.len() as u32 {
            let slot = self.find(self.get(number));
            self.slots[slot] = number + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn numbers_follow_arrival_and_stay() {
        let mut ids = Ids::default();
        for round in 0..2 {
            for number in 0..1000_u32 {
                let id: Vec<u16> = format!("id {number}").encode_utf16().collect();
                assert_eq!(ids.ordinal(&id), Ok(number), "round {round}");
            }
        }
        ids.clear();
        assert_eq!(ids.ordinal(&[]), Ok(0));
        assert_eq!(ids.ordinal(&[0xd800]), Ok(1));
        assert_eq!(ids.ordinal(&[]), Ok(0));
    }
}
