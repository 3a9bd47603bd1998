//! Cores for all tasks: the face of the search for `place`.

use std::cell::Cell;

use fusee_diagnostics::Span;
use fusee_model::{Origin, System};

use super::back::taken_back;
use super::class::Class;
use super::decide::{Decider, Verdict};
use super::freedom::{Freedom, Names};
use super::judge::Judge;
use super::refusal;
use super::setting::{Choice, Subject};
use super::suspending::decided;
use crate::costs::Costs;
use crate::methods::Proved;

/// The analyses of one task that a placement may cost.
const EFFORT: u64 = 50_000;

/// The description of which tasks are placed.
pub(crate) struct Unplaced<'a> {
    /// The system with all tasks on one core.
    pub(crate) system: &'a System,
    pub(crate) cores: u32,
    pub(crate) costs: &'a Costs,
    pub(crate) proved: &'a Proved,
    /// `true` if priorities that are left out are searched for.
    pub(crate) audsley: bool,
    pub(crate) span: &'a dyn Fn(Origin) -> Option<Span>,
}

/// Returns the system with a core for each task under which all holds, if one is found.
pub(crate) fn placement(of: &Unplaced<'_>) -> Option<System> {
    let Unplaced { system, cores, costs, proved, audsley, span } = *of;
    let mut kinds = vec!["core".to_owned(), "protocol".to_owned()];
    if audsley {
        kinds.push("priority".to_owned());
    }
    let judge = Judge { described: system, costs, proved, audsley, span, left: Cell::new(EFFORT) };
    let analysis = judge.analysis(system);
    if refusal::quick(system, &analysis, cores).is_some() {
        return None;
    }
    let keep = if audsley { Vec::new() } else { vec!["priority".to_owned()] };
    let names = Names { change: kinds, keep };
    let freedom = Freedom::of(system, cores, &names).ok()?;
    let class = Class::of(system, &analysis, &freedom, cores);
    let required = system.tasks.iter().map(|task| task.release.is_some()).collect();
    let decider = Decider { judge: &judge, freedom: &freedom, required, cores, class: &class };
    let Verdict::Found(choice) = decided(&decider) else { return None };
    // Priorities that are searched for are so again when the text is read.
    let of_priority = |subject: &Subject| matches!(subject, Subject::Priority(_));
    let priorities = choice.settings().iter().map(|one| one.subject()).filter(of_priority);
    let choice = priorities.fold(choice.clone(), |choice: Choice, one| choice.without(one));
    judge.left.set(EFFORT);
    let found = judge.judge(choice).filter(|one| judge.accepts(one))?;
    Some(taken_back(&judge, found).system)
}
