//! Ids become ordinals: the first string met is `call_0`, the next new one `call_1`.

use std::collections::HashMap;

use super::keys::{Class, Keys};
use super::write::load;
use super::{Failure, Strings};
use crate::error::Error;
use crate::json::value::{Doc, Kind, NodeId, Text};

/// The ids of one request, each with its ordinal.
#[derive(Debug, Default)]
pub struct Ordinals {
    ids: HashMap<Box<[u16]>, u32>,
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
        if let Some(&known) = self.ids.get(self.units.as_slice()) {
            return Ok(known);
        }
        let next = self.ids.len() as u32;
        self.ids.insert(self.units.as_slice().into(), next);
        Ok(next)
    }

    /// Forgets the ids, and gives back memory beyond the ordinary.
    pub(crate) fn clear(&mut self, max_units: usize) {
        self.ids.clear();
        self.ids.shrink_to(max_units);
        self.units.clear();
        self.units.shrink_to(max_units);
    }
}
