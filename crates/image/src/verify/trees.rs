//! The schedulers of an image, against the description.

use super::Subject;
use super::cores::Core;
use super::finding::Findings;
use crate::roles::ThreadRole;
use fusee_image_format::{AccountEntry, TreeSystem};
use fusee_kernel::NEVER;
use fusee_model::{Scheduler, System};
use std::collections::BTreeSet;

/// The tables of schedulers are there where there are some, and say what the description says.
pub(crate) fn check(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    let found = subject.cores.first().and_then(|core: &Core| core.trees.as_ref());
    let Some(trees) = found else {
        if !system.schedulers.is_empty() {
            findings.differs("the image knows of no schedulers");
        }
        return;
    };
    if trees.accounts.len() != subject.names.threads.len() {
        findings.differs("not every thread has an account");
    }
    check_schedulers(trees, system, findings);
    for (number, (account, thread)) in trees.accounts.iter().zip(&subject.names.threads).enumerate()
    {
        let described = match thread.role {
            ThreadRole::Task => of_task(system, number),
            _ => Expected { dispatched_by: None, owner: None, limit: NEVER, opinions: (0, 0) },
        };
        if described != Expected::of(trees, account) {
            findings.differs(format!(
                "the account of `{}` is another one in the image than by the description",
                thread.name
            ));
        }
    }
}

/// An account, with the threads of its users in place of their numbers.
#[derive(PartialEq, Eq)]
struct Expected {
    dispatched_by: Option<usize>,
    owner: Option<usize>,
    limit: u64,
    /// The root's, and its owner's.
    opinions: (u8, u64),
}

impl Expected {
    fn of(trees: &TreeSystem, entry: &AccountEntry) -> Expected {
        // A number behind the last is nobody's, and not nobody.
        let thread = |place: usize| trees.schedulers.get(place).map(|own| own.0.thread.at());
        let thread = |index: fusee_kernel::SchedulerIndex| match index.0 {
            u16::MAX => None,
            place => Some(thread(usize::from(place)).unwrap_or(usize::MAX)),
        };
        Expected {
            dispatched_by: thread(entry.dispatched_by),
            owner: thread(entry.owner),
            limit: entry.limit,
            opinions: (entry.level, entry.priority),
        }
    }
}

fn dispatcher(system: &System, task: usize) -> Option<&Scheduler> {
    system.schedulers.iter().find(|one| one.threads.iter().any(|own| own.value.index() == task))
}

/// Returns the priority at which the kernel runs a task: that of the highest scheduler above it.
pub(crate) fn level(system: &System, task: usize) -> u8 {
    let mut at = task;
    for _ in 0..system.schedulers.len() {
        match dispatcher(system, at) {
            Some(above) => at = above.task.index(),
            None => break,
        }
    }
    system.tasks[at].priority.value
}

/// Returns the description's account of a task.
fn of_task(system: &System, task: usize) -> Expected {
    let above = dispatcher(system, task);
    let own = system.schedulers.iter().any(|one| one.task.index() == task);
    let dispatched_by = above.map(|above| above.task.index());
    let given = above.map(|above| {
        let gifts = above.delegates.iter().filter(|gift| gift.to.index() == task);
        gifts.map(|gift| u128::from(gift.amount.value.ns())).sum::<u128>()
    });
    let limit = given.map_or(NEVER, |sum| u64::try_from(sum).unwrap_or(NEVER).clamp(1, NEVER - 1));
    // A scheduler thinks of its own time as nobody's is better.
    let of_own = if own { 0 } else { (255 - system.tasks[task].priority.value).into() };
    Expected {
        dispatched_by,
        owner: if own { Some(task) } else { dispatched_by },
        limit,
        opinions: (255 - level(system, task), of_own),
    }
}

/// Each scheduler is one of the description's, behind its own, and has a say of its own.
fn check_schedulers(trees: &TreeSystem, system: &System, findings: &mut Findings) {
    let described: BTreeSet<(usize, Option<usize>)> = (system.schedulers.iter())
        .map(|one| {
            let own = one.task.index();
            (own, dispatcher(system, own).map(|above| above.task.index()))
        })
        .collect();
    let (mut found, mut says) = (BTreeSet::new(), BTreeSet::new());
    for (place, entry) in trees.schedulers.iter().enumerate() {
        let before = &trees.schedulers[..place];
        let parent = match entry.0.parent.0 {
            u16::MAX => None,
            parent => match before.get(usize::from(parent)) {
                Some(parent) => Some(parent.0.thread.at()),
                None => return findings.unsound("a scheduler stands before its own"),
            },
        };
        found.insert((entry.0.thread.at(), parent));
        says.insert(entry.0.principal.0);
    }
    let distinct = says.len() == trees.schedulers.len() && !says.contains(&0);
    if !distinct || says.iter().any(|&say| usize::from(say) > says.len()) {
        findings.unsound("two schedulers have one say, or one has the kernel's");
    }
    if found != described || found.len() != trees.schedulers.len() {
        findings.differs("the schedulers are others in the image than by the description");
    }
}
