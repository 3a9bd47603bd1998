//! Times and calls that a description states, and that no program confirms.

use super::phrase::{Mood, Phrase};
use crate::text::{count, list};

/// The tasks and methods for which a result rests on the word of the description alone, by name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Word<'a> {
    /// Those whose written times or calls their programs contradict.
    pub contradicted: &'a [String],
    /// Those whose written times or calls could not be compared with their programs.
    pub open: &'a [String],
}

impl Word<'_> {
    /// Returns what a verdict says of it, the worst first.
    pub fn phrases(self) -> Vec<Phrase> {
        let names: Vec<String> = self.contradicted.iter().map(|name| format!("`{name}`")).collect();
        let text = format!(
            "resting on what is written of {}, which its program contradicts",
            list(&names)
        );
        let contradicted = (!names.is_empty()).then_some(Phrase { mood: Mood::Bad, text });
        let open = self.open.len() as u64;
        let text = format!("{} not compared", count(open, "written time"));
        let open = (open > 0).then_some(Phrase { mood: Mood::Plain, text });
        contradicted.into_iter().chain(open).collect()
    }
}
