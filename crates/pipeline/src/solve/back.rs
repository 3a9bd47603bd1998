//! Changes that a solution does not need, taken back.
//!
//! A solution from scratch changes more than it has to. Values are taken back, all of a kind at
//! once, then one by one, and again from the beginning, as long as all still holds.

use super::judge::{Judge, Judged};
use super::setting::{Choice, KINDS, Subject};

/// Returns a choice from which no single value can be taken back.
pub(super) fn taken_back(judge: &Judge<'_>, start: Judged) -> Judged {
    let mut best = start;
    loop {
        let subjects: Vec<Subject> =
            best.choice.settings().iter().map(|setting| setting.subject()).collect();
        let of_kind = |kind: &str| -> Vec<Subject> {
            subjects.iter().copied().filter(|subject| subject.kind() == kind).collect()
        };
        let kinds = KINDS.into_iter().map(of_kind).filter(|all| all.len() > 1);
        let singles = subjects.iter().rev().map(|&subject| vec![subject]);
        let fewer = kinds.chain(singles).find_map(|all| {
            let choice = |choice: Choice, subject: Subject| choice.without(subject);
            let fewer = all.into_iter().fold(best.choice.clone(), choice);
            judge.judge(fewer).filter(|judged| judge.accepts(judged))
        });
        match fewer {
            Some(fewer) => best = fewer,
            None => return best,
        }
    }
}
