//! The value arena: a flat list of nodes in document order.
//!
//! A container is followed by its children; `next` jumps over a whole subtree, so siblings are walked without
//! recursion. Values from JSON text and values from a JavaScript frame have the same shape; the frame adds the
//! kinds that JSON has not.

/// Index of a node in a [`Doc`].
pub type NodeId = u32;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `false` or `true`
    Bool(bool),
    /// A double, from JSON text or a frame. Infinite for a literal such as `1e400`.
    Number(f64),
    /// A string.
    String(Text),
    /// An id that was replaced by its ordinal, see [`ordinals`](crate::request).
    Ordinal(u32),
    /// An array; its elements follow.
    Array,
    /// An object; its members follow, each node with its [`Node::key`].
    Object,
    /// `undefined` (frames only).
    Undefined,
    /// So many holes of a sparse array in a row (frames only).
    Holes(u32),
    /// A function (frames only); the number finds it in the list that came with the frame.
    Function(u32),
    /// A symbol (frames only), likewise.
    Symbol(u32),
    /// A `BigInt` (frames only), likewise.
    BigInt(u32),
    /// An object that only JavaScript can serialize (frames only), likewise.
    Foreign(u32),
}

/// Where the code units of a string are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// WTF-8 bytes (UTF-8 that may hold lone surrogates) in [`Doc::bytes`].
    Bytes {
        /// First byte.
        start: u32,
        /// Number of bytes.
        len: u32,
    },
    /// UTF-16 units in [`Doc::units`].
    Units {
        /// First unit.
        start: u32,
        /// Number of units.
        len: u32,
    },
    /// A string that stayed in JavaScript.
    External {
        /// Its place in the list that came with the frame.
        index: u32,
        /// Its length in UTF-16 units.
        len: u32,
    },
}

/// A member's key, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The node is a root or an array element.
    None,
    /// A key of the key table.
    Interned(u16),
    /// A key of this document alone: WTF-8 in [`Doc::bytes`].
    Literal {
        /// First byte.
        start: u32,
        /// Number of bytes.
        len: u32,
    },
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// The key under which the value stands in its object.
    pub key: Key,
    /// The value.
    pub kind: Kind,
    /// The node after this one's subtree.
    // Invariant: `id < next <= nodes.len()`, and subtrees nest.
    pub next: NodeId,
}

/// A value tree in document order. The root is node 0.
#[derive(Debug, Default)]
pub struct Doc {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// The bytes that [`Text::Bytes`] points into.
    pub bytes: Vec<u8>,
    /// The units that [`Text::Units`] points into.
    pub units: Vec<u16>,
}

impl Doc {
    /// The node with this id.
    ///
    /// # Panics
    /// When `id` is not of this document.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The ids of a container's direct children, in document order.
    pub fn children(&self, parent: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(parent).next;
        let mut id = parent + 1;
        std::iter::from_fn(move || {
            (id < end).then(|| {
                let this = id;
                id = self.node(this).next;
                this
            })
        })
    }

    /// The WTF-8 bytes of a string that is in this document.
    pub fn text(&self, start: u32, len: u32) -> &[u8] {
        &self.bytes[start as usize..start as usize + len as usize]
    }

    /// The units of a string that is in this document.
    #[inline]
    pub fn units(&self, start: u32, len: u32) -> &[u16] {
        &self.units[start as usize..start as usize + len as usize]
    }

    /// Gives back memory beyond `max_bytes`, and empties the document then.
    pub fn shrink(&mut self, max_bytes: usize) {
        if self.nodes.capacity() > max_bytes / size_of::<Node>()
            || self.bytes.capacity() > max_bytes
            || self.units.capacity() > max_bytes / 2
        {
            *self = Self::default();
        }
    }

    /// Empties the document and keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.bytes.clear();
        self.units.clear();
    }
}
