//! Normalized values as JavaScript objects, for `canonical`.

use std::ptr;

use napi::sys;

use super::heap::{Heap, create_ascii, create_utf16};
use crate::error::{Error, ErrorKind};
use crate::json::value::{Doc, Key, Kind, NodeId, Text};
use crate::memory;
use crate::request::write::load;
use crate::request::{Field, Form, Identity, Keys, Strings as _, is_member};
use crate::text::{Nfc, Plain, media_digest, normalize, wtf8};

/// V8 makes room for all elements of a new array, and ends the process where it cannot. From some length on an array
/// that gets its length later is a sparse one, as it was in JavaScript.
const MAX_PREPARED: u32 = 1 << 24;

/// Builds JavaScript values from a document whose ids are marked.
pub(super) struct Tree<'a> {
    doc: &'a Doc,
    keys: &'a Keys,
    heap: &'a mut Heap,
    units: Vec<u16>,
}

/// A container that is being filled.
struct Open {
    value: sys::napi_value,
    next: NodeId,
    end: NodeId,
    /// The next index; `None` in an object.
    index: Option<u32>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(doc: &'a Doc, keys: &'a Keys, heap: &'a mut Heap) -> Self {
        Self { doc, keys, heap, units: Vec::new() }
    }

    /// The canonical object of a request.
    pub(super) fn request(&mut self, identity: &Identity) -> Result<sys::napi_value, Error> {
        let request = self.object()?;
        for (field, node) in identity.properties() {
            let value = match node {
                None => create_undefined(self.heap.env)?,
                Some(_) if field == Field::ToolSchemas => {
                    let list = self.array(identity.tools().len())?;
                    for (index, &id) in identity.tools().iter().enumerate() {
                        if !matches!(self.doc.node(id).kind, Kind::Holes(_)) {
                            let tool = self.value(id, Form::Normalized)?;
                            self.set_element(list, index as u32, tool)?;
                        }
                    }
                    list
                }
                Some(id) => self.value(id, field.form())?,
            };
            let name = create_ascii(self.heap.env, field.name().as_bytes())?;
            self.set(request, name, value)?;
        }
        Ok(request)
    }

    /// One value and all below it. An explicit stack: nesting costs no stack of the thread.
    pub(super) fn value(&mut self, root: NodeId, form: Form) -> Result<sys::napi_value, Error> {
        let mut open = Vec::new();
        let value = self.begin(root, form, &mut open)?;
        while let Some(top) = open.last_mut() {
            if top.next == top.end {
                open.pop();
                continue;
            }
            let id = top.next;
            let node = self.doc.node(id);
            top.next = node.next;
            let parent = top.value;
            match &mut top.index {
                Some(index) => {
                    if let Kind::Holes(n) = node.kind {
                        *index += n;
                        continue;
                    }
                    let at = *index;
                    *index += 1;
                    let child = self.begin(id, form, &mut open)?;
                    self.set_element(parent, at, child)?;
                }
                None => {
                    if is_member(self.doc, self.keys, id, form) {
                        let child = self.begin(id, form, &mut open)?;
                        let key = self.key(node.key)?;
                        self.set(parent, key, child)?;
                    }
                }
            }
        }
        Ok(value)
    }

    fn begin(&mut self, id: NodeId, form: Form, open: &mut Vec<Open>) -> Result<sys::napi_value, Error> {
        let node = self.doc.node(id);
        let env = self.heap.env;
        match node.kind {
            Kind::String(text) => self.string(text, form),
            Kind::Ordinal(n) => create_ascii(env, format!("call_{n}").as_bytes()),
            Kind::Number(number) => create_number(env, number),
            Kind::Bool(bool) => create(|value| unsafe { sys::napi_get_boolean(env, bool, value) }),
            Kind::Null => create(|value| unsafe { sys::napi_get_null(env, value) }),
            Kind::Undefined => create_undefined(env),
            Kind::Function(index) | Kind::Symbol(index) | Kind::BigInt(index) | Kind::Foreign(index) => {
                self.heap.get(index)
            }
            Kind::Array => {
                let len = self.doc.children(id).map(|id| match self.doc.node(id).kind {
                    Kind::Holes(n) => n as usize,
                    _ => 1,
                });
                let value = self.array(len.sum())?;
                open.push(Open { value, next: id + 1, end: node.next, index: Some(0) });
                Ok(value)
            }
            Kind::Object => {
                let value = self.object()?;
                open.push(Open { value, next: id + 1, end: node.next, index: None });
                Ok(value)
            }
            Kind::Holes(_) => Err(ErrorKind::Frame.into()),
        }
    }

    fn string(&mut self, text: Text, form: Form) -> Result<sys::napi_value, Error> {
        if let (Text::External { index, .. }, Form::Raw) = (text, form) {
            return self.heap.get(index);
        }
        load(self.doc, text, self.heap, &mut self.units)?;
        if form == Form::Raw {
            return create_utf16(self.heap.env, &self.units);
        }
        normalized(self.heap, &mut self.units)
    }

    fn key(&mut self, key: Key) -> Result<sys::napi_value, Error> {
        let text = self.keys.text(self.doc, key);
        self.units.clear();
        memory::room(&mut self.units, text.len())?;
        wtf8::push_units(text, &mut self.units);
        create_utf16(self.heap.env, &self.units)
    }

    fn object(&self) -> Result<sys::napi_value, Error> {
        create(|value| unsafe { sys::napi_create_object(self.heap.env, value) })
    }

    /// An array of so many holes.
    fn array(&self, len: usize) -> Result<sys::napi_value, Error> {
        let len = u32::try_from(len).map_err(|_| Error::new(ErrorKind::Frame))?;
        let env = self.heap.env;
        if len <= MAX_PREPARED {
            return create(|array| unsafe { sys::napi_create_array_with_length(env, len as usize, array) });
        }
        let array = create(|array| unsafe { sys::napi_create_array(env, array) })?;
        let len = create_number(env, len.into())?;
        // SAFETY: the values belong to `env`, and the name ends with NUL. An array has its own `length`.
        done(unsafe { sys::napi_set_named_property(env, array, c"length".as_ptr(), len) })?;
        Ok(array)
    }

    fn set_element(&self, list: sys::napi_value, index: u32, value: sys::napi_value) -> Result<(), Error> {
        let key = create_ascii(self.heap.env, index.to_string().as_bytes())?;
        self.set(list, key, value)
    }

    /// Gives an object a property of its own. Assignment would ask what the prototypes have under this name.
    fn set(
        &self,
        object: sys::napi_value,
        key: sys::napi_value,
        value: sys::napi_value,
    ) -> Result<(), Error> {
        let property = sys::napi_property_descriptor {
            utf8name: ptr::null(),
            name: key,
            method: None,
            getter: None,
            setter: None,
            value,
            attributes: sys::PropertyAttributes::writable
                | sys::PropertyAttributes::enumerable
                | sys::PropertyAttributes::configurable,
            data: ptr::null_mut(),
        };
        // SAFETY: one descriptor, and all its values are live in the environment.
        done(unsafe { sys::napi_define_properties(self.heap.env, object, 1, &raw const property) })
    }
}

/// T(text) as a JavaScript string. `units` holds the text, and is used up.
pub(super) fn normalized(heap: &mut Heap, units: &mut Vec<u16>) -> Result<sys::napi_value, Error> {
    if let Some(digest) = media_digest(units) {
        return create_ascii(heap.env, &digest);
    }
    // It never gets longer.
    let mut text = Vec::new();
    memory::room(&mut text, units.len())?;
    if normalize(units, Nfc::Unknown, Plain::new(&mut text)).is_err() {
        heap.nfc(units)?;
        memory::room(&mut text, units.len())?;
        // Cannot fail: NFC is done.
        let _ = normalize(units, Nfc::Done, Plain::new(&mut text));
    }
    create_utf16(heap.env, &text)
}

pub(super) fn create_undefined(env: sys::napi_env) -> Result<sys::napi_value, Error> {
    create(|value| unsafe { sys::napi_get_undefined(env, value) })
}

pub(super) fn create_number(env: sys::napi_env, number: f64) -> Result<sys::napi_value, Error> {
    create(|value| unsafe { sys::napi_create_double(env, number, value) })
}

fn create(call: impl FnOnce(*mut sys::napi_value) -> sys::napi_status) -> Result<sys::napi_value, Error> {
    let mut value = ptr::null_mut();
    done(call(&raw mut value))?;
    Ok(value)
}

/// Whether Node did what it was asked to.
pub(super) fn done(status: sys::napi_status) -> Result<(), Error> {
    if status == sys::Status::napi_ok { Ok(()) } else { Err(ErrorKind::Memory.into()) }
}
