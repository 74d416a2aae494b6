//! A record that is read piece by piece gets the verdict, or the error, of one that is read at once: wherever a piece
//! ends, in whatever order its members and events are, and whatever is wrong with it.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use tapeproof::error::{Error, ErrorKind};
use tapeproof::json::read::read;
use tapeproof::json::value::{Doc, Key, Kind, NodeId, Text};
use tapeproof::record::{Document, HmacKey, Keys, Processors, Report, verify, verify_file, verify_pieces};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The texts of the goldens' records.
fn goldens() -> Vec<Vec<u8>> {
    let text = |doc: &Doc, parent: NodeId, name: &[u8]| {
        doc.children(parent).find_map(|id| match (doc.node(id).key, doc.node(id).kind) {
            (Key::Literal { start, len }, kind) if doc.text(start, len) == name => Some((id, kind)),
            _ => None,
        })
    };
    let mut out = Vec::new();
    for (lines, input) in [
        (&include_bytes!("../__test__/goldens/records.jsonl")[..], None),
        (include_bytes!("../__test__/goldens/traps.verify.jsonl"), Some(b"input")),
    ] {
        for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let mut doc = Doc::default();
            if read(line, &mut doc).is_err() {
                continue;
            }
            let parent = input.map_or(Some(0), |name| text(&doc, 0, name).map(|(id, _)| id));
            if let Some((_, Kind::String(Text::Bytes { start, len }))) =
                parent.and_then(|parent| text(&doc, parent, b"text"))
            {
                out.push(doc.text(start, len).to_vec());
            }
        }
    }
    assert!(out.len() > 100);
    out
}

/// A small, repeatable source of randomness (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, all: &[&'a [u8]]) -> &'a [u8] {
        all[self.below(all.len())]
    }
}

const INSERTIONS: [&[u8]; 26] = [
    b"",
    b",",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b" ",
    b"\n",
    b"\0",
    b"\x01",
    b"1",
    b"-",
    b"e9",
    b"null,",
    b"{},",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    "é😀".as_bytes(),
    b"\"events\":[],",
    b"\"events\":0,",
    b"\"manifest\":{\"a\":1},",
    b"\"\\u0065vents\":[{\"seq\":1},{\"seq\":0}],",
    b"\"seq\":-5,",
];

/// A text with something cut, put in, or moved.
fn mutant(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(out.len() + 1);
        match random.below(8) {
            0 => out.truncate(at),
            1 => drop(out.splice(at..(at + random.below(4)).min(out.len()), [])),
            2 | 3 => drop(out.splice(at..at, random.pick(&INSERTIONS).iter().copied())),
            4 => {
                // After a bracket, where members and events begin.
                let places: Vec<_> = (0..out.len()).filter(|&at| b"{[,".contains(&out[at])).collect();
                if !places.is_empty() {
                    let at = places[random.below(places.len())] + 1;
                    drop(out.splice(at..at, random.pick(&INSERTIONS).iter().copied()));
                }
            }
            5 => {
                if let Some(byte) = out.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            6 => reorder(&mut out),
            _ => {
                let depth = 2040 + random.below(16);
                drop(out.splice(at..at, std::iter::repeat_n(b'[', depth)));
            }
        }
    }
    out
}

/// Puts what stands before `"events"` behind all the rest.
fn reorder(text: &mut Vec<u8>) {
    let Some(at) = text.windows(9).position(|window| window == b"\"events\":") else { return };
    if at > 1 && text.first() == Some(&b'{') && text.last() == Some(&b'}') {
        let head = text[1..at].strip_suffix(b",").unwrap_or(&text[1..at]).to_vec();
        text.pop();
        drop(text.drain(1..at));
        text.push(b',');
        text.extend(head);
        text.push(b'}');
    }
}

fn keys() -> Keys {
    Keys { hmac: vec![HmacKey::Bytes(b"key".to_vec())], ..Keys::default() }
}

fn whole(text: &[u8]) -> Result<Report, Error> {
    verify(&Document::from_utf8(text.to_vec())?, &keys(), Processors::All)
}

#[test]
fn the_same_as_of_the_whole_text() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut reports, mut errors) = (0, 0);
    for (index, text) in goldens().iter().enumerate() {
        for round in 0..(20_000 / text.len().max(1)).clamp(2, 10) {
            let text = if round == 0 { text.clone() } else { mutant(text, &mut random) };
            let piece = 1 + if round % 3 == 0 { random.below(4) } else { random.below(200) };
            let expected = whole(&text);
            let actual = verify_pieces(Cursor::new(&text), piece, &keys());
            assert_eq!(
                actual.as_ref().map(Report::to_json),
                expected.as_ref().map(Report::to_json),
                "golden {index}, round {round}, pieces of {piece}: {}",
                String::from_utf8_lossy(&text)
            );
            assert_eq!(actual, expected);
            *(if expected.is_ok() { &mut reports } else { &mut errors }) += 1;
        }
    }
    assert!(reports > 300 && errors > 300, "{reports} reports, {errors} errors");
}

#[test]
fn every_place_at_which_a_piece_can_end() {
    let record = "{\"$schema\":\"x\",\"manifest\":{\"run_id\":\"é\"},\"run\":null,\"events\":[{\"seq\":1,\"a\":\"\\u00e9\\\"]\"},\
                  {\"seq\":0,\"type\":\"llm\",\"b\":[1e3, true]}],\"x\":[{}]} ";
    for end in 0..=record.len() {
        let text = &record.as_bytes()[..end];
        for piece in 1..=12 {
            assert_eq!(verify_pieces(Cursor::new(text), piece, &keys()), whole(text), "{end} in {piece}");
        }
    }
}

/// A source that is another one from the second reading on.
struct Changing<'a> {
    now: Cursor<&'a [u8]>,
    then: &'a [u8],
}

impl Read for Changing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.now.read(into)
    }
}

impl Seek for Changing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if *self.now.get_ref() != self.then {
            self.now = Cursor::new(self.then);
        }
        self.now.seek(to)
    }
}

#[test]
fn a_second_reading_that_differs_is_an_error() {
    let text = |event: &str| format!("{{\"events\":[{{\"seq\":1}},{event}],\"manifest\":{{\"a\":1}}}}");
    let first = text("{\"seq\":0,\"a\":1}");
    let piece = 7;
    let same = Changing { now: Cursor::new(first.as_bytes()), then: first.as_bytes() };
    assert!(verify_pieces(same, piece, &keys()).is_ok());
    for event in ["{\"seq\":0,\"a\":2}", "{\"seq\":0}", "{\"seq\":0,\"a\":1},{}", "{\"seq\":", "\u{fffd}"] {
        let then = text(event);
        let source = Changing { now: Cursor::new(first.as_bytes()), then: then.as_bytes() };
        let error = verify_pieces(source, piece, &keys()).map_err(|error| error.kind());
        assert_eq!(error.err(), Some(ErrorKind::Changed), "{event}");
    }
}

#[test]
fn files() -> Outcome {
    let folder = std::env::temp_dir().join(format!("tapeproof-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("record.json");
    // The second is above the size from which on files are read in pieces.
    for events in [3, 80_000] {
        let event = "{\"seq\":5,\"type\":\"env\",\"kind\":\"now\",\"key\":\"k\",\"output\":1}";
        let text = format!("{{\"manifest\":{{\"a\":1}},\"events\":[{}]}}", vec![event; events].join(","));
        std::fs::write(&path, &text)?;
        assert_eq!(verify_file(&path, &keys()), whole(text.as_bytes()));
    }
    for (path, reason) in [(folder.join("nowhere"), "ENOENT"), (folder.clone(), "EISDIR")] {
        let Err(error) = verify_file(&path, &keys()) else { return Err(reason.into()) };
        assert_eq!((error.kind(), error.reason()), (ErrorKind::File, Some(reason)));
        assert_eq!(error.to_string(), format!("the file cannot be read ({reason})"));
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
