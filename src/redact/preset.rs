//! The default preset: four published patterns, frozen, each as a scanner that never looks back further than its
//! pattern is long.
//!
//! A scanner finds what a JavaScript engine finds with the global pattern: leftmost, greedy, first alternative first,
//! each search beginning where the last match ended. Word characters and digits are ASCII; white space is `\s`.

use crate::text::white_space::is_white_space;

use super::luhn;
use super::scan::{
    ALNUM, Class, DIGIT, Span, Spans, WORD, WORD_DASH, follows, is, is_digit, literal, pair, run, run_back,
    run_within, seek, seek_pair,
};

/// `[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+`
pub(super) fn email(text: &[u16], found: &mut Spans) {
    static LOCAL: Class = Class::of("A-Za-z0-9_.+-");
    let mut last_end = 0;
    let mut from = 0;
    while let Some(at) = seek(text, from, |unit| unit == u16::from(b'@')) {
        from = at + 1;
        // A local part ends at its `@`, so the leftmost match begins as far back as its class and length allow.
        let start = run_back(text, last_end.max(at.saturating_sub(64)), at, &LOCAL);
        if start == at {
            continue;
        }
        if let Some(end) = domain(text, at + 1) {
            found.push(start..end);
            last_end = end;
            from = end;
        }
    }
}

/// The end of `[\w-]{1,63}(?:\.[\w-]{1,63})+`.
fn domain(text: &[u16], at: usize) -> Option<usize> {
    let first = run_within(text, at, 63, &WORD_DASH);
    let mut end = first;
    while end > at && is(text, end, b'.') {
        let label = run_within(text, end + 1, 63, &WORD_DASH);
        if label == end + 1 {
            break;
        }
        end = label;
    }
    (end > first).then_some(end)
}

/// `\b(?:Bearer\s+[\w.\-~+/]+=*|(?:sk|pk|rk)[-_](?:live|test)?[-_]?[A-Za-z0-9]{12,}|xox[baprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})`
pub(super) fn token(text: &[u16], found: &mut Spans) {
    let mut last_end = 0;
    let mut from = 0;
    let mut segments = Segments::default();
    while let Some(at) = seek_pair(text, from, is_token_anchor) {
        from = at + 1;
        let before = usize::from(!is(text, at, b'B') && !is(text, at, b'x'));
        let Some(start) =
            at.checked_sub(before).filter(|&start| start >= last_end && !follows(text, start, &WORD))
        else {
            continue;
        };
        let end = match u8::try_from(text[start]) {
            Ok(b'B') => bearer(text, start),
            Ok(b's' | b'p' | b'r') => secret_key(text, start),
            Ok(b'x') => slack(text, start),
            Ok(b'A') => access_key_id(text, start),
            Ok(b'e') => segments.jwt(text, start),
            _ => None,
        };
        if let Some(end) = end {
            found.push(start..end);
            last_end = end;
            from = end;
        }
    }
}

/// The two rarest neighbours of each alternative: `Be`, `k-` or `k_`, `xo`, `KI`, `yJ`.
#[inline]
const fn is_token_anchor(unit: u16, next: u16) -> bool {
    pair(unit, next, *b"Be")
        | pair(unit, next, *b"k-")
        | pair(unit, next, *b"k_")
        | pair(unit, next, *b"xo")
        | pair(unit, next, *b"KI")
        | pair(unit, next, *b"yJ")
}

fn bearer(text: &[u16], start: usize) -> Option<usize> {
    static CREDENTIAL: Class = Class::of("A-Za-z0-9_.~+/-");
    static PADDING: Class = Class::of("=");
    if !literal(text, start, "Bearer") {
        return None;
    }
    let scheme = start + 6;
    let value = scheme + text[scheme..].iter().take_while(|&&unit| is_white_space(unit)).count();
    let end = run(text, value, &CREDENTIAL);
    (value > scheme && end > value).then(|| run(text, end, &PADDING))
}

fn secret_key(text: &[u16], start: usize) -> Option<usize> {
    static SEPARATOR: Class = Class::of("_-");
    let body = |at: usize| {
        let at = run_within(text, at, 1, &SEPARATOR);
        let end = run(text, at, &ALNUM);
        (end - at >= 12).then_some(end)
    };
    if !is(text, start + 1, b'k') || !SEPARATOR.has_at(text, start + 2) {
        return None;
    }
    let at = start + 3;
    // `live` and `test` may also be the first letters of the body.
    let mode = literal(text, at, "live") || literal(text, at, "test");
    mode.then(|| body(at + 4)).flatten().or_else(|| body(at))
}

fn slack(text: &[u16], start: usize) -> Option<usize> {
    static KIND: Class = Class::of("baprs");
    if !literal(text, start, "xox") || !KIND.has_at(text, start + 3) || !is(text, start + 4, b'-') {
        return None;
    }
    let end = run(text, start + 5, &WORD_DASH);
    (end - (start + 5) >= 10).then_some(end)
}

fn access_key_id(text: &[u16], start: usize) -> Option<usize> {
    static BODY: Class = Class::of("0-9A-Z");
    let end = start + 20;
    (literal(text, start, "AKIA") && run_within(text, start + 4, 16, &BODY) == end).then_some(end)
}

/// The dotted segments that were looked at last. However many tokens may begin in one segment, it and those after it
/// are read once.
#[derive(Default)]
struct Segments {
    /// Where the first segment ends.
    first_end: usize,
    /// Where the third ends, when the second and third make a match.
    end: Option<usize>,
}

impl Segments {
    /// `eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}`
    fn jwt(&mut self, text: &[u16], start: usize) -> Option<usize> {
        if !literal(text, start, "eyJ") {
            return None;
        }
        // Starts come in order, so one before this end is in the same segment.
        if start >= self.first_end {
            self.first_end = run(text, start, &WORD_DASH);
            self.end = next_segment(text, self.first_end).and_then(|second| next_segment(text, second));
        }
        self.end.filter(|_| self.first_end - start >= 3 + 8)
    }
}

/// The end of `\.[\w-]{8,}`.
fn next_segment(text: &[u16], at: usize) -> Option<usize> {
    let end = is(text, at, b'.').then(|| run(text, at + 1, &WORD_DASH))?;
    (end - (at + 1) >= 8).then_some(end)
}

/// `\b(?:\d[ -]?){13,19}\b`, of which [`is_card`] holds. A refused match is passed over as a whole.
pub(super) fn card(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(start) = seek(text, from, is_digit) {
        if follows(text, start, &WORD) {
            from = run(text, start, &DIGIT);
            continue;
        }
        let run = digit_run(text, start);
        from = match run.end {
            Some(end) => {
                if is_card(&text[start..end]) {
                    found.push(start..end);
                }
                end
            }
            // Every later start in a short run has still fewer digits.
            None if run.digits < 13 => run.stop,
            None => self::run(text, start, &DIGIT),
        };
    }
}

struct DigitRun {
    /// How many digits there are, at most 19.
    digits: usize,
    /// Where the longest run with a word boundary behind it ends.
    end: Option<usize>,
    /// The first unit that was not taken.
    stop: usize,
}

fn digit_run(text: &[u16], start: usize) -> DigitRun {
    static SEPARATOR: Class = Class::of(" -");
    let mut run = DigitRun { digits: 0, end: None, stop: start };
    while run.digits < 19 && DIGIT.has_at(text, run.stop) {
        run.digits += 1;
        run.stop += 1;
        let separated = SEPARATOR.has_at(text, run.stop);
        let word_next = WORD.has_at(text, run.stop + usize::from(separated));
        // After a digit the boundary is before its separator, or behind it when a word character follows.
        if run.digits >= 13 && (separated || !word_next) {
            run.end = Some(run.stop + usize::from(separated && word_next));
        }
        run.stop += usize::from(separated);
    }
    run
}

/// At least 13 digits that pass Luhn and begin as an issuer's do.
fn is_card(candidate: &[u16]) -> bool {
    let digits = || candidate.iter().filter(|&&unit| is_digit(unit)).map(|&unit| (unit & 0xf) as u8);
    let begins = |prefix: &[u8]| digits().zip(prefix).all(|(digit, &expected)| digit == expected);
    let second_in =
        |range: std::ops::RangeInclusive<u8>| digits().nth(1).is_some_and(|digit| range.contains(&digit));
    let issued = begins(&[4])
        || begins(&[5]) && second_in(1..=5)
        || begins(&[2]) && second_in(2..=7)
        || [&[3, 4][..], &[3, 7], &[6, 0, 1, 1], &[6, 5], &[6, 2], &[3, 5]].into_iter().any(begins);
    let from_last = candidate.iter().rev().filter(|&&unit| is_digit(unit)).map(|&unit| (unit & 0xf) as u8);
    issued && luhn::is_valid(from_last)
}

/// `(?<![\w-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\d{2,4})[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])`
///
/// Every digit run can be taken in one way only, so that nothing is tried twice.
pub(super) fn phone(text: &[u16], found: &mut Spans) {
    let mut from = 0;
    while let Some(at) = seek(text, from, is_digit) {
        from = match phone_at(text, at) {
            Some(phone) => {
                let end = phone.end;
                found.push(phone);
                end
            }
            None => run(text, at, &DIGIT),
        };
    }
}

/// The leftmost phone number whose first digit is at `at`, the start of a digit run.
fn phone_at(text: &[u16], at: usize) -> Option<Span> {
    let free = |start: usize| !follows(text, start, &WORD_DASH);
    let before = at.checked_sub(1).filter(|&lead| free(lead));
    let led = before.and_then(|lead| {
        let end = match u8::try_from(text[lead]) {
            Ok(b'+') => international(text, at),
            Ok(b'(') => national(text, lead),
            _ => None,
        };
        end.map(|end| lead..end)
    });
    led.or_else(|| free(at).then(|| national(text, at)).flatten().map(|end| at..end))
}

/// What follows the `+`: `\d{1,3}[ .-]?` and a national number.
fn international(text: &[u16], at: usize) -> Option<usize> {
    let digits = count_digits(text, at, 8);
    let country_alone = || national(text, at + digits + usize::from(is_phone_separator(text, at + digits)));
    // Without a separator the country code and the area are one run.
    let country_and_area = || subscriber(text, at + digits);
    match digits {
        1 | 2 => country_alone(),
        3 => country_alone().or_else(country_and_area),
        4..=7 => country_and_area(),
        _ => None,
    }
}

/// The end of `(?:\(\d{2,4}\)|\d{2,4})` and what follows.
fn national(text: &[u16], at: usize) -> Option<usize> {
    let open = usize::from(is(text, at, b'('));
    let digits = count_digits(text, at + open, 5);
    let closed = open == 0 || is(text, at + open + digits, b')');
    ((2..=4).contains(&digits) && closed).then(|| subscriber(text, at + digits + 2 * open)).flatten()
}

/// The end of `[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])`.
fn subscriber(text: &[u16], at: usize) -> Option<usize> {
    if !is_phone_separator(text, at) {
        return None;
    }
    let first = count_digits(text, at + 1, 9);
    let first_end = at + 1 + first;
    let end = match first {
        3 | 4 if is_phone_separator(text, first_end) => {
            let second = count_digits(text, first_end + 1, 5);
            (3..=4).contains(&second).then_some(first_end + 1 + second)
        }
        6..=8 => Some(first_end),
        _ => None,
    };
    end.filter(|&end| !WORD_DASH.has_at(text, end))
}

#[inline]
fn is_phone_separator(text: &[u16], at: usize) -> bool {
    static SEPARATOR: Class = Class::of(" .-");
    SEPARATOR.has_at(text, at)
}

/// How many digits there are from `at` on, counted up to `limit`.
fn count_digits(text: &[u16], at: usize, limit: usize) -> usize {
    run_within(text, at, limit, &DIGIT) - at
}
