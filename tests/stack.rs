//! Nesting costs no stack of the thread: a worker that is called near the end of its own has 192 KiB left.

use std::thread;

use tapeproof::error::{Error, ErrorKind};
use tapeproof::frame;
use tapeproof::json::read::read;
use tapeproof::json::value::Doc;
use tapeproof::limits::MAX_DEPTH;
use tapeproof::record::{Document, Keys, Processors, event_chain, verify};
use tapeproof::request::{Canonicalizer, NoStrings, ToolOrder};

const STACK_BYTES: usize = 192 * 1024;

fn on_a_small_stack(run: impl FnOnce() -> Result<(), Error> + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    assert!(thread.is_ok_and(|thread| matches!(thread.join(), Ok(Ok(())))));
}

fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(depth), inner, &close.repeat(depth)].concat()
}

#[test]
fn texts() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"{"b":1,"a":"#, "}"), (r#"{"1":0,"0":"#, "}")] {
        on_a_small_stack(move || {
            let state = nested(MAX_DEPTH, open, "1", close);
            let mut doc = Doc::default();
            let mut core = Canonicalizer::default();
            read(state.as_bytes(), &mut doc)?;
            core.state_hash(&mut doc, &mut NoStrings)?;
            for field in ["args", "tool_name"] {
                let value = nested(MAX_DEPTH - 1, open, "1", close);
                read(format!(r#"{{"kind":"tool","{field}":{value}}}"#).as_bytes(), &mut doc)?;
                core.req_hash(&mut doc, ToolOrder::ByName, &mut NoStrings)?;
            }
            Ok(())
        });
    }
}

#[test]
fn errors() {
    on_a_small_stack(|| {
        let mut doc = Doc::default();
        let text = nested(MAX_DEPTH, r#"{"1":0,"0":"#, "1e999", "}");
        read(text.as_bytes(), &mut doc)?;
        let error = Canonicalizer::default().state_hash(&mut doc, &mut NoStrings).err();
        assert_eq!(error, Some(Error::new(ErrorKind::Infinity).at_pointer("/0".repeat(MAX_DEPTH))));
        let error = read(nested(100_000, "[", "", "]").as_bytes(), &mut doc).err();
        assert_eq!(error, Some(Error::new(ErrorKind::Depth).at_pointer("/0".repeat(MAX_DEPTH))));
        Ok(())
    });
}

#[test]
fn frames() {
    const ARRAY: u32 = 13;
    const END: u32 = 15;
    on_a_small_stack(|| {
        let mut doc = Doc::default();
        let mut core = Canonicalizer::default();
        let words = [&[frame::VERSION, 0][..], &[ARRAY; MAX_DEPTH], &[END; MAX_DEPTH]].concat();
        frame::read(&words, 0, core.keys().table(), &mut doc)?;
        core.state_hash(&mut doc, &mut NoStrings)?;
        doc.clear();
        let last = frame::read_cut(&words[..2 + MAX_DEPTH], 0, core.keys().table(), &mut doc)?;
        assert_eq!(core.pointer(&doc, last), Ok("/0".repeat(MAX_DEPTH - 1)));
        Ok(())
    });
}

#[test]
fn records() {
    on_a_small_stack(|| {
        let depth = MAX_DEPTH - 4;
        let path = vec!["0"; 2000].join(".");
        for (open, close) in [("[", "]"), (r#"{"1":0,"0":"#, "}")] {
            let value = nested(depth, open, "1", close);
            let events = format!(
                r#"[{{"type":"tool","tool_name":{value},"input":{{"0":{value}}},"output":{value},
                "key_projection":{{"drop":["{path}","0.a"]}},"status":{value},"run_id":{value}}}]"#
            );
            let record = format!(
                r#"{{"$schema":{value},"manifest":{{"run_id":{value},"content_digest":{value}}},
                "run":{{"status":{value}}},"events":{events}}}"#
            );
            event_chain(&Document::from_utf8(events.into_bytes())?)?;
            let _ = verify(&Document::from_utf8(record.into_bytes())?, &Keys::default(), Processors::All)?;
        }
        Ok(())
    });
}
