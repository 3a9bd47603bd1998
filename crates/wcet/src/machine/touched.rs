//! Nothing takes time: which bytes are loaded or stored?

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::Machine;
use crate::state::Access;
use crate::value::Base;
use fusee_isa::language::Instruction;

/// An access that can go to so many bytes can go anywhere.
const FAR: u64 = 64 << 10;

/// Bytes that a program may load or store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bytes {
    /// The first and the last byte that each access can go to.
    pub spans: BTreeSet<(u64, u64)>,
    /// Instructions that may load or store anywhere.
    pub anywhere: BTreeSet<u64>,
}

/// Collects what accesses go to, of a program whose stack pointer is known at entry.
#[derive(Debug)]
pub struct Touched {
    stack: u64,
    bytes: Mutex<Bytes>,
}

impl Touched {
    /// With the stack pointer at entry.
    pub fn with_stack(stack: u64) -> Self {
        Self { stack, bytes: Mutex::default() }
    }

    /// Returns all that was seen.
    pub fn bytes(self) -> Bytes {
        self.bytes.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn span(&self, access: &Access) -> Option<(u64, u64)> {
        let first = match access.address.base {
            Base::None => 0,
            Base::Stack => i128::from(self.stack),
            // An address by an unknown number may be any.
            Base::Symbol(_) => return None,
        };
        let range = access.address.range;
        // An address below 0 is none, so the access counts as one to anywhere.
        let at = |number: i64| u64::try_from(first + i128::from(number)).ok();
        let (first, last) = (at(range.low())?, at(range.high())?);
        let last = last.checked_add(access.width.bytes() - 1)?;
        // Such an access has an index that nothing bounds, and each of so many pages would count.
        (last - first < FAR).then_some((first, last))
    }
}

impl Machine for Touched {
    type Timing = ();

    fn name(&self) -> &str {
        "touched"
    }

    fn unit(&self) -> &str {
        "nothing"
    }

    fn at_entry(&self) -> Self::Timing {}

    fn execute(&self, (): &mut (), at: &Instruction, accesses: &[Access], _: bool) -> u64 {
        // A span is complete whenever the lock is given back, so what a
        // failed thread left is of use.
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        for access in accesses {
            match self.span(access) {
                Some(span) => bytes.spans.insert(span),
                None => bytes.anywhere.insert(at.address),
            };
        }
        0
    }

    fn join(&self, (): &mut (), (): &(), _: i64) {}

    fn includes(&self, (): &(), (): &()) -> bool {
        true
    }
}
