//! Where normalized text goes.

use std::mem;

/// Takes normalized text piece by piece. A sink is moved into the normalizer, so that its position stays in a register;
/// what it has taken counts once it is finished.
pub trait Sink {
    /// The first `n` units of a block, all of them ASCII with nothing to escape in JSON.
    fn block(&mut self, block: &[u16; 16], n: usize);

    /// One unit: any but a surrogate of a pair.
    fn unit(&mut self, unit: u16);

    /// A surrogate pair.
    fn pair(&mut self, high: u16, low: u16);

    /// Makes what was taken count.
    fn finish(self);
}

/// Collects the text itself.
#[derive(Debug)]
pub struct Plain<'a> {
    out: &'a mut Vec<u16>,
    taken: Vec<u16>,
}

impl<'a> Plain<'a> {
    /// The text will be in `out`, in place of what that holds and in its memory.
    pub fn new(out: &'a mut Vec<u16>) -> Self {
        let mut taken = mem::take(out);
        taken.clear();
        Self { out, taken }
    }
}

impl Sink for Plain<'_> {
    #[inline]
    fn block(&mut self, block: &[u16; 16], n: usize) {
        self.taken.extend_from_slice(&block[..n]);
    }

    #[inline]
    fn unit(&mut self, unit: u16) {
        self.taken.push(unit);
    }

    #[inline]
    fn pair(&mut self, high: u16, low: u16) {
        self.taken.extend_from_slice(&[high, low]);
    }

    fn finish(self) {
        *self.out = self.taken;
    }
}
