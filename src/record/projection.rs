//! Key projections: the part of a request or an input that makes the key of an oracle entry.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::json::value::{Kind, NodeId};
use crate::limits::MAX_DEPTH;

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
        let kept: HashSet<_> = keep.iter().filter_map(|path| segments(path).next()).collect();
        out.extend(input.members().filter(|(name, _)| !kept.contains(name)).map(|(_, id)| id));
    }
    if !drop.is_empty() {
        let mut paths = Paths::default();
        for path in &drop {
            paths.add(path);
        }
        paths.find(input, &mut out);
    }
    out.sort_unstable();
    Ok(out)
}

fn segments(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'.')
}

/// Dotted paths as a tree, so that a value is walked once, however many there are.
#[derive(Default)]
struct Paths<'a> {
    is_end: bool,
    next: HashMap<&'a [u8], Paths<'a>>,
}

impl<'a> Paths<'a> {
    fn add(&mut self, path: &'a [u8]) {
        // A longer one leads out of every value.
        if segments(path).count() <= MAX_DEPTH {
            segments(path).fold(self, |paths, name| paths.next.entry(name).or_default()).is_end = true;
        }
    }

    /// Notes the members at the ends of the paths, in every element of the arrays on their way.
    fn find(&self, value: Value, out: &mut Vec<NodeId>) {
        if value.kind() == Kind::Array {
            value.doc.children(value.id).for_each(|id| self.find(Value { doc: value.doc, id }, out));
        }
        for (name, id) in value.members() {
            match self.next.get(name) {
                Some(paths) if paths.is_end => out.push(id),
                Some(paths) => paths.find(Value { doc: value.doc, id }, out),
                None => {}
            }
        }
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
    texts.map(|text| text.text().ok_or_else(|| text.error(ErrorKind::Projection))).collect()
}
