//! The states of several cores.

use std::collections::HashSet;

use fusee_kernel::cores::{Due, Host, OneCore};
use fusee_kernel::{Error, Time};

use super::check::State;
use super::encode::encode;
use super::jobs::is_at_rest;
use super::rule::ensure;
use super::{Breach, Checked, Diary, Rule, Step, System};
use crate::breach;
use crate::breadth_first::{self, Extent, Space};
use crate::ledger::users;
use crate::origins::Origins;

/// The result of a search.
#[derive(Debug)]
pub struct Report {
    /// The number of distinct states.
    pub states: usize,
    /// Steps taken from them, each checked.
    pub steps: usize,
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// States in which a core executes the section of a thread of another.
    pub helped: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited; false after a violation, or when `limit` was reached.
    pub complete: bool,
}

/// A rule that does not hold, and how it came to that.
pub type Violation = breach::Violation<Rule, Step>;

pub(crate) struct Node {
    number: u32,
    host: Host,
    diary: Diary,
    now: Time,
}

struct Search<'s> {
    system: &'s System,
    tables: &'s [OneCore<'s>],
    /// The threads that can come to each gate of each core.
    users: Vec<Vec<Vec<usize>>>,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    report: Report,
}

/// Visits every state that a system can reach, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    system.with(|tables| {
        let report =
            Report { states: 0, steps: 0, depth: 0, helped: 0, violation: None, complete: false };
        let (seen, origins) = (HashSet::new(), Origins::new());
        let users = tables.iter().map(|(one, _)| users(one)).collect();
        let mut search = Search { system, tables, users, seen, origins, report };
        let start = search.start();
        let Extent { depth, violation, complete } =
            breadth_first::search(&mut search, start, limit);
        let states = search.seen.len();
        Report { states, depth, violation, complete, ..search.report }
    })
}

impl Space for Search<'_> {
    type Node = Node;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node, next: &mut Vec<Node>) -> Result<(), Violation> {
        let mut host = node.host.clone();
        for step in Step::all(self.system, self.tables, &node.host, node.now) {
            let mut now = node.now;
            let taken = self.take(step, node, &mut host, &mut now);
            let fresh = taken.map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if let Some(diary) = fresh {
                let number = self.origins.add(node.number, step);
                next.push(Node { number, host: host.clone(), diary, now });
            }
            restore(&mut host, &node.host, step);
        }
        Ok(())
    }
}

impl Search<'_> {
    fn start(&mut self) -> Node {
        let host = self.system.start(self.tables).expect("the tables of a system are right");
        let diary = Diary::start(self.tables);
        self.seen.insert(self.encode(&host, &diary, 0));
        self.origins.add(0, Step::Tick);
        Node { number: 0, diary, host, now: 0 }
    }

    fn encode(&self, host: &Host, diary: &Diary, now: Time) -> Box<[u8]> {
        let mut bytes = encode(self.tables, host, now);
        if self.system.limits_posts() {
            diary.posts.encode(&mut bytes);
        }
        if self.system.once {
            diary.jobs.encode(&mut bytes);
        }
        // The ledger is encoded, too: the kernel may have forgotten what it knows.
        diary.sleepers.encode(&mut bytes);
        bytes.into_boxed_slice()
    }

    /// Takes and checks a step; the diary, if the state is new.
    fn take(
        &mut self,
        step: Step,
        node: &Node,
        host: &mut Host,
        now: &mut Time,
    ) -> Result<Option<Diary>, Breach> {
        let tables = self.tables;
        let forbidden = step.is_forbidden(tables, host);
        let too_often = !forbidden && node.diary.posts.refuse(step, tables, host);
        let sleepless = node.diary.sleepers.refusal(step, tables, host);
        let taken = step.take(tables, host, now);
        ensure(Rule::Posts, (taken == Err(Error::TooOften)) == too_often, || {
            format!("{step} is answered with {taken:?}, too often: {too_often}")
        })?;
        let error = if too_often { Error::TooOften } else { Error::InGlobal };
        let error = (forbidden || too_often).then_some(error).or(sleepless);
        let right = taken.err() == error;
        ensure(Rule::Refusals, right, || format!("{step} is answered with {taken:?}"))?;
        if taken.is_err() {
            let what = || format!("{step} is refused, yet the state changed");
            ensure(Rule::Refusals, *host == node.host, what)?;
            return Ok(None);
        }
        self.report.steps += 1;
        own_state(step, &node.host, host)?;
        let mut diary = node.diary.clone();
        diary.follow(tables, (step, *now), (&node.host, host))?;
        if let Some(core) = step.core()
            && host.cores[core].home.due == Due::Nothing
            && host.cores[core].read.is_none()
            && !matches!(step, Step::Send(_))
        {
            let outcome = host.outcome(tables, core);
            diary.compare(core, &outcome)?;
            diary.begin(&tables[core], &host.cores[core], &outcome);
        }
        if let Some(core) = step.core().filter(|&core| self.system.once && is_at_rest(host, core)) {
            diary.jobs.wait_once(core, &host.cores[core])?;
        }
        if !self.seen.insert(self.encode(host, &diary, *now)) {
            return Ok(None);
        }
        let state = State { tables, host, users: &self.users, diary: &diary, now: *now };
        if let Some(core) = step.core() {
            state.one_core(core)?;
        }
        state.check()?;
        self.report.helped += usize::from(helps(tables, host));
        Ok(Some(diary))
    }
}

/// Takes a step back. It has changed nothing but its own core's state and what is shared, or that
/// is a violation.
fn restore(host: &mut Host, before: &Host, step: Step) {
    if let Some(core) = step.core() {
        host.cores[core].clone_from(&before.cores[core]);
    }
    for (core, old) in host.cores.iter_mut().zip(&before.cores) {
        core.pending = old.pending;
    }
    host.gates.clone_from(&before.gates);
    host.mailboxes.clone_from(&before.mailboxes);
    host.restarts.clone_from(&before.restarts);
}

/// Returns `true` if some core executes the section of another's thread.
fn helps(tables: &[OneCore<'_>], host: &Host) -> bool {
    let globals = tables[0].1.globals;
    host.gates.iter().zip(globals).any(|(gate, config)| {
        let owner = config.seats.get(gate.gate.owner.at());
        let executing = gate.gate.executing;
        executing != fusee_kernel::cores::NO_CORE
            && owner.is_some_and(|seat| seat.core != executing)
    })
}

/// A core changes no other's state, but that it tells another to look.
fn own_state(step: Step, before: &Host, after: &Host) -> Checked {
    for (core, (old, new)) in before.cores.iter().zip(&after.cores).enumerate() {
        if step.core() == Some(core) {
            continue;
        }
        let told = matches!(step, Step::Send(_)) || old.pending == new.pending;
        let same = old.store == new.store && old.home == new.home && told;
        ensure(Rule::OwnState, same, || format!("{step} changes core {core}"))?;
    }
    Ok(())
}
