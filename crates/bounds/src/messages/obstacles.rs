//! The obstacles to a task's bound, as diagnostics.

mod budgets;
mod costs;
mod gates;
mod locks;
mod schedulers;
mod sections;
mod signals;
mod times;
mod unknown_schedulers;
mod waits;

use fusee_diagnostics::Rule;
use fusee_model::{Origin, System, Task, TaskId};

use super::message::{Message, Places};
use crate::bound::TaskBound;
use crate::obstacle::Obstacle;
use crate::rules;

/// A task without a bound, its system, and where the places of its description are looked up.
#[derive(Clone, Copy)]
struct Unbounded<'a> {
    system: &'a System,
    bound: &'a TaskBound,
    places: Places<'a>,
}

impl<'a> Unbounded<'a> {
    /// Returns the task itself.
    fn own(self) -> &'a Task {
        self.system.task(self.bound.task)
    }

    /// Returns the name of a task.
    fn name(self, task: TaskId) -> &'a str {
        &self.system.task(task).name
    }

    /// Returns a word for a task in a message about the one without a bound.
    fn who(self, task: TaskId) -> String {
        match task == self.bound.task {
            true => "it".to_owned(),
            false => format!("`{}`", self.name(task)),
        }
    }

    /// Returns a message of a rule that points at one place and labels it.
    fn message(self, rule: &Rule, text: String, (origin, label): (Origin, &str)) -> Message {
        Message::new(rule, text).place(self.places, origin, label.to_owned())
    }

    /// Returns a message of a rule that points at the task itself.
    fn at_own(self, rule: &Rule, text: String) -> Message {
        self.message(rule, text, (self.own().origin, "this task"))
    }

    /// Adds the task that gets to a body or gate, where it is not the one without a bound.
    fn by_way_of(self, task: TaskId, message: Message) -> Message {
        match task == self.bound.task {
            true => message,
            false => message.note(format!("`{}` gets there", self.name(task))),
        }
    }
}

/// Returns the message that says why a task has no bound.
pub(super) fn no_bound(
    system: &System,
    bound: &TaskBound,
    obstacle: &Obstacle,
    places: Places<'_>,
) -> Message {
    let unbounded = Unbounded { system, bound, places };
    let start = format!("`{}` has no bound: ", unbounded.own().name);
    message(unbounded, obstacle).starting(&start)
}

/// Returns why a task has no bound, as half a sentence without the task's name, and the rule that
/// explains it; `None` if it has one.
pub fn cause(system: &System, bound: &TaskBound) -> Option<(&'static Rule, String)> {
    let obstacle = bound.bound.as_ref().err()?;
    // Only the text and the rule are wanted, so no place is looked up.
    let diagnostic = message(Unbounded { system, bound, places: &|_| None }, obstacle).diagnostic;
    let rule = rules::RULES.iter().find(|rule| rule.code == diagnostic.code)?;
    Some((rule, diagnostic.message))
}

/// Returns the message about an obstacle, which does not name the task without a bound yet.
fn message(at: Unbounded<'_>, obstacle: &Obstacle) -> Message {
    match *obstacle {
        Obstacle::UnknownTime { task, body } => times::unknown(at, task, body),
        Obstacle::Callback { component, interface } => times::callback(at, component, interface),
        Obstacle::Message { task, body } => costs::message(at, task, body),
        Obstacle::Passage { task, gate } => costs::passage(at, task, gate),
        Obstacle::OtherPolicy { known } => costs::policy(at, known),
        Obstacle::NoWords => costs::no_words(at),
        Obstacle::Words { held, most } => costs::words(at, held, most),
        Obstacle::WordsOf { component, has, most } => costs::words_of(at, component, [has, most]),
        Obstacle::NoServices { component } => costs::no_services(at, component),
        Obstacle::Threads { threads, most } => costs::threads(at, threads, most),
        Obstacle::Schedulers { schedulers, most } => costs::schedulers(at, schedulers, most),
        Obstacle::Nesting { nesting, most } => costs::nesting(at, nesting, most),
        Obstacle::Cores { cores, most } => costs::cores(at, cores, most),
        Obstacle::Chain { chain, most } => costs::chain(at, chain, most),
        Obstacle::Sleep { component } => locks::sleep(at, component),
        Obstacle::LockUse { component, why } => locks::misfit(at, component, why),
        Obstacle::Lock { component, lock, user, unlisted } => {
            sections::unknown(at, (component, lock), user, unlisted)
        }
        Obstacle::Signals { task, event } => signals::by_task(at, task, event),
        Obstacle::CallbackSignals { component, event } => {
            signals::by_callbacks(at, component, event)
        }
        Obstacle::Look { event } => signals::look(at, event),
        Obstacle::Posts { component, lock } => signals::posts(at, component, lock),
        Obstacle::Late { task, gate } => gates::late(at, task, gate),
        Obstacle::NoTheorem { gate } => gates::no_theorem(at, gate),
        Obstacle::Cycle { task, gate } => gates::cycle(at, task, gate),
        Obstacle::SeveralCores { gate } => gates::several_cores(at, gate),
        Obstacle::Inversion { gate, victim, middle, holder } => {
            gates::inversion(at, gate, [victim, middle, holder])
        }
        Obstacle::Scheduler { task } => schedulers::decides(at, task),
        Obstacle::SchedulerCosts { task } => schedulers::costs(at, task),
        Obstacle::Unnoticed { task } => schedulers::unnoticed(at, task),
        Obstacle::Disorder { task } => schedulers::disorder(at, task),
        Obstacle::OwnTime { task } => schedulers::used_up(at, task),
        Obstacle::NoSupply { task } => schedulers::no_supply(at, task),
        Obstacle::Waits { task, body, notification } => {
            waits::in_its_job(at, (task, body, notification))
        }
        Obstacle::LongWait { task, event } => waits::too_long(at, task, event),
        Obstacle::Suspended { task, gate } => budgets::suspended(at, task, gate),
        Obstacle::Backlog { waiting, most } => times::backlog(at, waiting, most),
        Obstacle::Overload => times::overload(at),
        Obstacle::NoEnd => times::no_end(at),
    }
}
