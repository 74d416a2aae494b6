//! What a key means to the hash: dropped, an id, or nothing special.

use std::borrow::Cow;

use crate::json::keys::{KeyId, KeyTable};
use crate::json::pointer::Names;
use crate::json::value::{Doc, Key};
use crate::request::Field;

/// Members whose value says nothing about what was asked.
const DROPPED: [&str; 19] = [
    "request_id",
    "idempotency_key",
    "timestamp",
    "created",
    "created_at",
    "latency_ms",
    "traceparent",
    "tracestate",
    "trace_id",
    "span_id",
    "user-agent",
    "user_agent",
    "retry_count",
    "sdk_version",
    "x-api-key",
    "api_key",
    "apikey",
    "authorization",
    "stream",
];

/// Members whose string value is replaced by its ordinal.
const IDS: [&str; 6] = ["id", "message_id", "tool_call_id", "tool_use_id", "call_id", "correlation_id"];

/// What a member's key says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The member counts as it is.
    Plain,
    /// The member is left out unseen.
    Dropped,
    /// A string under this key becomes an ordinal.
    Id,
    /// `__proto__`: the member is worked on, then left out.
    Proto,
}

impl Class {
    /// The class of a key in WTF-8.
    pub fn of(key: &[u8]) -> Self {
        if key == b"__proto__" {
            Self::Proto
        } else if DROPPED.iter().any(|name| lower_cases_to(key, name)) {
            Self::Dropped
        } else if IDS.iter().any(|name| lower_cases_to(key, name)) {
            Self::Id
        } else {
            Self::Plain
        }
    }
}

/// Whether `key.toLowerCase()` is `name`, which is ASCII.
///
/// Beyond ASCII one character alone lower-cases to an ASCII letter: U+212A KELVIN SIGN, to `k`.
fn lower_cases_to(key: &[u8], name: &str) -> bool {
    const KELVIN_SIGN: &[u8] = "\u{212a}".as_bytes();
    let mut rest = key;
    name.bytes().all(|wanted| {
        let (found, len) = match rest {
            _ if wanted == b'k' && rest.starts_with(KELVIN_SIGN) => (b'k', KELVIN_SIGN.len()),
            [byte, ..] => (byte.to_ascii_lowercase(), 1),
            [] => return false,
        };
        rest = &rest[len..];
        found == wanted
    }) && rest.is_empty()
}

/// The interned keys with their classes. The first are the names of the [`Field`]s.
#[derive(Debug)]
pub struct Keys {
    table: KeyTable,
    classes: Vec<Class>,
}

impl Default for Keys {
    fn default() -> Self {
        let mut keys = Self { table: KeyTable::default(), classes: Vec::new() };
        for field in Field::ALL {
            keys.intern(field.name().as_bytes());
        }
        keys
    }
}

impl Keys {
    /// The table alone.
    pub fn table(&self) -> &KeyTable {
        &self.table
    }

    /// The id of a key in WTF-8 when it has or gets one, and its class in any case.
    pub fn intern(&mut self, key: &[u8]) -> (Option<KeyId>, Class) {
        let Some(id) = self.table.intern(key) else { return (None, Class::of(key)) };
        if self.classes.len() < self.table.len() {
            self.classes.push(Class::of(key));
        }
        (Some(id), self.classes[usize::from(id)])
    }

    /// The class of a member's key.
    #[inline]
    pub fn class(&self, doc: &Doc, key: Key) -> Class {
        match key {
            Key::Interned(id) => self.classes[usize::from(id)],
            Key::Literal { start, len } => Class::of(doc.text(start, len)),
            Key::None => Class::Plain,
        }
    }

    /// The WTF-8 of a member's key; empty for an element.
    pub fn text<'a>(&'a self, doc: &'a Doc, key: Key) -> &'a [u8] {
        match key {
            Key::Interned(id) => self.table.text(id),
            Key::Literal { start, len } => doc.text(start, len),
            Key::None => &[],
        }
    }

    /// The field of this name.
    pub fn field(&self, doc: &Doc, key: Key) -> Option<Field> {
        if let Key::Interned(id) = key {
            return Field::ALL.get(usize::from(id)).copied();
        }
        let name = self.text(doc, key);
        Field::ALL.into_iter().find(|field| field.name().as_bytes() == name)
    }
}

/// The names of a document's members.
pub(super) struct NamesOf<'a>(pub(super) &'a Keys, pub(super) &'a Doc);

impl Names for NamesOf<'_> {
    fn name(&self, key: Key) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.0.text(self.1, key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (key, class) in [
            ("role", Class::Plain),
            ("timestamp", Class::Dropped),
            ("X-Api-Key", Class::Dropped),
            ("api_\u{212a}ey", Class::Dropped),
            ("api_key\u{301}", Class::Plain),
            ("api_ke", Class::Plain),
            ("\u{130}d", Class::Plain),
            ("trace_ids", Class::Plain),
            ("ID", Class::Id),
            ("Tool_Call_Id", Class::Id),
            ("__proto__", Class::Proto),
            ("__PROTO__", Class::Plain),
            ("", Class::Plain),
        ] {
            assert_eq!(Class::of(key.as_bytes()), class, "{key:?}");
        }
    }

    /// The rule in `lower_cases_to` rests on this.
    #[test]
    fn only_the_kelvin_sign_lower_cases_into_ascii() {
        let found: Vec<char> =
            ('\u{80}'..=char::MAX).filter(|char| char.to_lowercase().eq_by_ascii()).collect();
        assert_eq!(found, ['\u{212a}']);
    }

    trait EqByAscii {
        fn eq_by_ascii(self) -> bool;
    }

    impl EqByAscii for std::char::ToLowercase {
        fn eq_by_ascii(mut self) -> bool {
            self.all(|char| char.is_ascii())
        }
    }

    #[test]
    fn fields_come_first() {
        let keys = Keys::default();
        for (id, field) in Field::ALL.into_iter().enumerate() {
            assert_eq!(keys.field(&Doc::default(), Key::Interned(id as KeyId)), Some(field));
        }
    }
}
