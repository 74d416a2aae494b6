//! Findings lie in the text, in order and apart; a NUL parts texts; matchers one after another find what all find at
//! once; tokens restore the text; the default preset finds what its published patterns find; time is linear.
#![no_main]

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tapeproof::redact::{Finding, Matcher, Matchers, Tokens, find, scrub};
use tapeproof_fuzz::published;
use tapeproof_fuzz::value::unit;

fuzz_target!(|data: &[u8]| {
    let [set, shape, rest @ ..] = data else { return };
    let matchers = match Matcher::ALL.get(usize::from(*set)) {
        Some(&matcher) => Matchers::of(&[matcher]),
        None if set % 2 == 0 => Matchers::DEFAULT,
        None => Matchers::EXTENDED,
    };
    let text: Vec<u16> = match shape % 4 {
        0 => rest.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit)).collect(),
        _ => rest.iter().map(|&byte| unit(byte)).collect(),
    };
    if shape % 16 == 15 {
        check_time(&text, matchers);
    } else {
        check(&text, matchers);
    }
});

fn check(text: &[u16], matchers: Matchers) {
    let findings = found(text, matchers);
    check_places(text, matchers, &findings);
    check_apart(text, matchers, &findings);

    let mut tokens = Tokens::default();
    let scrubbed = scrub(text, matchers, &mut tokens).expect("memory");
    assert_eq!(scrubbed.is_some(), !findings.is_empty());
    let scrubbed = scrubbed.unwrap_or_else(|| text.to_vec());
    check_restored(text, findings, &scrubbed, &tokens);

    let mut stepwise = (text.to_vec(), Tokens::default());
    for matcher in matchers {
        let (text, tokens) = &mut stepwise;
        if let Ok(Some(scrubbed)) = scrub(text, Matchers::of(&[matcher]), tokens) {
            *text = scrubbed;
        }
    }
    assert_eq!(String::from_utf16_lossy(&stepwise.0), String::from_utf16_lossy(&scrubbed));
    assert!(stepwise.1.map().eq(tokens.map()));

    if matchers == Matchers::DEFAULT && text.len() <= 1024 {
        let mut tokens = Tokens::default();
        if let Some(published) = published::scrub(text, &mut tokens) {
            assert_eq!(String::from_utf16_lossy(&published), String::from_utf16_lossy(&scrubbed));
        }
    }
}

fn found(text: &[u16], matchers: Matchers) -> Vec<Finding> {
    let mut findings = Vec::new();
    assert_eq!(find(text, matchers, &mut findings), Ok(()));
    findings
}

fn check_places(text: &[u16], matchers: Matchers, findings: &[Finding]) {
    assert!(
        findings.iter().all(|found| {
            matchers.has(found.matcher) && found.start < found.end && found.end <= text.len()
        })
    );
    assert!(findings.is_sorted_by_key(|found| (found.matcher as u8, found.start)));
    let mut spans: Vec<_> = findings.iter().map(|found| (found.start, found.end)).collect();
    spans.sort_unstable();
    assert!(spans.windows(2).all(|pair| pair[0].1 <= pair[1].0));
}

/// Text beyond a NUL changes nothing, though it makes every matcher run.
fn check_apart(text: &[u16], matchers: Matchers, findings: &[Finding]) {
    const ALL_SIGNS: &str = "a@b.co Bearer sk-1 xoxb-1 xapp- AKIA eyJ --BEGIN ghp_ glpat- AIza hf_ npm_ services/T \
                             sk_live_ key= sig= bearer DE89 3704 0044 0532 0130 00 b_p y=";
    let signs: Vec<u16> = ALL_SIGNS.encode_utf16().collect();
    let after = [text, &[0], &signs].concat();
    let before = [&signs[..], &[0], text].concat();
    let within = |joined: &[u16], from: usize| -> Vec<Finding> {
        let found = found(joined, matchers).into_iter();
        let found = found.filter(|found| found.end > from && found.start < from + text.len());
        let moved = |found: Finding| {
            let [start, end] = [found.start, found.end].map(|at| at.checked_sub(from).expect("a part"));
            Finding { start, end, ..found }
        };
        found.map(moved).collect()
    };
    assert_eq!(within(&after, 0), findings);
    assert_eq!(within(&before, signs.len() + 1), findings);
}

/// One token, one original: with the table turned round, the scrubbed text is the text.
fn check_restored(text: &[u16], mut findings: Vec<Finding>, scrubbed: &[u16], tokens: &Tokens) {
    findings.sort_unstable_by_key(|found| found.start);
    let mut originals = HashMap::new();
    let (mut rest, mut from) = (scrubbed, 0);
    for Finding { start, end, .. } in findings {
        rest = rest.strip_prefix(&text[from..start]).expect("what was not found, as it was");
        let close = rest.iter().position(|&unit| unit == u16::from(b']')).expect("a token");
        let (token, more) = rest.split_at(close + 1);
        let original = originals.entry(String::from_utf16_lossy(token)).or_insert(&text[start..end]);
        assert_eq!(*original, &text[start..end]);
        (rest, from) = (more, end);
    }
    assert_eq!(rest, &text[from..]);
    assert_eq!(originals.values().collect::<HashSet<_>>().len(), originals.len());
    assert_eq!(tokens.map().count(), originals.len());
    for (token, name) in tokens.map() {
        assert!(originals.contains_key(token) && token.starts_with(&format!("[redacted:{name}:")));
    }
}

/// The text over and over, to a length at which the square of it takes many times as long as is granted.
fn check_time(text: &[u16], matchers: Matchers) {
    const UNITS: usize = 1 << 16;
    const GRANTED: Duration = Duration::from_secs(1);
    let long: Vec<u16> = text.iter().copied().cycle().take(UNITS).collect();
    let start = processor_time();
    check_places(&long, matchers, &found(&long, matchers));
    if let (Some(start), Some(end)) = (start, processor_time()) {
        assert!(end < start + GRANTED, "not linear");
    }
}

/// What this thread has had of a processor, however busy the machine is. Linux only.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
