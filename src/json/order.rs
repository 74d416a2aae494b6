//! From document order to the order in which a JavaScript object has its own entries.
//!
//! `JSON.parse` lets the last of several equal keys win, in the first one's place, and an object has its array-index
//! keys first, ascending. Nearly no object needs either, so the reader builds in document order, notes the few
//! objects that differ, and one pass at the end rebuilds the document.

use std::collections::HashMap;

use super::value::{Node, NodeId};
use crate::error::{Error, ErrorKind};
use crate::memory;

/// Up to this many members, every two are compared.
const FEW: usize = 16;

/// One member of an object that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// The value.
    pub(super) node: NodeId,
    /// Where the key is.
    pub(super) start: u32,
    pub(super) len: u32,
    /// [`print()`] of the key.
    pub(super) print: u32,
}

/// The members of objects whose own entries are not in document order, by the object's id.
pub(super) type Orders = HashMap<NodeId, Vec<NodeId>>;

/// A number that different keys seldom share. Equal keys always do.
#[inline]
pub(super) fn print(key: &[u8]) -> u32 {
    let len = key.len();
    let (first, last) = if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk()) {
        (u32::from_le_bytes(*first), u32::from_le_bytes(*last))
    } else {
        let byte = |at: usize| u32::from(key.get(at).copied().unwrap_or(0));
        (byte(0) | byte(1) << 8, byte(2))
    };
    let middle = u32::from(key.get(len / 2).copied().unwrap_or(0));
    (first.wrapping_mul(0x9E37_79B1) ^ last).wrapping_mul(0x85EB_CA77) ^ (middle << 8) ^ len as u32
}

/// The array index that a key is: the canonical decimal text of 0 to 2^32 - 2.
#[inline]
pub(super) fn array_index(key: &[u8]) -> Option<u32> {
    match key {
        [b'0'] => Some(0),
        [b'1'..=b'9', rest @ ..] if rest.len() < 10 && rest.iter().all(u8::is_ascii_digit) => {
            let value = key.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
            u32::try_from(value).ok().filter(|&value| value != u32::MAX)
        }
        _ => None,
    }
}

/// Whether two members have the same key.
///
/// # Errors
/// [`ErrorKind::Memory`]
#[inline]
pub(super) fn has_duplicates<'a>(
    members: &[Member],
    key: impl Fn(&Member) -> &'a [u8],
) -> Result<bool, Error> {
    Ok(if members.len() <= FEW {
        members.iter().enumerate().any(|(at, one)| {
            members[..at].iter().any(|other| one.print == other.print && key(one) == key(other))
        })
    } else {
        // Sorted, not hashed: no choice of keys makes it slow.
        let mut sorted: Vec<&Member> = Vec::new();
        memory::room(&mut sorted, members.len())?;
        sorted.extend(members);
        sorted.sort_unstable_by(|one, other| {
            one.print.cmp(&other.print).then_with(|| key(one).cmp(key(other)))
        });
        sorted.windows(2).any(|pair| pair[0].print == pair[1].print && key(pair[0]) == key(pair[1]))
    })
}

/// The values of an object's own entries in order, or nothing when that is the document's order.
///
/// # Errors
/// [`ErrorKind::Memory`]
pub(super) fn own_entries<'a>(
    members: &[Member],
    key: impl Fn(&Member) -> &'a [u8],
) -> Result<Option<Vec<NodeId>>, Error> {
    let mut places = HashMap::new();
    let mut entries: Vec<(u32, usize, NodeId)> = Vec::new();
    let mut order = Vec::new();
    places.try_reserve(members.len()).map_err(|_| ErrorKind::Memory)?;
    memory::room(&mut entries, members.len())?;
    memory::room(&mut order, members.len())?;
    for member in members {
        let key = key(member);
        let place = *places.entry(key).or_insert(entries.len());
        match entries.get_mut(place) {
            Some(entry) => entry.2 = member.node,
            None => entries.push((array_index(key).unwrap_or(u32::MAX), place, member.node)),
        }
    }
    // The other keys keep the order of their first appearance. A stable sort would need memory.
    entries.sort_unstable_by_key(|&(index, place, _)| (index, place));
    order.extend(entries.into_iter().map(|(.., node)| node));
    Ok((!order.iter().copied().eq(members.iter().map(|member| member.node))).then_some(order))
}

/// Rebuilds a document so that these objects have their members in these orders, and tells where each node was. Linear
/// in its size.
///
/// # Errors
/// [`ErrorKind::Memory`]
pub(super) fn rebuild(nodes: &[Node], orders: &Orders) -> Result<(Vec<Node>, Vec<NodeId>), Error> {
    /// What is still to be done, the next thing last. An explicit stack: nesting costs no stack of the thread.
    enum Step {
        Copy(NodeId),
        Close(NodeId),
    }
    let mut out: Vec<Node> = Vec::new();
    let mut origins = Vec::new();
    let mut steps = vec![Step::Copy(0)];
    memory::room(&mut out, nodes.len())?;
    memory::room(&mut origins, nodes.len())?;
    // A node is either still to be copied or to be closed, and each is there once.
    memory::room(&mut steps, nodes.len())?;
    while let Some(step) = steps.pop() {
        match step {
            Step::Close(at) => out[at as usize].next = out.len() as NodeId,
            Step::Copy(id) => {
                let node = nodes[id as usize];
                let at = out.len() as NodeId;
                out.push(Node { next: at + 1, ..node });
                origins.push(id);
                steps.push(Step::Close(at));
                let first = steps.len();
                if let Some(order) = orders.get(&id) {
                    steps.extend(order.iter().copied().map(Step::Copy));
                } else {
                    let within = |child: NodeId| (child < node.next).then_some(child);
                    let children =
                        std::iter::successors(within(id + 1), |&child| within(nodes[child as usize].next));
                    steps.extend(children.map(Step::Copy));
                }
                steps[first..].reverse();
            }
        }
    }
    Ok((out, origins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_array_indices() {
        for (key, index) in [
            ("0", Some(0)),
            ("7", Some(7)),
            ("4294967294", Some(u32::MAX - 1)),
            ("4294967295", None),
            ("42949672940", None),
            ("00", None),
            ("01", None),
            ("-1", None),
            ("1.5", None),
            ("1a", None),
            ("", None),
        ] {
            assert_eq!(array_index(key.as_bytes()), index, "{key}");
        }
    }
}
