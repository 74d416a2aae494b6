//! White space as JavaScript's `\s` and `trim` have it.

/// Whether `\s` matches this unit. U+0085, U+180E and U+200B are not in it; U+FEFF is.
#[inline]
pub const fn is_white_space(unit: u16) -> bool {
    matches!(
        unit,
        0x09..=0x0d | 0x20 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000 | 0xfeff
    )
}

#[cfg(test)]
mod tests {
    use super::is_white_space;

    #[test]
    fn is_the_set_of_ecmascript() {
        let found: Vec<u16> = (0..=u16::MAX).filter(|&unit| is_white_space(unit)).collect();
        let mut expected = vec![0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680];
        expected.extend(0x2000..=0x200a);
        expected.extend([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);
        assert_eq!(found, expected);
    }
}
