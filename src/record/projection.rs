//! Key projections: the part of a request or an input that makes the key of an oracle entry.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::json::value::{Kind, NodeId};
use crate::limits::MAX_DEPTH;
use crate::memory;

/// The members of `input` that a `key_projection` leaves out, in ascending order.
///
/// # Errors
/// [`ErrorKind::Projection`] for `keep` or `drop` that is no list of strings.
pub(super) fn left_out(input: Option<Value>, projection: Option<Value>) -> Result<Vec<NodeId>, Error> {
    let mut out = Vec::new();
    let Some(projection) = projection else { return Ok(out) };
    let keep = list(projection, b"keep")?;
    let drop = list(projection, b"drop")?;
    let Some(input) = input.filter(|input| input.kind() == Kind::Object) else { return Ok(out) };
    if !keep.is_empty() {
        let mut kept = HashSet::new();
        kept.try_reserve(keep.len()).map_err(|_| ErrorKind::Memory)?;
        kept.extend(keep.iter().filter_map(|path| segments(path).next()));
        for (name, id) in input.members() {
            if !kept.contains(name) {
                memory::push(&mut out, id)?;
            }
        }
    }
    if !drop.is_empty() {
        let mut paths = Paths::new();
        for path in &drop {
            paths.add(path)?;
        }
        paths.find(input, &mut out)?;
    }
    out.sort_unstable();
    Ok(out)
}

fn segments(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'.')
}

/// Dotted paths as a tree, so that a value is walked once, however many there are.
///
/// A list, in which a place names its children by their indices, and the root is first: nesting costs no stack of the
/// thread, not even when the tree is dropped.
struct Paths<'a>(Vec<Place<'a>>);

#[derive(Default)]
struct Place<'a> {
    is_end: bool,
    next: HashMap<&'a [u8], usize>,
}

impl<'a> Paths<'a> {
    fn new() -> Self {
        Self(vec![Place::default()])
    }

    fn add(&mut self, path: &'a [u8]) -> Result<(), Error> {
        // A longer one leads out of every value.
        if segments(path).count() > MAX_DEPTH {
            return Ok(());
        }
        let mut at = 0;
        for name in segments(path) {
            let new = self.0.len();
            let next = &mut self.0[at].next;
            next.try_reserve(1).map_err(|_| ErrorKind::Memory)?;
            at = *next.entry(name).or_insert(new);
            if at == new {
                memory::push(&mut self.0, Place::default())?;
            }
        }
        self.0[at].is_end = true;
        Ok(())
    }

    /// Notes the members at the ends of the paths, in every element of the arrays on their way.
    fn find(&self, value: Value, out: &mut Vec<NodeId>) -> Result<(), Error> {
        let mut open = vec![(0, value)];
        while let Some((at, value)) = open.pop() {
            let of = |id| Value { doc: value.doc, id };
            if value.kind() == Kind::Array {
                value.doc.children(value.id).try_for_each(|id| memory::push(&mut open, (at, of(id))))?;
            }
            for (name, id) in value.members() {
                match self.0[at].next.get(name) {
                    Some(&next) if self.0[next].is_end => memory::push(out, id)?,
                    Some(&next) => memory::push(&mut open, (next, of(id)))?,
                    None => {}
                }
            }
        }
        Ok(())
    }
}

fn list<'a>(projection: Value<'a>, name: &[u8]) -> Result<Vec<Cow<'a, [u8]>>, Error> {
    let Some(list) = projection.get(name).filter(|list| list.kind() != Kind::Null) else {
        return Ok(Vec::new());
    };
    if list.kind() != Kind::Array {
        return Err(list.error(ErrorKind::Projection));
    }
    let texts = list.doc.children(list.id).map(|id| Value { doc: list.doc, id });
    memory::collect(texts.map(|text| text.text()?.ok_or_else(|| text.error(ErrorKind::Projection))))
}
