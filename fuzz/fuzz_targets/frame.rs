//! Frames that nobody wrote: errors, never panics. Frames of one value, however written: one hash.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use tapeproof::digest::Sha256;
use tapeproof::error::{Error, ErrorKind};
use tapeproof::frame::{VERSION, read, read_cut};
use tapeproof::json;
use tapeproof::json::value::{Doc, Kind};
use tapeproof::request::{Canonicalizer, NoStrings, Strings, ToolOrder};
use tapeproof_fuzz::encoding::{Encoding, Heap, frame, intern, json};
use tapeproof_fuzz::value::{Value, request};

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else { return };
    match mode % 4 {
        0 => wild(rest, u32::MAX),
        1 => wild(rest, Heap::samples().len()),
        2 => drop(values(&mut Unstructured::new(rest))),
        _ => drop(requests(&mut Unstructured::new(rest))),
    }
});

/// Words that may be no frame at all, with some text beside them.
fn wild(bytes: &[u8], heap_len: u32) {
    let text: Vec<u16> = "kind model  e\u{301} \u{1}".encode_utf16().collect();
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let words = [&[VERSION, text.len() as u32], &words[..]].concat();
    let document = || Doc { units: text.clone(), ..Doc::default() };
    let mut core = Canonicalizer::default();
    intern(core.keys_mut());
    let heap = Heap::samples();
    let mut doc = document();
    match read(&words, heap_len, core.keys().table(), &mut doc) {
        Ok(()) => check_tree(&doc),
        Err(error) => assert!(matches!(error.kind(), ErrorKind::Frame | ErrorKind::Depth)),
    }
    let mut again = |run: &mut dyn FnMut(&mut Canonicalizer, &mut Doc) -> Option<[u8; 32]>| {
        let mut doc = document();
        read(&words, heap_len, core.keys().table(), &mut doc).ok()?;
        run(&mut core, &mut doc)
    };
    let order = ToolOrder::AsGiven;
    let hash = again(&mut |core, doc| core.req_hash(doc, order, &mut &heap).ok());
    let text = again(&mut |core, doc| Some(digest(&core.request_text(doc, order, &mut &heap).ok()?)));
    assert_eq!(hash, text);
    let hash = again(&mut |core, doc| core.state_hash(doc, &mut &heap).ok());
    let text = again(&mut |core, doc| Some(digest(&core.state_text(doc, &mut &heap).ok()?)));
    assert_eq!(hash, text);
    again(&mut |core, doc| core.req_hash(doc, ToolOrder::ByName, &mut &heap).ok());

    let step = 1 + words.len() / 8;
    for cut in (0..=words.len()).step_by(step) {
        let mut doc = document();
        if let Ok(last) = read_cut(&words[..cut], heap_len, core.keys().table(), &mut doc) {
            check_tree(&doc);
            let pointer = core.pointer(&doc, last);
            assert!(pointer.is_ok_and(|pointer| pointer.is_empty() || pointer.starts_with('/')));
        }
    }
}

/// The invariant of `Node::next`.
fn check_tree(doc: &Doc) {
    let len = doc.nodes.len() as u32;
    let mut ends = vec![len];
    for (id, node) in (0..).zip(&doc.nodes) {
        while ends.last() == Some(&id) {
            ends.pop();
        }
        assert!(id < node.next && ends.last().is_some_and(|&end| node.next <= end));
        if matches!(node.kind, Kind::Array | Kind::Object) {
            ends.push(node.next);
        } else {
            assert_eq!(node.next, id + 1);
        }
    }
    assert_eq!(doc.nodes.first().map(|root| root.next), Some(len));
}

fn digest(text: &[u8]) -> [u8; 32] {
    let mut sha = Sha256::versioned();
    sha.update(text);
    sha.finish()
}

type Outcome = std::result::Result<[u8; 32], Error>;

fn values(u: &mut Unstructured<'_>) -> Result<()> {
    let value: Value = u.arbitrary()?;
    check_encodings(&value, |core, doc, mut strings| core.state_hash(doc, &mut strings));
    Ok(())
}

fn requests(u: &mut Unstructured<'_>) -> Result<()> {
    let request = request(u)?;
    let order = if u.arbitrary()? { ToolOrder::AsGiven } else { ToolOrder::ByName };
    check_encodings(&request, |core, doc, mut strings| core.req_hash(doc, order, &mut strings));
    Ok(())
}

enum Texts<'a> {
    Heap(&'a Heap),
    None,
}

impl Strings for Texts<'_> {
    fn read(&mut self, index: u32, len: usize, units: &mut Vec<u16>) -> std::result::Result<(), Error> {
        match self {
            Self::Heap(heap) => heap.read(index, len, units),
            Self::None => NoStrings.read(index, len, units),
        }
    }

    fn nfc(&mut self, units: &mut Vec<u16>) -> std::result::Result<(), Error> {
        NoStrings.nfc(units)
    }
}

/// Every way to write a value has one outcome; so has every order of members, but for the numbers of ids.
fn check_encodings(value: &Value, hash: impl Fn(&mut Canonicalizer, &mut Doc, Texts) -> Outcome) {
    let mut core = Canonicalizer::default();
    intern(core.keys_mut());
    let mut outcome = |value: &Value, encoding| {
        let (words, units, heap) = frame(value, core.keys_mut(), encoding);
        let mut doc = Doc { units, ..Doc::default() };
        assert_eq!(read(&words, heap.len(), core.keys().table(), &mut doc), Ok(()));
        check_tree(&doc);
        hash(&mut core, &mut doc, Texts::Heap(&heap))
    };
    let expected = outcome(value, Encoding { interned: true, joined: true });
    for (interned, joined) in [(true, true), (false, true), (true, false), (false, false)] {
        assert_eq!(outcome(value, Encoding { interned, joined }), expected);
    }
    if !value.has_ids() {
        assert_eq!(outcome(&value.reversed(), Encoding { interned: true, joined: true }), expected);
    }
    if let Some(text) = json(value) {
        let mut doc = Doc::default();
        assert_eq!(json::read::read(text.as_bytes(), &mut doc), Ok(()));
        check_tree(&doc);
        assert_eq!(hash(&mut core, &mut doc, Texts::None), expected);
    }
}
