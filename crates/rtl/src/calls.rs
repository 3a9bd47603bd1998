//! The times of a function's calls.

use crate::Retired;

/// Watches a run for the calls of one function.
///
/// A call's time is from the cycle before its first instruction retires to the
/// cycle in which its return does. Calls of the function by itself belong to the
/// outermost one.
#[derive(Debug, Clone)]
pub struct Calls {
    entry: u64,
    last: Option<Retired>,
    /// The call under way: the cycle before it, and where it returns to.
    open: Option<(u64, u64)>,
    /// The stack pointer.
    stack: u32,
    /// The lowest and the highest stack pointer at the entry.
    stacks: Option<(u64, u64)>,
    /// The cycles of each call that has returned, in order.
    pub times: Vec<u64>,
}

/// The stack pointer's number.
const STACK_POINTER: u32 = 2;

impl Calls {
    /// Watches for the function at this address.
    pub fn of(entry: u64) -> Self {
        Self { entry, last: None, open: None, stack: 0, stacks: None, times: Vec::new() }
    }

    /// Returns the lowest and the highest stack pointer at the entry; nothing before a call.
    pub fn stack(&self) -> Option<(u64, u64)> {
        self.stacks
    }

    /// The next instruction that retired.
    pub fn see(&mut self, retired: Retired) {
        let before = self.stack;
        if retired.target() == Some(STACK_POINTER) {
            self.stack = retired.result;
        }
        let Some(last) = self.last.replace(retired) else { return };
        match self.open {
            Some((start, back)) if retired.address == back => {
                self.times.push(last.cycle - start);
                self.open = None;
            }
            None if retired.address == self.entry => {
                self.open = Some((retired.cycle - 1, last.address + 4));
                let stack = u64::from(before);
                let (lowest, highest) = self.stacks.unwrap_or((stack, stack));
                self.stacks = Some((lowest.min(stack), highest.max(stack)));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_the_outermost_calls() {
        let mut calls = Calls::of(0x40);
        let path = [
            (1, 0x10),
            (5, 0x40),
            (6, 0x44),
            (9, 0x40),
            (10, 0x48),
            (12, 0x14),
            (20, 0x40),
            (21, 0x18),
        ];
        for (cycle, address) in path {
            calls.see(Retired { cycle, address, word: 0, result: 0 });
        }
        assert_eq!(calls.times, [6, 1]);
    }
}
