//! Where normalized text goes.

use super::scan::Block;

/// Takes normalized text piece by piece.
pub trait Sink {
    /// The first `n` units of a block, all of them ASCII with nothing to escape in JSON.
    fn block(&mut self, block: &[u16; 16], n: usize);

    /// One unit: any but a surrogate of a pair.
    fn unit(&mut self, unit: u16);

    /// A surrogate pair.
    fn pair(&mut self, high: u16, low: u16);

    /// ASCII with nothing to escape in JSON.
    fn ascii(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.unit(byte.into()));
    }
}

/// Collects the text itself.
#[derive(Debug, Default)]
pub struct Plain(
    /// The text so far.
    pub Vec<u16>,
);

impl Sink for Plain {
    #[inline]
    fn block(&mut self, block: &Block, n: usize) {
        self.0.extend_from_slice(&block[..n]);
    }

    #[inline]
    fn unit(&mut self, unit: u16) {
        self.0.push(unit);
    }

    #[inline]
    fn pair(&mut self, high: u16, low: u16) {
        self.0.extend_from_slice(&[high, low]);
    }
}
