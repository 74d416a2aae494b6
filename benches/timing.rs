//! Whether the time of a comparison tells what is compared, as dudect asks it (Reparaz et al., 2017):
//! `cargo bench --no-default-features --bench timing`.
//!
//! Two classes of input, drawn in random order, and Welch's t of their times, over all of them and over the fastest,
//! which are the least disturbed. |t| beyond 4.5 is a sign of a leak, beyond 10 a proof. A comparison that stops at the
//! first difference is measured beside, to show that the test would see one. Not measured is the arithmetic of Ed25519:
//! whoever verifies a signature has nothing secret.
#![expect(clippy::print_stdout, reason = "the figures are what a benchmark is for")]
#![expect(clippy::cast_precision_loss, reason = "sums of nanoseconds")]

use std::hint::black_box;
use std::time::Instant;

use tapeproof::record::key::{PrivateKey, PublicKey};
use tapeproof::record::{Document, HmacKey, Keys, Processors, Signer, seal, verify};

const SAMPLES: usize = 1_000_000;
/// The part of the samples, in percent, that is left when the slowest are cut off.
const CROPS: [usize; 6] = [50, 75, 90, 95, 99, 100];

const CONTENT: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const KEY: &[u8] = b"a key of no particular length";
const PEM: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n\
    -----END PRIVATE KEY-----\n";
/// Its public half (RFC 8032, section 7.1).
const PUBLIC_KEY: [u8; 32] = [
    0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e,
    0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a,
];

fn main() {
    let right = hmac();
    let (early, late) = (changed(&right, 0), changed(&right, 63));
    report("HMAC of a record, wrong in the first or the last digit", SAMPLES, [&early, &late], |value| {
        let record = record("HMAC-SHA256", value, "");
        let keys = Keys { hmac: vec![HmacKey::Bytes(KEY.to_vec())], ..Keys::default() };
        move || drop(black_box(verify(&record, &keys, Processors::All)))
    });

    if let Ok(key) = PrivateKey::from_pem(PEM.as_bytes()) {
        let signature = hex(&key.sign(format!("{CONTENT}:{CONTENT}").as_bytes()));
        let pubkey = key.public_key().to_pem().replace('\n', "\\n");
        let (early, late) = (flipped(PUBLIC_KEY, 0), flipped(PUBLIC_KEY, 31));
        report("pinned key, other in the first or the last byte", SAMPLES / 10, [&early, &late], |pinned| {
            let record = record("Ed25519", &signature, &pubkey);
            let keys = Keys { pinned: vec![PublicKey::from_bytes(*pinned)], ..Keys::default() };
            move || drop(black_box(verify(&record, &keys, Processors::All)))
        });
    }

    report("control: the same digits, compared until they differ", SAMPLES, [&early, &late], |value| {
        let (value, right) = (value.clone(), right.clone());
        move || {
            black_box(value.bytes().zip(right.bytes()).position(|(one, other)| one != black_box(other)));
        }
    });
}

/// Prints the greatest |t| of all crops. `prepare` gives what is timed, of an input of either class.
fn report<T, R: FnMut()>(name: &str, samples: usize, classes: [&T; 2], prepare: impl Fn(&T) -> R) {
    let mut times = [Vec::with_capacity(samples), Vec::with_capacity(samples)];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..samples {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let class = (state >> 33 & 1) as usize;
        let mut run = prepare(classes[class]);
        let start = Instant::now();
        run();
        times[class].push(start.elapsed().as_nanos() as f64);
    }
    let mut all = times.concat();
    all.sort_unstable_by(f64::total_cmp);
    let t = CROPS.map(|percent| {
        let most = all[(all.len() * percent / 100).max(1) - 1];
        let [a, b] = [0, 1].map(|class| moments(times[class].iter().copied().filter(|&time| time <= most)));
        (a.mean - b.mean) / (a.variance / a.count + b.variance / b.count).sqrt()
    });
    let greatest = t.iter().fold(0.0, |greatest: f64, t| greatest.max(t.abs()));
    println!("{greatest:>8.1}  {name} ({samples} samples, median {} ns)", all[all.len() / 2]);
}

struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

fn moments(times: impl Iterator<Item = f64> + Clone) -> Moments {
    let count = times.clone().count() as f64;
    let mean = times.clone().sum::<f64>() / count;
    let variance = times.map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
    Moments { count, mean, variance }
}

fn record(algorithm: &str, value: &str, pubkey: &str) -> Document {
    let text = format!(
        r#"{{"manifest":{{"content_digest":"{CONTENT}","replay":{{"cassette_digest":"{CONTENT}"}},"signature":{{"alg":"{algorithm}","value":"{value}","pubkey":"{pubkey}"}}}},"run":{{}},"events":[]}}"#
    );
    Document::from_utf8(text.into_bytes()).unwrap_or_default()
}

/// The HMAC of a record without events, whose digests are both that of nothing.
fn hmac() -> String {
    let draft = Document::from_utf8(br#"{"manifest":{"run_id":"r"},"run":{},"events":[]}"#.to_vec());
    let sealed = draft.and_then(|draft| seal(&draft, &Signer::Hmac(KEY.to_vec())));
    sealed.ok().and_then(|sealed| sealed.signature).map(|signature| signature.value).unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

fn changed(digits: &str, at: usize) -> String {
    let other = if digits[at..].starts_with('0') { "1" } else { "0" };
    format!("{}{other}{}", &digits[..at], &digits[at + 1..])
}

fn flipped(mut key: [u8; 32], at: usize) -> [u8; 32] {
    key[at] ^= 1;
    key
}
