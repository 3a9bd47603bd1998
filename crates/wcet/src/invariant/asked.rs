//! The questions to memory, and their answers.
//!
//! The same places are asked for again and again, so the answers are kept as long
//! as nothing changes. Who has asked last is kept as well: all that one execution
//! has asked decides how it goes on.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::value::Range;
use fusee_isa::language::Width;

/// The numbers of several places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Together {
    /// The numbers that one of them can hold.
    pub numbers: Range,
    /// True if something is stored in a part of one of them only.
    pub split: bool,
}

/// A question for the number that one of these places of one width holds.
pub(super) type Question = (Range, Width);

/// All that an execution has asked, and was answered: while the answers are the same it would go
/// the same way.
#[derive(Debug, Clone, Default)]
pub struct Answers(Vec<(Question, Together)>);

impl Answers {
    pub(super) fn iter(&self) -> impl Iterator<Item = (Question, Together)> {
        self.0.iter().copied()
    }
}

/// Questions with their answers, as long as nothing changes.
#[derive(Debug, Default)]
pub(super) struct Asked(Mutex<Hearing>);

/// Each answer with the last entry that has asked.
#[derive(Debug, Default)]
struct Hearing {
    answers: HashMap<Question, (Together, u32)>,
    asking: u32,
}

impl Clone for Asked {
    fn clone(&self) -> Self {
        // A copy is changed soon, and then its answers are others.
        Self::default()
    }
}

impl Asked {
    /// Nothing is done while it is held that could fail.
    fn held(&self) -> MutexGuard<'_, Hearing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the answer that was given before, or else this one.
    pub(super) fn answer(
        &self,
        question: Question,
        look_up: impl FnOnce() -> Together,
    ) -> Together {
        let mut hearing = self.held();
        let asking = hearing.asking;
        if let Some((known, asked)) = hearing.answers.get_mut(&question) {
            *asked = asking;
            return *known;
        }
        // Others may ask while this is looked up; two of them find the same.
        drop(hearing);
        let found = look_up();
        self.held().answers.insert(question, (found, asking));
        found
    }

    /// From now on another entry asks.
    pub(super) fn listen(&self) {
        let mut hearing = self.held();
        hearing.asking = hearing.asking.wrapping_add(1);
    }

    /// Returns what was asked since then.
    pub(super) fn heard(&self) -> Answers {
        let hearing = self.held();
        let asked = hearing.answers.iter().filter(|(_, (_, asked))| *asked == hearing.asking);
        Answers(asked.map(|(&question, &(answer, _))| (question, answer)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_one_hears_what_it_has_asked_itself() {
        let asked = Asked::default();
        let question = |at| (Range::constant(at), Width::Word);
        let answer = |number| Together { numbers: Range::constant(number), split: false };
        let heard = || {
            let mut heard: Vec<i64> =
                asked.heard().iter().map(|((places, _), _)| places.low()).collect();
            heard.sort_unstable();
            heard
        };
        asked.listen();
        assert_eq!(asked.answer(question(1), || answer(10)), answer(10));
        assert_eq!(asked.answer(question(2), || answer(20)), answer(20));
        assert_eq!(heard(), [1, 2]);
        asked.listen();
        assert_eq!(asked.answer(question(2), || answer(99)), answer(20), "it was answered before");
        assert_eq!(asked.answer(question(3), || answer(30)), answer(30));
        assert_eq!(heard(), [2, 3]);
    }
}
