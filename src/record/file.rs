//! Verifies a record while it is read: in memory is one event at a time, and `run` and `manifest`.
//!
//! What comes before what it needs is walked a second time: events before the manifest, and events that are not in the
//! order of their `seq`, which are then read one by one from where they stand.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use super::canonical::Sink;
use super::chain::Chain;
use super::consistency::claimed;
use super::document::Document;
use super::event::Event;
use super::oracle::{OracleStream, Source, seq};
use super::report::Report;
use super::signature::Keys;
use super::texts::Texts;
use super::value::Value;
use super::verify::{Cassette, Processors, Walked, conclude, verify};
use crate::digest::Sha256;
use crate::error::{Error, ErrorKind};
use crate::json::pointer;
use crate::json::tape::Tape;
use crate::memory;
use crate::text::wtf8;

/// A file up to this size is read at once.
const WHOLE_BYTES: u64 = 4 << 20;

/// How much of a larger one is read at once.
const PIECE_BYTES: usize = 256 << 10;

/// No system has longer paths than Windows: 32,767 units.
const MAX_PATH_BYTES: usize = 1 << 17;

/// Verifies the record in a file, as [`verify`](super::verify()) verifies its text.
///
/// # Errors
/// As [`Document::from_utf8`] and [`verify`](super::verify()) have them; [`ErrorKind::File`], also for what is no
/// regular file; [`ErrorKind::Changed`] for a file that was written to meanwhile. One that was replaced is read on.
pub fn verify_file(path: &Path, keys: &Keys) -> Result<Report, Error> {
    let mut file = open(path)?;
    let before = stamp(&file.metadata()?);
    let report = if before.0 <= WHOLE_BYTES {
        let mut text = Vec::new();
        memory::room(&mut text, before.0 as usize + 1)?;
        // What is appended meanwhile must not fill the memory.
        (&mut file).take(WHOLE_BYTES + 1).read_to_end(&mut text)?;
        Document::from_utf8(text).and_then(|record| verify(&record, keys, Processors::AllButOne))
    } else {
        verify_pieces(&mut file, PIECE_BYTES, keys)
    };
    if stamp(&file.metadata()?) == before { report } else { Err(ErrorKind::Changed.into()) }
}

/// What changes when a file is written to.
fn stamp(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

/// Opens a regular file; anything else could keep its reader waiting for ever.
fn open(path: &Path) -> Result<File, Error> {
    // To open it is to copy it, and none is so long.
    if path.as_os_str().len() > MAX_PATH_BYTES {
        return Err(Error::new(ErrorKind::File).because("ENAMETOOLONG"));
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // O_NONBLOCK: to open a FIFO does not wait for its writer then.
        options.custom_flags(if cfg!(target_os = "linux") { 0o4000 } else { 4 });
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok(file)
    } else {
        let reason = if metadata.is_dir() { "EISDIR" } else { "EINVAL" };
        Err(Error::new(ErrorKind::File).because(reason))
    }
}

/// Verifies the record in a source that is read in pieces of this many bytes.
///
/// # Errors
/// As [`verify_file`]; the same as those for the whole text. [`ErrorKind::Changed`] when a second reading differs.
pub fn verify_pieces<S: Read + Seek>(mut source: S, piece: usize, keys: &Keys) -> Result<Report, Error> {
    let mut members = Members::default();
    let mut tape = Tape::new(&mut source, piece);
    if let Err(error) = members.read(&mut tape) {
        // Of a whole text, the first thing that is looked at is whether it is UTF-8.
        tape.drain()?;
        return Err(error);
    }
    members.verify(source, piece, keys)
}

/// The members of a record that count, of equal keys the last.
#[derive(Debug, Default)]
struct Members {
    schema: Option<Vec<u8>>,
    manifest: Option<Vec<u8>>,
    run: Option<Vec<u8>>,
    /// If they are an array.
    events: Option<Walk>,
}

impl Members {
    fn read<R: Read>(&mut self, tape: &mut Tape<R>) -> Result<(), Error> {
        if tape.peek()? == Some(b'{') {
            tape.expect(b'{')?;
            if tape.peek()? == Some(b'}') {
                tape.expect(b'}')?;
            } else {
                self.member(tape)?;
                while tape.peek()? == Some(b',') {
                    tape.expect(b',')?;
                    self.member(tape)?;
                }
                tape.expect(b'}')?;
            }
        } else {
            let (start, text) = tape.value()?;
            part(start, text, 0, || Ok(String::new()))?;
        }
        if tape.peek()?.is_none() { Ok(()) } else { Err(tape.syntax()) }
    }

    fn member<R: Read>(&mut self, tape: &mut Tape<R>) -> Result<(), Error> {
        if tape.peek()? != Some(b'"') {
            return Err(tape.syntax());
        }
        let (start, text) = tape.value()?;
        let key = part(start, text, 1, || Ok(String::new()))?;
        let name = key.string(0)?.unwrap_or_default();
        tape.expect(b':')?;
        if *name == *b"events" && tape.peek()? == Some(b'[') {
            let start = tape.position();
            self.events = Some(Walk::new(start, copied(self.manifest.as_ref())?).read(tape, None)?);
            return Ok(());
        }
        let (start, text) = tape.value()?;
        match &*name {
            b"$schema" => self.schema = Some(memory::copy(&text)?),
            b"manifest" => self.manifest = Some(memory::copy(&text)?),
            b"run" => self.run = Some(memory::copy(&text)?),
            b"events" => self.events = None,
            // Read for its errors only, and however large: no copy.
            _ => {}
        }
        part(start, text, 1, || {
            let mut out = Vec::new();
            pointer::push_name(&name, &mut out)?;
            Ok(wtf8::into_string(out))
        })?;
        Ok(())
    }

    fn verify<S: Read + Seek>(self, mut source: S, piece: usize, keys: &Keys) -> Result<Report, Error> {
        let mut text = b"{\"events\":[]".to_vec();
        for (name, value) in [("$schema", &self.schema), ("manifest", &self.manifest), ("run", &self.run)] {
            if let Some(value) = value {
                memory::room(&mut text, value.len() + 32)?;
                text.extend_from_slice(format!(",\"{name}\":").as_bytes());
                text.extend_from_slice(value);
            }
        }
        text.push(b'}');
        let doc = Document::from_part(text, 0)?;
        let record = Value::new(&doc, 0).ok_or(ErrorKind::Record)?;
        let manifest =
            record.get(b"manifest").filter(|manifest| manifest.is_truthy()).ok_or(ErrorKind::Record)?;
        let mut walk = self.events.ok_or(ErrorKind::Record)?;
        if let Some(error) = walk.no_event {
            return Err(error);
        }
        let mut places = Vec::new();
        if walk.manifest != self.manifest || !walk.is_sorted() {
            walk = walk.again(&mut source, piece, self.manifest, &mut places)?;
        }
        let cassette = match walk.odd {
            Some(index) => Cassette::NoOrder(index),
            None if walk.is_sorted() => match walk.failed {
                Some(error) => return Err(error),
                None => Cassette::Digest(walk.stream.finish().0),
            },
            None => Cassette::Digest(sorted(places, &mut source)?.finish().0),
        };
        conclude(record, manifest, walk.walked, cassette, keys)
    }
}

/// A walk along the events as they are read.
#[derive(Debug)]
struct Walk {
    /// Where the array begins.
    start: u64,
    /// The manifest by whose claim the events were noted.
    manifest: Option<Vec<u8>>,
    walked: Walked,
    chain: Chain,
    stream: OracleStream,
    /// The `seq` of the last event, unless they are not sorted.
    last: Option<f64>,
    /// The first event whose `seq` is no number.
    odd: Option<usize>,
    /// What the first event is guilty of that is none.
    no_event: Option<Error>,
    /// Why the oracle stream ended.
    failed: Option<Error>,
}

impl Walk {
    fn new(start: u64, manifest: Option<Vec<u8>>) -> Self {
        Self {
            start,
            manifest,
            walked: Walked::default(),
            chain: Chain::new(),
            stream: OracleStream::new(),
            last: Some(f64::NEG_INFINITY),
            odd: None,
            no_event: None,
            failed: None,
        }
    }

    fn is_sorted(&self) -> bool {
        self.last.is_some() || self.odd.is_some()
    }

    /// Walks the array that is next, and notes where the events are that give entries.
    fn read<R: Read>(
        mut self,
        tape: &mut Tape<R>,
        mut places: Option<&mut Vec<Place>>,
    ) -> Result<Self, Error> {
        let manifest = copied(self.manifest.as_ref())?;
        let manifest = manifest.map(|text| Document::from_part(text, 1)).transpose()?;
        let claimed = manifest.as_ref().and_then(|manifest| claimed(Value::new(manifest, 0)?));
        tape.expect(b'[')?;
        if tape.peek()? != Some(b']') {
            self.event(tape, claimed, &mut places)?;
            while tape.peek()? == Some(b',') {
                tape.expect(b',')?;
                self.event(tape, claimed, &mut places)?;
            }
        }
        tape.expect(b']')?;
        Ok(self)
    }

    fn event<R: Read>(
        &mut self,
        tape: &mut Tape<R>,
        claimed: Option<Value>,
        places: &mut Option<&mut Vec<Place>>,
    ) -> Result<(), Error> {
        let (start, text) = tape.value()?;
        let index = self.walked.count();
        let place = places.as_ref().map(|_| (text.len(), print(&text)));
        let doc = part(start, text, 2, || Ok(format!("/events/{index}")))?;
        if self.no_event.is_some() {
            return Ok(());
        }
        let event = Event::read(&doc, 0);
        match seq(event.value) {
            Ok(Some(seq)) => {
                self.last = self.last.filter(|&last| last <= seq).map(|_| seq);
                // Of what gives no entry, a record may have as many as fit into it.
                if let (Some(places), Some((len, print))) = (places, place)
                    && Source::of(&event).is_some()
                {
                    memory::push(places, Place { seq, index, start, len, print })?;
                }
            }
            Ok(None) => self.odd = self.odd.or(Some(index)),
            Err(error) => {
                self.no_event = Some(error.within(0, &format!("/events/{index}")));
                return Ok(());
            }
        }
        let mut texts = Texts::new(&doc);
        let text = texts.event(&event)?;
        let hash = self.chain.push(|out| {
            out.push(text);
            Ok(())
        })?;
        if self.last.is_some() && self.odd.is_none() && self.failed.is_none() {
            self.failed = push(&mut self.stream, &event, &mut texts, index).err();
        }
        self.walked.note(&event, &hash, claimed)
    }

    /// Walks the same events again, now with the manifest that counts.
    fn again<S: Read + Seek>(
        self,
        source: &mut S,
        piece: usize,
        manifest: Option<Vec<u8>>,
        places: &mut Vec<Place>,
    ) -> Result<Self, Error> {
        source.seek(SeekFrom::Start(self.start))?;
        let mut tape = Tape::new_at(source, piece, self.start);
        let places = (!self.is_sorted()).then_some(places);
        match Self::new(self.start, manifest).read(&mut tape, places) {
            Ok(again) if again.is_same(&self) => Ok(again),
            Err(error) if matches!(error.kind(), ErrorKind::File | ErrorKind::Memory) => Err(error),
            _ => Err(ErrorKind::Changed.into()),
        }
    }

    /// Whether it met the same events.
    fn is_same(&self, other: &Self) -> bool {
        self.walked.count() == other.walked.count() && self.walked.digest() == other.walked.digest()
    }
}

/// Where an event is, and what is there.
#[derive(Debug)]
struct Place {
    seq: f64,
    index: usize,
    start: u64,
    len: usize,
    print: [u8; 16],
}

fn print(text: &[u8]) -> [u8; 16] {
    let mut sha = Sha256::new();
    sha.update(text);
    *sha.finish().first_chunk().unwrap_or(&[0; 16])
}

/// The oracle stream of events that are read in the order of their `seq`.
fn sorted<S: Read + Seek>(mut places: Vec<Place>, source: &mut S) -> Result<OracleStream, Error> {
    // Of one `seq`, as recorded. A stable sort would need memory.
    places.sort_unstable_by(|one, other| one.seq.total_cmp(&other.seq).then(one.index.cmp(&other.index)));
    let mut stream = OracleStream::new();
    for place in places {
        let mut text = Vec::new();
        memory::room(&mut text, place.len)?;
        text.resize(place.len, 0);
        source.seek(SeekFrom::Start(place.start))?;
        source.read_exact(&mut text).map_err(|_| ErrorKind::Changed)?;
        if print(&text) != place.print {
            return Err(ErrorKind::Changed.into());
        }
        let doc = Document::from_part(text, 2)?;
        push(&mut stream, &Event::read(&doc, 0), &mut Texts::new(&doc), place.index)?;
    }
    Ok(stream)
}

fn push(stream: &mut OracleStream, event: &Event, texts: &mut Texts, index: usize) -> Result<(), Error> {
    stream.push(event, texts).map_err(|error| error.within(0, &format!("/events/{index}")))
}

fn copied(text: Option<&Vec<u8>>) -> Result<Option<Vec<u8>>, Error> {
    text.map(|text| memory::copy(text)).transpose()
}

/// The value in a part of the text that starts there, inside of so many containers.
fn part(
    start: u64,
    text: Vec<u8>,
    depth: usize,
    pointer: impl FnOnce() -> Result<String, Error>,
) -> Result<Document, Error> {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    Document::from_part(text, depth).or_else(|error| Err(error.within(start, &pointer()?)))
}
