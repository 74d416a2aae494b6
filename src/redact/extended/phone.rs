//! Phone numbers: international (E.164, ITU-T E.123) and, in the forms that only phone numbers have, national.

use super::country::country;
use super::starts::{Starts, digits};
use super::{begins_word, is_escape};
use crate::redact::scan::{
    ALNUM, Class, DIGIT, Span, Spans, WORD, follows, is, is_digit, run_back, run_within, seek,
    word_in_any_case,
};

/// Finds phone numbers:
///
/// - `+`, a country code and as many digits as that country's numbers have, in one run or in groups;
/// - North American numbers, `(212) 555-0123` or `212-555-0123`;
/// - numbers with a trunk zero, `020 7946 0958`;
/// - any group of 7 to 15 digits after a word such as `phone` or `tel`.
///
/// A number that a word such as `order` or `build` introduces is none, and neither is a part of a longer number, of an
/// address of a machine, of a date or of a list of numbers.
pub(in crate::redact) fn phone(text: &[u16], found: &mut Spans) {
    let mut starts = Starts::new(text, |text, from| seek(text, from, is_digit), digits(1));
    let mut from = 0;
    while let Some(digit) = starts.seek(from) {
        let number = may_begin(text, digit).then(|| Number::read(text, digit));
        from = match number.and_then(|number| number.span()) {
            Some(span) => {
                let end = span.end;
                found.push(span);
                end
            }
            // A number may begin with a later group.
            None => digit + 1,
        };
    }
}

/// Whether it is worth the time to read a number: most digits show by the first group, and by what stands around it,
/// that they begin none.
fn may_begin(text: &[u16], digit: usize) -> bool {
    static JOINT: Class = Class::of(" ./()-");
    static BEFORE_LINE: Class = Class::of(".-");
    let end = run_within(text, digit, FEWEST_DIGITS, &DIGIT);
    let next = run_within(text, end, 3, &JOINT);
    if end - digit < FEWEST_DIGITS && !DIGIT.has_at(text, next) {
        return false;
    }
    let before = digit.checked_sub(1).map_or(0, |before| text[before]);
    if before == u16::from(b'+') {
        return true;
    }
    let is_group = |at: usize| run_within(text, at, 4, &DIGIT) == at + 3;
    // With an exchange behind it. Only brackets let a space stand before the line.
    let is_area = |at: usize| {
        let exchange = run_within(text, at + 3, 2, &JOINT);
        let line = exchange + 3;
        let joined = BEFORE_LINE.has_at(text, line) || is(text, line, b' ') && is(text, at + 3, b')');
        is_group(at) && is_group(exchange) && joined
    };
    let is_national = || match end - digit {
        1 => is(text, digit, b'1') && is_area(next),
        3 if is_area(digit) => true,
        3..=5 => is(text, digit, b'0') && !is_in_list(text, digit),
        _ => false,
    };
    !GLUE.has(before) && (is_national() || is_introduced(text, digit))
}

/// Digits, and what joins them to the group before.
#[derive(Clone, Copy, Default)]
struct Group {
    start: usize,
    end: usize,
    /// A space, dot, dash or slash; 0 when there is none.
    separator: u8,
    /// In round brackets.
    bracketed: bool,
}

impl Group {
    const fn len(self) -> usize {
        self.end - self.start
    }
}

/// A number has no more groups, and no group more digits.
const MOST_GROUPS: usize = 7;
const MOST_DIGITS: usize = 15;

/// What joins a number to something of another kind before it, or to a country code.
static GLUE: Class = Class::of("./+#$-");

/// A number has no fewer digits.
const FEWEST_DIGITS: usize = 7;

/// Groups of digits that may make a phone number.
struct Number<'a> {
    text: &'a [u16],
    groups: [Group; MOST_GROUPS],
    count: usize,
}

impl<'a> Number<'a> {
    /// Reads groups as long as one separator, and brackets, join them.
    fn read(text: &'a [u16], digit: usize) -> Self {
        static SEPARATOR: Class = Class::of(" ./-");
        let mut number = Self { text, groups: [Group::default(); MOST_GROUPS], count: 0 };
        let mut start = digit;
        let mut separator = 0;
        let mut opened = digit > 0 && is(text, digit - 1, b'(');
        for group in &mut number.groups {
            let end = run_within(text, start, MOST_DIGITS + 1, &DIGIT);
            // Only an area has one digit, as in `+33 1 …`, or a country code.
            if end - start == 1 && number.count > 1 {
                break;
            }
            let bracketed = opened && is(text, end, b')');
            if end == start || end - start > MOST_DIGITS || opened && !bracketed && number.count > 0 {
                break;
            }
            *group = Group { start, end, separator, bracketed };
            number.count += 1;
            start = end + usize::from(bracketed);
            let separated = SEPARATOR.has_at(text, start);
            separator = if separated { text[start] as u8 } else { 0 };
            start += usize::from(separated);
            opened = is(text, start, b'(');
            if opened {
                start += 1;
            } else if !separated && !bracketed {
                break;
            }
        }
        number
    }

    fn groups(&self) -> &[Group] {
        &self.groups[..self.count]
    }

    /// The digits of all groups from one on.
    fn digits(&self, from: usize) -> impl Iterator<Item = u16> + '_ {
        self.groups()[from..]
            .iter()
            .flat_map(|group| &self.text[group.start..group.end])
            .map(|&unit| unit & 0xf)
    }

    fn digit_count(&self) -> usize {
        self.groups().iter().map(|group| group.len()).sum()
    }

    /// The phone number that begins with the first group.
    fn span(&self) -> Option<Span> {
        let first = self.groups().first()?;
        let start = first.start - usize::from(first.bracketed);
        if start > 0 && is(self.text, start - 1, b'+') {
            let taken = self.international().filter(|_| begins_word(self.text, start - 1))?;
            return Some(start - 1..self.end_of(taken));
        }
        if !begins_word(self.text, start) || follows(self.text, start, &GLUE) {
            return None;
        }
        let national = || self.north_american().or_else(|| self.with_trunk_zero(start));
        let taken = match introduction(self.text, start) {
            Introduction::OfPhone => national().or_else(|| self.of_any_form()),
            Introduction::OfOther => None,
            Introduction::None => national(),
        };
        taken.map(|taken| start..self.end_of(taken))
    }

    fn end_of(&self, taken: usize) -> usize {
        let last = self.groups[taken - 1];
        last.end + usize::from(last.bracketed)
    }

    /// Whether the number may end with this group.
    fn ends(&self, taken: usize) -> bool {
        static GLUE: Class = Class::of("./-");
        let end = self.end_of(taken);
        let goes_on = GLUE.has_at(self.text, end) && ALNUM.has_at(self.text, end + 1);
        !goes_on && !WORD.has_at(self.text, end)
    }

    /// After `+`: the number of groups that hold a country code and a national number of that country.
    fn international(&self) -> Option<usize> {
        let (code_len, lengths) = country(self.digits(0))?;
        let first = self.groups[0];
        if first.len() < code_len || first.bracketed {
            return None;
        }
        let mut digits = 0;
        let mut taken = None;
        for (place, group) in self.groups().iter().enumerate() {
            // `+44 (0)20 …`: the zero is dialled at home only.
            let is_trunk_zero =
                place == 1 && group.bracketed && group.len() == 1 && is(self.text, group.start, b'0');
            digits += if is_trunk_zero { 0 } else { group.len() };
            if digits > MOST_DIGITS {
                break;
            }
            let is_whole = group.len() > 1 && digits > code_len && lengths.contains(&(digits - code_len));
            if is_whole && self.ends(place + 1) {
                taken = Some(place + 1);
            }
        }
        taken
    }

    /// Three, three and four digits, perhaps after a 1. Without brackets, spaces alone do not tell it from a list.
    fn north_american(&self) -> Option<usize> {
        static TWO_TO_NINE: Class = Class::of("2-9");
        let lead = usize::from(self.groups[0].len() == 1 && is(self.text, self.groups[0].start, b'1'));
        let [area, exchange, line] = *self.groups().get(lead..lead + 3)? else { return None };
        let shape = [area.len(), exchange.len(), line.len()] == [3, 3, 4];
        let joined = match (exchange.separator, line.separator) {
            (_, b' ' | b'-' | b'.') if area.bracketed => true,
            (b' ' | b'-', b'-') | (b'.', b'.') => true,
            _ => false,
        };
        let first_is = |group: Group, digits: &Class| digits.has(self.text[group.start]);
        let is_fictional = self.text[area.start..area.end].iter().all(|&unit| unit == u16::from(b'5'));
        let assigned = first_is(area, &TWO_TO_NINE)
            && (first_is(exchange, &TWO_TO_NINE) || is_fictional || area.bracketed);
        (shape && joined && assigned && !exchange.bracketed && !line.bracketed && self.ends(lead + 3))
            .then_some(lead + 3)
    }

    /// Ten or eleven digits in two to four groups, the first of three to five digits and with one zero in front.
    fn with_trunk_zero(&self, start: usize) -> Option<usize> {
        let first = self.groups[0];
        let is_area = (3..=5).contains(&first.len())
            && is(self.text, first.start, b'0')
            && !is(self.text, first.start + 1, b'0');
        let rest = &self.groups()[1..];
        let regular = rest
            .iter()
            .all(|group| (3..=8).contains(&group.len()) && !group.bracketed && group.separator != b'.');
        let digits = self.digit_count();
        let whole = is_area
            && !is_in_list(self.text, start)
            && regular
            && (1..=3).contains(&rest.len())
            && (10..=11).contains(&digits);
        (whole && self.ends(self.count)).then_some(self.count)
    }

    /// Any 7 to 15 digits that are no date: what a word has said to be a phone number.
    fn of_any_form(&self) -> Option<usize> {
        let digits = self.digit_count();
        let lengths = self.groups().iter().map(|group| group.len());
        let is_date = lengths.clone().eq([4, 2, 2]) || lengths.clone().eq([2, 2, 4]);
        let long_enough = if self.count == 1 { 10..=11 } else { FEWEST_DIGITS..=MOST_DIGITS };
        (long_enough.contains(&digits) && !is_date && self.ends(self.count)).then_some(self.count)
    }
}

static LETTER: Class = Class::of("A-Za-z");

/// What stands between a word that says what a number is and the number, or the next such word, and how much of it.
static BETWEEN: Class = Class::of(" :#=\"'.(_-");
const BETWEEN_MAX: usize = 4;

/// Whether a word stands near enough before a number to say what it is.
fn is_introduced(text: &[u16], start: usize) -> bool {
    // A bracket may stand before the digits.
    let word_end = run_back(text, start.saturating_sub(1 + 2 * BETWEEN_MAX), start, &BETWEEN);
    follows(text, word_end, &LETTER)
}

/// Whether a space and before it a digit stand before a number.
fn is_in_list(text: &[u16], start: usize) -> bool {
    start >= 2 && is(text, start - 1, b' ') && is_digit(text[start - 2])
}

/// What the words before a number say that it is.
enum Introduction {
    OfPhone,
    OfOther,
    None,
}

fn introduction(text: &[u16], start: usize) -> Introduction {
    const PHONE: [&str; 10] =
        ["phone", "telephone", "tel", "mobile", "cell", "fax", "whatsapp", "call", "dial", "hotline"];
    const OTHER: [&str; 24] = [
        "order",
        "build",
        "invoice",
        "ticket",
        "case",
        "ref",
        "reference",
        "serial",
        "sku",
        "part",
        "item",
        "id",
        "version",
        "account",
        "acct",
        "tracking",
        "code",
        "isbn",
        "revision",
        "release",
        "job",
        "issue",
        "receipt",
        "po",
    ];
    if !is_introduced(text, start) {
        return Introduction::None;
    }
    // The nearest word may only say `number`, and the one before it of what.
    let mut end = start;
    for _ in 0..2 {
        let word_end = run_back(text, end.saturating_sub(BETWEEN_MAX), end, &BETWEEN);
        let mut word_start = run_back(text, word_end.saturating_sub(12), word_end, &LETTER);
        word_start += usize::from(is_escape(text, word_start + 1));
        let is_word =
            |word: &str| word.len() == word_end - word_start && word_in_any_case(text, word_start, word);
        if PHONE.iter().any(|word| is_word(word)) {
            return Introduction::OfPhone;
        }
        if OTHER.iter().any(|word| is_word(word)) {
            return Introduction::OfOther;
        }
        end = word_start;
    }
    Introduction::None
}

#[cfg(test)]
mod tests {
    use super::phone;
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_phone_numbers_and_leaves_other_numbers() {
        for (text, expected) in [
            ("+14155552671", &["+14155552671"][..]),
            ("tel:+1-212-555-0123", &["+1-212-555-0123"]),
            ("+44 20 7946 0958 15", &["+44 20 7946 0958"]),
            ("+44 (0)20 7946 0958", &["+44 (0)20 7946 0958"]),
            ("+49 30/1234567.", &["+49 30/1234567"]),
            ("+33 1 23 45 67 89", &["+33 1 23 45 67 89"]),
            ("(212) 555-0123", &["(212) 555-0123"]),
            ("(212)555-0123", &["(212)555-0123"]),
            ("1-800-555-0199", &["1-800-555-0199"]),
            ("212.555.0123", &["212.555.0123"]),
            ("call 555-123-4567", &["555-123-4567"]),
            ("phone number: 250 300 1000", &["250 300 1000"]),
            ("Tel. 01 23 45 67 89", &["01 23 45 67 89"]),
            ("020 7946 0958", &["020 7946 0958"]),
            ("07700 900123", &["07700 900123"]),
            ("(0123) 456-7890", &["(0123) 456-7890"]),
            ("latencies 250 300 1000", &[]),
            ("402-118-2260", &[]),
            ("order 1002-3456-7890", &[]),
            ("order no. 212-555-0123", &[]),
            ("2026-06-14T02:47:13.950Z", &[]),
            ("192.168.100.1000", &[]),
            ("123-45-6789", &[]),
            ("0.212.555.0123", &[]),
            ("x212-555-0123", &[]),
            ("212-555-0123x", &[]),
            ("00 01 02 03 04 05 06 07", &[]),
            ("+20240614", &[]),
            ("+35236450.6", &[]),
            ("call 2026-06-14", &[]),
            ("1704067200000", &[]),
        ] {
            assert_eq!(matches(phone, text), expected, "{text}");
        }
    }
}
