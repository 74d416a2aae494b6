//! Which text is surely in Unicode Normalization Form C.
//!
//! Normalization must agree with the running Node's `String.prototype.normalize`, whatever Unicode version that
//! carries. Rust therefore only recognizes text that is NFC in every version (nearly all text there is) and leaves
//! the rest to V8. Where there is no V8, [`compose`] decides.

use unicode_normalization::UnicodeNormalization as _;

use super::nfc_table::{BLOCKS, INDEX, RANGES};

/// The Unicode version that [`compose`] follows.
pub const UNICODE_VERSION: (u8, u8, u8) = unicode_normalization::UNICODE_VERSION;

/// Whether a unit of the Basic Multilingual Plane, not a surrogate, is inert: unchanged by NFC wherever it stands
/// among inert code points.
#[inline]
pub fn is_inert(unit: u16) -> bool {
    let block = BLOCKS[usize::from(INDEX[usize::from(unit >> 6)])];
    block >> (unit & 63) & 1 != 0
}

/// The same for a surrogate pair.
pub fn is_inert_pair(high: u16, low: u16) -> bool {
    let code_point = 0x10000 + ((u32::from(high) & 0x3ff) << 10 | u32::from(low) & 0x3ff);
    let after = RANGES.partition_point(|&(first, _)| first <= code_point);
    after.checked_sub(1).is_some_and(|at| code_point <= RANGES[at].1)
}

/// NFC by the crate's own tables. Lone surrogates stay where they are and combine with nothing.
pub fn compose(units: &[u16]) -> Vec<u16> {
    let mut out = Vec::with_capacity(units.len());
    let mut run = String::new();
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok(char) => run.push(char),
            Err(lone) => {
                flush(&mut run, &mut out);
                out.push(lone.unpaired_surrogate());
            }
        }
    }
    flush(&mut run, &mut out);
    out
}

fn flush(run: &mut String, out: &mut Vec<u16>) {
    for char in run.nfc() {
        out.extend_from_slice(char.encode_utf16(&mut [0; 2]));
    }
    run.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::{IsNormalized, char::canonical_combining_class, is_nfc_quick};

    /// The table comes from V8, this check from the crate: two readings of the same standard.
    #[test]
    fn inert_code_points_pass_the_quick_check_and_do_not_combine() {
        for char in '\0'..=char::MAX {
            let mut units = [0; 2];
            let inert = match *char.encode_utf16(&mut units) {
                [unit] => is_inert(unit),
                [high, low] => is_inert_pair(high, low),
                _ => unreachable!(),
            };
            if inert {
                assert_eq!(is_nfc_quick([char].into_iter()), IsNormalized::Yes, "{char:?}");
                assert_eq!(canonical_combining_class(char), 0, "{char:?}");
            }
        }
    }

    #[test]
    fn compose_leaves_lone_surrogates_alone() {
        assert_eq!(compose(&[0x65, 0x301, 0xd800, 0x301]), [0xe9, 0xd800, 0x301]);
    }
}
