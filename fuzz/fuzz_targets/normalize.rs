//! T(text) against its second reading.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tapeproof::digest::Sha256;
use tapeproof::jcs::{self, Output};
use tapeproof::text::{Nfc, NotInert, Plain, media_digest, nfc, normalize};
use tapeproof_fuzz::text;
use tapeproof_fuzz::value::unit;

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else { return };
    let units: Vec<u16> = match mode % 4 {
        0 => rest.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        1 | 2 => rest.iter().map(|&byte| unit(byte)).collect(),
        // Long enough to be media, with what breaks it at the end.
        _ => "QUJD+/ \n".repeat(128).encode_utf16().chain(rest.iter().map(|&byte| unit(byte))).collect(),
    };
    let media = media_digest(&units).map(|digest| String::from_utf8_lossy(&digest).into_owned());
    assert_eq!(media, text::media(&units));
    if media.is_none() {
        check(&units);
    }
});

fn check(units: &[u16]) {
    let composed = text::nfc(units);
    assert_eq!(nfc::compose(units), composed);
    let expected = text::laid_out(&composed);
    assert_eq!(laid_out(&composed, Nfc::Done), Ok(expected.clone()));
    if let Ok(normalized) = laid_out(units, Nfc::Unknown) {
        assert_eq!(normalized, expected);
    }
    assert_eq!(escaped_from(&composed), escaped(&expected));
    // Two runs of backticks, once apart, may make a fence.
    if !composed.contains(&0x60) {
        assert_eq!(laid_out(&expected, Nfc::Done), Ok(expected.clone()));
        assert_eq!(text::nfc(&expected), expected);
    }
}

fn laid_out(units: &[u16], nfc: Nfc) -> Result<Vec<u16>, NotInert> {
    let mut out = Vec::new();
    normalize(units, nfc, Plain::new(&mut out)).map(|()| out)
}

/// The text in canonical JSON, normalized on the way.
fn escaped_from(units: &[u16]) -> Vec<u8> {
    let mut out = Output::default();
    out.begin(Sha256::new(), true);
    assert_eq!(normalize(units, Nfc::Done, out.escaper()), Ok(()));
    out.text().to_vec()
}

fn escaped(units: &[u16]) -> Vec<u8> {
    let mut out = Output::default();
    out.begin(Sha256::new(), true);
    jcs::push_units(units, &mut out);
    out.text().to_vec()
}
