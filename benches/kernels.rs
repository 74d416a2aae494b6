//! How long the kernels of the core take for one unit of their input: `cargo bench --no-default-features`.
//!
//! The time is that of the fastest of many runs, which is the one that the rest of the machine disturbed least.
#![expect(clippy::print_stdout, reason = "the figures are what a benchmark is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tapeproof::digest::Sha256;
use tapeproof::json::read::read;
use tapeproof::json::value::Doc;
use tapeproof::redact::{Matchers, find};
use tapeproof::request::{Canonicalizer, NoStrings};
use tapeproof::text::{Nfc, Plain, media_digest, nfc, normalize};

const TIME: Duration = Duration::from_millis(400);

const PROSE: &str = "The order was placed on Monday, and the policy allows thirty days from delivery.\n\
    - Look the invoice up \"before\" anything is promised.\n\n";
const TYPOGRAPHIC: &str = "The order was placed on Monday — the café’s “policy” allows thirty days from delivery.\n\
    - Look the invoice up “before” anything is promised.\n\n";
const FENCED: &str =
    "Run this:\n```ts\nconst order  = await orders.find(\"A-1\");\n```\nthen compare the   totals. \n";

fn main() {
    let units = |text: &str| text.repeat(800).encode_utf16().collect::<Vec<_>>();
    for (name, text) in [("prose", PROSE), ("typographic prose", TYPOGRAPHIC), ("fences", FENCED)] {
        let text = units(text);
        bench(&format!("normalize, {name}"), text.len(), || {
            let mut out = Vec::new();
            normalize(&text, Nfc::Unknown, Plain::new(&mut out)).map(|()| out.len()).unwrap_or_default()
        });
    }
    let decomposed = units("cafe\u{301} naive\u{308} ");
    bench("compose, every other word changes", decomposed.len(), || nfc::compose(&decomposed).len());

    for (name, matchers) in [("default", Matchers::DEFAULT), ("extended", Matchers::EXTENDED)] {
        let text = units(PROSE);
        bench(&format!("redact, {name} preset, nothing to find"), text.len(), || {
            let mut findings = Vec::new();
            find(&text, matchers, &mut findings).map(|()| findings.len()).unwrap_or_default()
        });
    }

    let base64 = units("iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAAAAADF");
    bench("media digest", base64.len(), || usize::from(media_digest(&base64).is_some()));

    let json = conversation();
    let mut doc = Doc::default();
    bench("read JSON", json.len(), || read(&json, &mut doc).map(|()| doc.nodes.len()).unwrap_or_default());
    let mut canonicalizer = Canonicalizer::default();
    bench("read JSON and hash it as a state", json.len(), || {
        let hash = read(&json, &mut doc).and_then(|()| canonicalizer.state_hash(&mut doc, &mut NoStrings));
        hash.map_or(0, |digest| usize::from(digest[0]))
    });

    bench("SHA-256", json.len(), || {
        let mut sha = Sha256::versioned();
        sha.update(&json);
        usize::from(sha.finish()[0])
    });
}

/// JSON text of some messages.
fn conversation() -> Vec<u8> {
    let content = TYPOGRAPHIC.repeat(6).replace('\n', "\\n").replace('"', "\\\"");
    let message =
        |at: usize| format!(r#"{{"id":"msg_{at}","role":"user","created_at":{at},"content":"{content}"}}"#);
    format!("[{}]", (0..100).map(message).collect::<Vec<_>>().join(",")).into_bytes()
}

fn bench(name: &str, units: usize, mut run: impl FnMut() -> usize) {
    let mut best = Duration::MAX;
    let began = Instant::now();
    while began.elapsed() < TIME {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed());
    }
    let ns = best.as_secs_f64() * 1e9 / f64::from(u32::try_from(units).unwrap_or(u32::MAX));
    println!("{name:36} {ns:7.2} ns a unit");
}
