//! Entries of which more is known than how they are entered.
//!
//! A bound of an entry holds whoever runs, and whatever the tables let it name. Where that is known
//! the entry's path is one of fewer: of a thread inside one gate that comes back from it, of a
//! caller that names one gate. An entry has been bounded in all such cases when each has been.

use fusee_wcet::execute::{Bound, Effort, Failure, Supported, on_large_stack};

use crate::settle::{Settling, longer};
use crate::{Entry, Kernel, Known};

/// An entry, and what is known of the kernel's memory besides what always holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The entry of the path.
    pub entry: Entry,
    /// The content of places when the path begins.
    pub memory: Vec<Known>,
    /// Bytes of tables to which nothing is ever stored, as they may be taken to be: what the path
    /// reads of them is the same as it would read.
    pub tables: Vec<(u64, u8)>,
}

impl Kernel {
    /// The longest of these cases, once all entries have been bounded. `None`: what they take for
    /// a table is stored to.
    ///
    /// # Errors
    /// The host's failure.
    pub fn longest_case<M: Supported>(
        &mut self,
        machine: &M,
        cases: &[Case],
        effort: Effort,
    ) -> Result<Option<Bound>, Failure> {
        let mut longest: Option<Bound> = None;
        for case in cases {
            let tables = self.invariant.where_first(&case.tables, &self.program);
            let Some(instead) = tables else { return Ok(None) };
            let kept = std::mem::replace(&mut self.invariant, instead);
            let bound = on_large_stack(|| {
                Settling::new(self, machine, &[], effort).entry_on(&case.entry, &case.memory)
            });
            self.invariant = kept;
            let bound = bound?;
            longest = Some(match longest {
                None => bound,
                Some(before) => longer(before, bound),
            });
        }
        Ok(longest)
    }
}
