//! Canonical text is JSON, and its own canonical text; it is what a second writer writes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tapeproof::json::read::read;
use tapeproof::json::value::Doc;
use tapeproof::request::{Canonicalizer, NoStrings, ToolOrder};
use tapeproof_fuzz::jcs;

fuzz_target!(|data: &[u8]| {
    let mut core = Canonicalizer::default();
    if let Some(text) = raw(&mut core, data) {
        assert_eq!(raw(&mut core, &text).as_deref(), Some(&text[..]));
        if let Ok(value) = serde_json::from_slice(data) {
            assert_eq!(String::from_utf8_lossy(&text), jcs::text(&value));
        }
    }
    let mut doc = Doc::default();
    if read(data, &mut doc).is_ok()
        && let Ok(text) = core.state_text(&mut doc, &mut NoStrings)
    {
        assert_eq!(raw(&mut core, &text).as_deref(), Some(&text[..]));
    }
});

/// The canonical text of a JSON text, not normalized: the counter of a request is written as it is.
fn raw(core: &mut Canonicalizer, json: &[u8]) -> Option<Vec<u8>> {
    let mut doc = Doc::default();
    let request = [br#"{"kind":"clock","counter":"#, json, b"}"].concat();
    read(&request, &mut doc).ok()?;
    let text = core.request_text(&mut doc, ToolOrder::AsGiven, &mut NoStrings).ok()?;
    let text = text.strip_prefix(br#"{"counter":"#)?.strip_suffix(br#","kind":"clock"}"#)?;
    Some(text.to_vec())
}
