//! Lock components that come with Fusee, in a run.
//!
//! The kernel decides whom it lets sleep and whom it wakes, as everywhere; what a component calls
//! is its code's. That code is in C, and so short that it stands here again: steps of a program
//! (module `program::lock_code`), each an entry, a call or an [`Act`] at once. Acts change what the
//! components remember (modules [`keepers`] and [`section`]) and a thread's own variables.
//!
//! Time that a component's code takes passes where others can come between: before its section, in
//! it and behind it.

mod keepers;
mod section;

use std::collections::{BTreeMap, VecDeque};

use fusee_model::{ComponentId, LockComponent, System, Value};

use keepers::Lock;
use section::Section;

/// The longest list of waiting threads that a component keeps.
const WAITERS: usize = 64;

/// A keeper: a component that is asked for locks.
pub(crate) type Keeper = u16;

/// An action that takes no time and has an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing, and yes.
    Go,
    /// A client asks a keeper for one of its locks.
    Ask(Keeper, u8),
    /// A client is about to give one back.
    LetGo(Keeper, u8),
    /// Asks if the client has the lock.
    HasLock,
    /// Asks if the client was not refused.
    IsDone,
    /// The client takes its word, if it is free.
    TakeWord,
    /// The client frees its word; asks if no thread waits.
    FreeWord,
    /// The client has its word already, or got no epoch.
    IsRefused,
    /// The client says in its word that it waits; yes: it is free after all.
    MarkWord,
    /// The client that is told that the owner is gone takes that one's place.
    ReplaceOwner,
    /// The keeper's action in its section to take a lock.
    Take(LockComponent),
    /// The same for a thread that has slept.
    TakeAgain,
    /// The keeper's action in its section to release one.
    Release(LockComponent),
    /// The epoch is told.
    Epoch,
    /// A thread that was not woken leaves the list.
    LeaveList,
    /// Asks if the answer is known.
    IsDecided,
    /// Asks if the caller has got the lock while it slept.
    IsMine,
    /// Asks if the caller was woken.
    IsWoken,
    /// Names the thread on whose account the caller sleeps: the owner that it has seen.
    NameOwner,
    /// The next one to be woken; no: there is none.
    NameNext,
    /// The scheduler's section is entered, if it is free.
    Enter,
    /// Asks if to try again.
    EnterAgain,
    /// Asks if the section could not be entered.
    IsBarred,
    /// The section is left.
    Leave,
    /// The next thread that waits for the section; no: there is none.
    NameWaiter,
    /// Keeps the result of sleeping.
    Slept,
}

/// The result of sleeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Slept {
    /// Another thread has woken it, perhaps before it slept.
    #[default]
    Woken,
    /// The other thread has no job.
    Gone,
    /// It would have waited for itself.
    Refused,
}

impl Slept {
    /// Returns the meaning of the kernel's answer.
    pub(crate) fn of(answer: u32) -> Self {
        if answer == 0 { Slept::Woken } else { Slept::Gone }
    }
}

/// The answer of a keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Answer {
    #[default]
    Open,
    Has,
    Refused,
}

/// A thread's variables.
#[derive(Debug, Clone, Default)]
struct Caller {
    keeper: usize,
    number: usize,
    /// The owner that it has seen last.
    owner: Option<usize>,
    epoch: u64,
    answer: Answer,
    /// The answer of the kernel, and that of the scheduler's component.
    found: Slept,
    how: Slept,
    /// `true` if it has asked to sleep and not heard of it.
    sleeps: bool,
    barred: bool,
    /// The thread that it names next to the kernel.
    whom: usize,
    /// The threads that it is still to wake.
    tell: VecDeque<usize>,
    /// The thread from which it looks for those that wait for the section; none: none waits.
    look: Option<usize>,
}

/// A component that is asked for locks.
#[derive(Debug, Clone, Default)]
struct Kept {
    locks: [Lock; LockComponent::LOCKS as usize],
    /// The threads that wait for any of them, by priority ceilings.
    list: Vec<usize>,
    /// The section of a scheduler that is its own.
    section: usize,
}

/// All lock components of a run, with its threads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Locks {
    keepers: Vec<Kept>,
    sections: Vec<Section>,
    callers: Vec<Caller>,
    priorities: Vec<i128>,
}

impl Locks {
    /// Those of a system before anything has happened.
    pub(crate) fn of(system: &System) -> Self {
        let threads = system.tasks.len();
        let (mut numbers, mut keepers) = (BTreeMap::new(), Vec::new());
        for (id, _) in keepers_of(system) {
            let own = integer(system, id, "section");
            let next = numbers.len();
            let section = *numbers.entry((system.lock_scheduler(id), own)).or_insert(next);
            let ceiling = |number| integer(system, id, &format!("ceiling_{number}"));
            let lock = |number| Lock::of(ceiling(number).unwrap_or(255));
            keepers.push(Kept { locks: std::array::from_fn(lock), list: Vec::new(), section });
        }
        let priority = |(id, _)| i128::from(system.level(id));
        Self {
            keepers,
            sections: vec![Section::of(threads); numbers.len()],
            callers: vec![Caller::default(); threads],
            priorities: system.task_ids().map(priority).collect(),
        }
    }

    /// A thread does what takes no time; what the answer is.
    pub(crate) fn act(&mut self, me: usize, act: Act) -> bool {
        match act {
            Act::Go => true,
            Act::Enter | Act::EnterAgain | Act::Leave | Act::NameWaiter => self.at_section(me, act),
            Act::Ask(..) | Act::LetGo(..) | Act::TakeWord | Act::FreeWord => {
                self.of_client(me, act)
            }
            Act::MarkWord | Act::ReplaceOwner | Act::HasLock => self.of_client(me, act),
            Act::Take(kind) => self.take(me, kind),
            Act::TakeAgain => self.take_again(me),
            Act::Release(kind) => self.release(me, kind),
            Act::Epoch | Act::LeaveList | Act::IsMine => self.at_list(me, act),
            _ => self.callers[me].act(act),
        }
    }

    /// Returns the thread that another one names to the kernel.
    pub(crate) fn whom(&self, me: usize) -> usize {
        self.callers[me].whom
    }

    /// The same, and it is about to sleep.
    pub(crate) fn sleeps(&mut self, me: usize) -> usize {
        self.callers[me].sleeps = true;
        self.callers[me].whom
    }

    /// A thread that has slept, or has asked to, is told what has come of it.
    pub(crate) fn slept(&mut self, me: usize, how: Slept) {
        if std::mem::take(&mut self.callers[me].sleeps) {
            self.callers[me].found = how;
        }
    }
}

impl Caller {
    /// Takes an action that concerns a thread's variables alone.
    fn act(&mut self, act: Act) -> bool {
        match act {
            Act::IsDone => self.answer != Answer::Refused,
            Act::IsRefused => self.answer == Answer::Refused || self.how == Slept::Refused,
            Act::IsDecided => self.answer != Answer::Open,
            Act::IsWoken => self.how == Slept::Woken,
            Act::IsBarred => {
                self.answer = if self.barred { Answer::Refused } else { self.answer };
                self.barred
            }
            Act::NameOwner => {
                self.whom = self.owner.unwrap_or(usize::MAX);
                true
            }
            Act::NameNext => {
                let next = self.tell.pop_front();
                self.whom = next.unwrap_or(self.whom);
                next.is_some()
            }
            Act::Slept => {
                self.how = self.found;
                true
            }
            _ => true,
        }
    }
}

/// Components that are asked for locks, in the order of their numbers.
pub(crate) fn keepers_of(system: &System) -> impl Iterator<Item = (ComponentId, LockComponent)> {
    system.lock_components().filter(|(_, kind)| kind.is_asked())
}

fn integer(system: &System, id: ComponentId, name: &str) -> Option<i128> {
    match system.component(id).attribute(name) {
        Some(&Value::Integer(value)) => Some(value),
        _ => None,
    }
}
