//! Seals that are made part by part.

use tapeproof::error::{Error, ErrorKind};
use tapeproof::record::{Document, Progress, Seal, Signer, seal};

const EVENTS: [&str; 5] = [
    r#"{"type":"run","phase":"start","run_id":"r","seq":0,"status":"running"}"#,
    r#"{"type":"llm","run_id":"r","seq":1,"model":{"model_id":"m"},"request":{"b":[1],"a":"é"},"response":{"text":"x"}}"#,
    r#"{"type":"reasoning","run_id":"r","seq":1,"text":"hm"}"#,
    r#"{"type":"env","run_id":"r","seq":2,"kind":"clock","key":"k","output":1.5}"#,
    r#"{"type":"run","phase":"end","run_id":"r","seq":3,"status":"success"}"#,
];

fn document(text: &str) -> Result<Document, Error> {
    Document::from_utf8(text.as_bytes().to_vec())
}

fn whole(events: &[&str], signer: &Signer) -> Result<Seal, Error> {
    let draft = format!(r#"{{"manifest":{{"run_id":"r"}},"run":{{}},"events":[{}]}}"#, events.join(","));
    seal(&document(&draft)?, signer)
}

fn in_parts(events: &[&str], size: usize, signer: &Signer) -> Result<Seal, Error> {
    let mut progress = Progress::default();
    let mut hashes = Vec::new();
    for part in events.chunks(size) {
        hashes.extend(progress.push(&document(&format!(r#"{{"events":[{}]}}"#, part.join(",")))?)?);
    }
    Ok(Seal { hashes, ..progress.finish(signer) })
}

#[test]
fn parts_of_any_size_give_the_seal_of_the_whole() -> Result<(), Error> {
    for signer in [Signer::None, Signer::Hmac(b"key".to_vec())] {
        for count in 0..=EVENTS.len() {
            for size in 1..=EVENTS.len() {
                let events = &EVENTS[..count];
                assert_eq!(in_parts(events, size, &signer)?, whole(events, &signer)?, "{count} by {size}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_part_that_is_refused_leaves_the_progress_as_it_was() -> Result<(), Error> {
    let mut progress = Progress::default();
    progress.push(&document(&format!(r#"{{"events":[{}]}}"#, EVENTS[..2].join(",")))?)?;
    let before = progress.clone();
    for (name, part, kind, pointer) in [
        ("events in another order", r#"{"events":[{"seq":3},{"seq":2}]}"#, ErrorKind::Seal, Some("/events")),
        ("a seq that is no number", r#"{"events":[{},{"seq":"3"}]}"#, ErrorKind::Seal, Some("/events/1/seq")),
        ("an event that is none", r#"{"events":[null]}"#, ErrorKind::Event, Some("/events/0")),
        (
            "a projection that is none",
            r#"{"events":[{"seq":3},{"seq":4,"type":"tool","key_projection":{"keep":1}}]}"#,
            ErrorKind::Projection,
            Some("/events/1/key_projection/keep"),
        ),
        ("no events", r#"{"events":{}}"#, ErrorKind::Record, None),
        ("no object", "[]", ErrorKind::Record, None),
    ] {
        let error = progress.push(&document(part)?).err();
        assert_eq!(
            error.as_ref().map(|error| (error.kind(), error.pointer())),
            Some((kind, pointer)),
            "{name}"
        );
        assert_eq!(progress, before, "{name}");
    }
    Ok(())
}
