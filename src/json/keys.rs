//! The table of interned keys.
//!
//! A key is looked at once: its quoted text, its place among all keys in UTF-16 order. From then on a number
//! stands for it, and objects are sorted by comparing numbers. The table is bounded, and may be dropped between any
//! two documents.

use std::collections::HashMap;

use crate::jcs;
use crate::text::wtf8;

/// A key's place in the table.
pub type KeyId = u16;

/// The most keys a table holds.
pub const MAX_KEYS: usize = 4096;

/// The longest key that is interned, in bytes of WTF-8.
pub const MAX_KEY_BYTES: usize = 256;

/// Interned keys.
#[derive(Debug, Default)]
pub struct KeyTable {
    ids: HashMap<Box<[u8]>, KeyId>,
    keys: Vec<Entry>,
    /// All ids, in the UTF-16 order of their keys.
    sorted: Vec<KeyId>,
}

#[derive(Debug)]
struct Entry {
    /// The key in WTF-8.
    text: Box<[u8]>,
    /// The key as it stands in canonical text: a comma, then quoted and escaped, and a colon.
    member: Box<[u8]>,
    /// Its index in `KeyTable::sorted`.
    rank: u16,
}

impl KeyTable {
    /// The id of a key, given as WTF-8; `None` when the key is long, or new and the table is full.
    pub fn intern(&mut self, key: &[u8]) -> Option<KeyId> {
        if let Some(&id) = self.ids.get(key) {
            return Some(id);
        }
        if self.keys.len() == MAX_KEYS || key.len() > MAX_KEY_BYTES {
            return None;
        }
        let id = self.keys.len() as KeyId;
        let place = self.sorted.partition_point(|&other| wtf8::compare(self.text(other), key).is_lt());
        let mut member = vec![b','];
        jcs::push_member_name(key, &mut member);
        self.sorted.insert(place, id);
        self.keys.push(Entry { text: key.into(), member: member.into(), rank: 0 });
        for (rank, &id) in self.sorted.iter().enumerate().skip(place) {
            self.keys[usize::from(id)].rank = rank as u16;
        }
        self.ids.insert(key.into(), id);
        Some(id)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key in WTF-8.
    pub fn text(&self, id: KeyId) -> &[u8] {
        &self.keys[usize::from(id)].text
    }

    /// The key as it stands in canonical text: with its colon, and with the comma before it unless it is the `first`.
    #[inline]
    pub fn member_name(&self, id: KeyId, first: bool) -> &[u8] {
        &self.keys[usize::from(id)].member[usize::from(first)..]
    }

    /// The key's place among all keys in UTF-16 order. It changes when a key is added.
    #[inline]
    pub fn rank(&self, id: KeyId) -> u16 {
        self.keys[usize::from(id)].rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_utf16_order_whatever_the_order_of_arrival() {
        let mut table = KeyTable::default();
        let ids: Vec<_> =
            ["b", "\u{fb33}", "😀", "a", "", "aa"].iter().map(|key| table.intern(key.as_bytes())).collect();
        let mut by_rank = ids.clone();
        by_rank.sort_by_key(|id| id.map(|id| table.rank(id)));
        let texts: Vec<_> =
            by_rank.iter().flatten().map(|&id| String::from_utf8_lossy(table.text(id))).collect();
        assert_eq!(texts, ["", "a", "aa", "b", "😀", "\u{fb33}"]);
        assert_eq!(table.intern(b"aa"), ids[5]);
        assert_eq!(table.len(), 6);
    }

    #[test]
    fn is_bounded() {
        let mut table = KeyTable::default();
        for n in 0..MAX_KEYS {
            assert!(table.intern(n.to_string().as_bytes()).is_some());
        }
        assert_eq!(table.intern(b"one more"), None);
        assert_eq!(table.intern(b"17"), Some(17));
        assert_eq!(KeyTable::default().intern(&[b'x'; MAX_KEY_BYTES + 1]), None);
    }
}
