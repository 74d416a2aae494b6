//! Verification over arbitrary bytes: a verdict or an error, never a panic, and the same one whether strings were left
//! as they stand or decoded, and whether the text was there at once or came in pieces.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use tapeproof::error::ErrorKind;
use tapeproof::json::read::{read, utf8};
use tapeproof::json::value::Doc;
use tapeproof::record::{
    Document, HmacKey, Keys, Processors, Signer, cassette_digest, event_chain, seal, verify, verify_pieces,
};

fuzz_target!(|data: &[u8]| {
    let keys = Keys { hmac: vec![HmacKey::Bytes(b"key".to_vec())], ..Keys::default() };
    let verbatim = Document::from_utf8(data.to_vec());
    let piece = data.len() % 13 + 1;
    let pieces = verify_pieces(Cursor::new(data), piece, &keys);
    assert_eq!(
        pieces,
        Document::from_utf8(data.to_vec()).and_then(|record| verify(&record, &keys, Processors::All))
    );
    let mut doc = Doc::default();
    let decoded = utf8(data).and_then(|text| read(text.as_bytes(), &mut doc)).map(|()| Document::from(doc));
    let (verbatim, decoded) = match (verbatim, decoded) {
        (Ok(verbatim), Ok(decoded)) => (verbatim, decoded),
        (Err(error), Err(other)) => return assert_eq!(error, other),
        _ => panic!("one reading fails and the other does not"),
    };
    let report = verify(&verbatim, &keys, Processors::All);
    assert_eq!(report, verify(&decoded, &keys, Processors::AllButOne));
    match &report {
        Ok(report) => {
            assert_eq!(
                report.integrity,
                !report.failures.iter().any(|failure| failure.check.name() != "signature")
            );
            let mut json = Doc::default();
            assert_eq!(report.to_json().and_then(|text| read(&text, &mut json)), Ok(()));
        }
        Err(error) => assert!(matches!(
            error.kind(),
            ErrorKind::Record | ErrorKind::Event | ErrorKind::Projection | ErrorKind::Conversion
        )),
    }
    assert_eq!(event_chain(&verbatim), event_chain(&decoded));
    assert_eq!(cassette_digest(&verbatim), cassette_digest(&decoded));
    let signer = Signer::Hmac(b"key".to_vec());
    assert_eq!(seal(&verbatim, &signer), seal(&decoded, &signer));
});
