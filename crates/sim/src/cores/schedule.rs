//! What the cores have done.

use fusee_kernel::ThreadIndex;

/// A thread of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Who {
    /// Its core.
    pub core: usize,
    /// Who it is there.
    pub thread: ThreadIndex,
}

/// Some time in which a core does the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Which core.
    pub core: usize,
    /// From when.
    pub from: u64,
    /// Until when, not included.
    pub until: u64,
    /// Who is scheduled there and charged.
    pub charged: ThreadIndex,
    /// Whose code it executes: the charged thread's own, or the section of the owner of a gate.
    /// None: it waits.
    pub executes: Option<Who>,
}

/// A job's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// When.
    pub time: u64,
    /// Whose.
    pub who: Who,
    /// Its response time from the nominal arrival.
    pub response: u64,
}

/// What the cores have done, in order of time; spans in which a core idles are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Who was scheduled where, and what was executed.
    pub spans: Vec<Span>,
    /// The jobs that have ended.
    pub completions: Vec<Completion>,
    /// Looks that were sent.
    pub looks: u64,
}

impl Schedule {
    /// A core did this from one instant to another: longer, if it has done so before.
    pub(super) fn add(&mut self, span: Span) {
        let same = |last: &&mut Span| {
            let of_it = (last.core, last.until, last.charged, last.executes);
            of_it == (span.core, span.from, span.charged, span.executes)
        };
        match self.spans.iter_mut().rev().take(64).find(|last| last.core == span.core).filter(same)
        {
            Some(last) => last.until = span.until,
            None => self.spans.push(span),
        }
    }
}
