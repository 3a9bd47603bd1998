//! The time that lower tasks can take from a busy window of one level.
//!
//! Inside a level-p busy window a task below p runs only with a raised priority,
//! and it is raised only while it is inside an exclusive gate whose rise reaches
//! p. The crate's documentation shows what follows:
//!
//! 1. each lower task takes at most one outermost section;
//! 2. at most one of all these sections is at a gate whose holder runs at a ceiling that reaches p
//!    at once, and inside of which nobody waits for an event;
//! 3. at most one is at a `ceiling` gate whose ceiling reaches p;
//! 4. at any other gate, at most as many sections are taken as there are requests
//!    for it, or for a gate nested in it, by the window's own jobs and from within
//!    the sections of lower tasks; but at an `mpcp` gate each that waits for its turn
//!    gets it, whoever asks, and so does each that waits for a lock of a component, or has asked
//!    for a gate within which it may do so, and each that a scheduler dispatches which does not go
//!    by priorities alone.
//!
//! The bound is the smaller of two sums: 1 with 2 and 3, and 4 with 2 and 3.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fusee_model::{GateId, Origin, Protocol, TaskId};

use crate::context::Context;
use crate::lock_sections;
use crate::obstacle::Obstacle;
use crate::trees;
use crate::waiting_suspended::suspends;

/// A lower task's section that can take time from the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) task: TaskId,
    pub(crate) gate: GateId,
    pub(crate) length: u64,
    /// The part of it that is waiting for other cores.
    pub(crate) waiting: u64,
    pub(crate) origin: Origin,
}

/// The longest section of each lower task at gates of one kind.
type Longest = BTreeMap<TaskId, Section>;

/// Sections at one gate without a ceiling that reaches the level.
struct Queue {
    /// The longest of each lower task, longest first.
    sections: Vec<Section>,
    /// Sums of the first 0, 1, 2, ... of them; `None` once a sum does not fit.
    sums: Vec<Option<u64>>,
    /// The number of requests of the gate, or of one nested in it, by each job of a member, by its
    /// position.
    requests: Vec<(usize, u64)>,
    /// Requests from within sections of lower tasks.
    from_below: u64,
}

impl Queue {
    /// Returns the number of sections that can be taken when so many jobs of each member are in the
    /// window.
    fn count(&self, jobs: &[u64]) -> usize {
        // Each lower task takes one section at most, so more requests than there are tasks change
        // nothing.
        let requests = self.from_below.saturating_add(asked(&self.requests, jobs));
        usize::try_from(requests).unwrap_or(usize::MAX).min(self.sections.len())
    }
}

/// Returns the number of requests by members, from the number in each job of some, by position.
pub(crate) fn asked(requests: &[(usize, u64)], jobs: &[u64]) -> u64 {
    requests
        .iter()
        .fold(0_u64, |sum, &(member, each)| sum.saturating_add(jobs[member].saturating_mul(each)))
}

/// All that lower tasks can take from windows of one level.
pub(crate) struct Blocking {
    /// One section of each task, at most one of them at a ceiling, and one behind one.
    by_task: Vec<Section>,
    by_task_sum: Option<u64>,
    /// The longest section at a ceiling that reaches the level, and the longest at a `ceiling`
    /// gate.
    once: Vec<Section>,
    /// The longest section of each task at `mpcp` gates, or in which it waits for events, and of
    /// those that schedulers dispatch.
    boosted: Vec<Section>,
    /// The sum of both.
    counted_sum: Option<u64>,
    queues: Vec<Queue>,
}

/// The longer section; of equally long ones the first.
fn keep_longest<K: Ord>(map: &mut BTreeMap<K, Section>, key: K, section: Section) {
    let slot = map.entry(key).or_insert(section);
    if section.length > slot.length {
        *slot = section;
    }
}

impl Blocking {
    /// Collects the sections of the lower tasks; both lists of tasks are in order.
    ///
    /// # Errors
    /// A section whose length is unknown or has no bound.
    pub(crate) fn of(
        context: &Context<'_>,
        level: i16,
        members: &[TaskId],
        lower: &[TaskId],
    ) -> Result<Self, Obstacle> {
        Self::collect(context, level, (members, lower), None)
    }

    /// Returns the time that others can take while a task at the level is inside a gate that no
    /// other can enter meanwhile.
    ///
    /// # Errors
    /// As for [`Blocking::of`].
    pub(crate) fn beside(
        context: &Context<'_>,
        level: i16,
        others: &[TaskId],
        gate: GateId,
    ) -> Result<Self, Obstacle> {
        Self::collect(context, level, (&[], others), Some(gate))
    }

    /// Returns the blocking by tasks that are in sections at some instant, or wait for their turn
    /// there, at whatever gates, and go on in these sections only. Each is in one outermost
    /// section, and at each gate there is a holder and those that may wait for it.
    ///
    /// # Errors
    /// As for [`Blocking::of`].
    pub(crate) fn in_progress(context: &Context<'_>, tasks: &[TaskId]) -> Result<Self, Obstacle> {
        let mut by_task = Longest::new();
        let mut by_gate: BTreeMap<GateId, Longest> = BTreeMap::new();
        for &task in tasks {
            for section in sections_of(context, task) {
                let section = section?;
                keep_longest(&mut by_task, task, section);
                keep_longest(by_gate.entry(section.gate).or_default(), task, section);
            }
        }
        let by_task: Vec<Section> = by_task.into_values().collect();
        let by_gate: Vec<Section> =
            by_gate.into_iter().flat_map(|(gate, all)| at_once(context, gate, all)).collect();
        let least = match (total(&by_task), total(&by_gate)) {
            (Some(tasks), Some(gates)) if tasks > gates => by_gate,
            _ => by_task,
        };
        let by_task_sum = total(&least);
        let (once, boosted, queues) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { by_task: least, by_task_sum, once, boosted, counted_sum: None, queues })
    }

    fn collect(
        context: &Context<'_>,
        level: i16,
        (members, lower): (&[TaskId], &[TaskId]),
        beside: Option<GateId>,
    ) -> Result<Self, Obstacle> {
        let (mut each, mut fixed, mut granted) = (Longest::new(), Longest::new(), Longest::new());
        let mut boosted = Longest::new();
        let mut by_gate: BTreeMap<GateId, BTreeMap<TaskId, Section>> = BTreeMap::new();
        for &task in lower {
            let all = context.relevant(level, task);
            for (passage, length) in all.filter(|(passage, _)| Some(passage.gate) != beside) {
                // Waiting for other cores is in the length already. It is kept apart only to be
                // shown.
                let (gate, origin) = (passage.gate, passage.origin);
                let demand = context.demands.invocation(&context.kernel, gate, passage.method);
                let waiting = demand.map_or(0, |demand| demand.waiting.0.unwrap_or(0));
                let section = Section { task, gate, length: length?, waiting, origin };
                // A task that waits for an event inside of it, or for a lock, keeps no other from
                // entering another one.
                let waits = context.sections(gate).iter().any(|waits| waits.task == task);
                // Threads of one tree may be served before a more urgent one, but where nobody
                // waits, and where no gate is handed on.
                let free = context.reach.ceiling[gate.index()] >= level;
                // While somebody waits for an event inside, the others come to such a gate as they
                // are, and it is handed on from one to the next.
                let waits = waits || free && !context.sections(gate).is_empty();
                let asks_again = context.reach.threshold[gate.index()] >= level;
                let in_order = free || asks_again;
                let queues = !in_order && !trees::serves_in_order(context.system, task);
                if waits || queues || !context.locks_within(gate).is_empty() {
                    keep_longest(&mut each, task, section);
                    keep_longest(&mut boosted, task, section);
                } else if free {
                    keep_longest(&mut fixed, task, section);
                } else if asks_again {
                    keep_longest(&mut granted, task, section);
                } else if context.system.gate(gate).is_suspending() {
                    keep_longest(&mut each, task, section);
                    keep_longest(&mut boosted, task, section);
                } else {
                    keep_longest(&mut each, task, section);
                    keep_longest(by_gate.entry(gate).or_default(), task, section);
                }
            }
        }
        for &task in lower {
            let sections = lock_sections::of_task(context, task).into_iter();
            for lock in sections.filter(|lock| lock.rise >= level) {
                let (gate, origin, length) = (lock.gate, lock.origin, lock.length?);
                let section = Section { task, gate, length, waiting: 0, origin };
                // The first to ask is served first.
                keep_longest(&mut each, task, section);
                keep_longest(&mut boosted, task, section);
            }
        }
        let nested = requests_from_sections(context, level, lower);
        let queues = by_gate
            .into_iter()
            .map(|(gate, s)| queue(context, members, &nested, gate, s))
            .collect();
        let once = one_of_each(&fixed, &granted, |section| section.length);
        let by_task = by_task(&each, &fixed, &granted);
        let boosted: Vec<Section> = boosted.into_values().collect();
        let (by_task_sum, sums) = (total(&by_task), total(&once).zip(total(&boosted)));
        let counted_sum = sums.and_then(|(once, boosted)| once.checked_add(boosted));
        Ok(Self { by_task_sum, by_task, once, boosted, counted_sum, queues })
    }

    /// The longest that lower tasks can take while so many jobs of each member are in the window.
    pub(crate) fn bound(&self, jobs: &[u64]) -> Option<u64> {
        // Both sums bound the same time, so either may stand alone where the other does not fit.
        let Some(mut sum) = self.counted_sum else { return self.by_task_sum };
        for queue in &self.queues {
            // As soon as the sum by requests is no smaller than that by tasks, the queues that are
            // left cannot change the bound.
            let next = queue.sums[queue.count(jobs)].and_then(|taken| sum.checked_add(taken));
            match next {
                Some(next) if self.by_task_sum.is_none_or(|by_task| next < by_task) => sum = next,
                _ => return self.by_task_sum,
            }
        }
        Some(self.by_task_sum.map_or(sum, |by_task| by_task.min(sum)))
    }

    /// Returns the sections that make up the bound.
    pub(crate) fn selection(&self, jobs: &[u64]) -> Vec<Section> {
        let bound = self.bound(jobs);
        // Equal sums explain the bound equally well, and one section for each task is easier to
        // read.
        if bound.is_some() && bound == self.by_task_sum {
            return self.by_task.clone();
        }
        let taken = self.queues.iter().flat_map(|q| &q.sections[..q.count(jobs)]);
        self.once.iter().chain(&self.boosted).chain(taken).copied().collect()
    }
}

/// Returns the sections of a task at all gates, and at locks of components.
fn sections_of<'c>(
    context: &'c Context<'_>,
    task: TaskId,
) -> impl Iterator<Item = Result<Section, Obstacle>> + 'c {
    let at_gates = context.passages(task).map(move |(passage, length)| {
        let (gate, origin) = (passage.gate, passage.origin);
        let demand = context.demands.invocation(&context.kernel, gate, passage.method);
        let waiting = demand.map_or(0, |demand| demand.waiting.0.unwrap_or(0));
        Ok(Section { task, gate, length: length?, waiting, origin })
    });
    let at_locks = lock_sections::of_task(context, task).into_iter().map(move |lock| {
        let (gate, origin) = (lock.gate, lock.origin);
        Ok(Section { task, gate, length: lock.length?, waiting: 0, origin })
    });
    at_gates.chain(at_locks)
}

/// Returns those of a gate's sections, one for each task, that can be under way or waited for at
/// once: the longest, of who holds it, and those of all that may wait there. A gate is handed on to
/// a waiter. So a job that comes back for it finds it held again, by one waiter after the other.
fn at_once(context: &Context<'_>, gate: GateId, all: Longest) -> Vec<Section> {
    let longest = all.values().max_by_key(|section| (section.length, Reverse(section.task)));
    let holder = longest.map(|section| section.task);
    let counts =
        |section: &Section| Some(section.task) == holder || may_wait(context, gate, section.task);
    all.into_values().filter(counts).collect()
}

/// Returns `true` if a task may have to wait for a gate, to which it is handed on.
fn may_wait(context: &Context<'_>, gate: GateId, task: TaskId) -> bool {
    match context.system.gate(gate).protocol.value {
        // Nobody of its core runs while somebody is inside; and a `ceiling` gate is asked for
        // again.
        Protocol::NonPreemptive | Protocol::Ceiling => false,
        // A job finds it free when it begins, but not always when it goes on after a wait.
        Protocol::Srp | Protocol::Fixed => suspends(context, task) || may_be_held(context, gate),
        _ => true,
    }
}

/// Returns `true` if who begins a job may find a gate with a floor held: its holder may stop
/// inside, or the job is due earlier than if it had arrived just now.
fn may_be_held(context: &Context<'_>, gate: GateId) -> bool {
    let is_early = |&user: &TaskId| context.arrivals(user).jitter > 0;
    let may_stop = |&user: &TaskId| context.suspending_budget(user).is_some();
    let users = &context.derived.gate(gate).tasks;
    !context.sections(gate).is_empty() || users.iter().any(|user| is_early(user) || may_stop(user))
}

fn by_task(each: &Longest, fixed: &Longest, granted: &Longest) -> Vec<Section> {
    // A task is in one section at most, so one at a ceiling takes the place of its other one. What
    // counts is how much longer it is.
    let gain = |s: &Section| s.length.saturating_sub(each.get(&s.task).map_or(0, |i| i.length));
    let mut chosen = each.clone();
    for section in one_of_each(fixed, granted, gain) {
        chosen.insert(section.task, section);
    }
    chosen.into_values().collect()
}

/// At most one section of each of two kinds, of different tasks, that gain most together.
fn one_of_each(one: &Longest, other: &Longest, gain: impl Fn(&Section) -> u64) -> Vec<Section> {
    // The second best is needed where both best are of one task.
    let best = |kind: &Longest| {
        let mut sections: Vec<Section> = kind.values().filter(|s| gain(s) > 0).copied().collect();
        sections.sort_by_key(|s| (Reverse(gain(s)), s.task));
        sections.into_iter().take(2).map(Some).chain([None]).collect::<Vec<_>>()
    };
    // Lengths fit 64 bits each, but a pair of them need not.
    let mut most: (u128, Vec<Section>) = (0, Vec::new());
    for first in best(one) {
        // A task is in one section at most, so the two must be of different tasks.
        for second in best(other)
            .into_iter()
            .filter(|s| s.is_none_or(|s| first.is_none_or(|f| f.task != s.task)))
        {
            let pair: Vec<Section> = first.into_iter().chain(second).collect();
            let sum = pair.iter().map(|s| u128::from(gain(s))).sum();
            if sum > most.0 {
                most = (sum, pair);
            }
        }
    }
    most.1
}

fn total(sections: &[Section]) -> Option<u64> {
    sections.iter().try_fold(0_u64, |sum, s| sum.checked_add(s.length))
}

fn queue(
    context: &Context<'_>,
    members: &[TaskId],
    nested: &BTreeMap<GateId, u64>,
    gate: GateId,
    sections: BTreeMap<TaskId, Section>,
) -> Queue {
    let mut sections: Vec<Section> = sections.into_values().collect();
    // Whichever sections are taken, together they are no longer than as many of the longest.
    sections.sort_by_key(|s| (Reverse(s.length), s.task));
    let sums = (0..=sections.len()).map(|count| total(&sections[..count])).collect();
    let reach = &context.reach;
    let requests = reach.requests[gate.index()].iter();
    let requests = requests
        .filter_map(|&(task, each)| Some((members.binary_search(&task).ok()?, each)))
        .collect();
    // Whoever waits for a gate that is nested in this one raises the thread that holds both.
    let watched = reach.nested[gate.index()].iter().chain([&gate]);
    let from_below =
        watched.filter_map(|g| nested.get(g)).fold(0_u64, |sum, &n| sum.saturating_add(n));
    // Code that is not trusted asks as often as it likes.
    let from_below = if context.untrusted.contains(&true) { u64::MAX } else { from_below };
    Queue { sections, sums, requests, from_below }
}

/// Returns the number of requests of each gate by lower tasks from within one section each.
fn requests_from_sections(
    context: &Context<'_>,
    level: i16,
    lower: &[TaskId],
) -> BTreeMap<GateId, u64> {
    let mut requests = BTreeMap::new();
    for &task in lower {
        let nested = &context.reach.nested;
        let held = context.relevant(level, task).map(|(p, _)| p.gate);
        // Each lower task is in one section, but nobody knows in which: gates nested in any of them
        // count.
        let mut inside: Vec<GateId> =
            held.flat_map(|gate| nested[gate.index()].iter().copied()).collect();
        let locks = lock_sections::of_task(context, task).into_iter();
        inside.extend(locks.filter(|lock| lock.rise >= level).flat_map(|lock| lock.entered));
        inside.sort_unstable();
        inside.dedup();
        for gate in inside {
            // What one section asks is not known by itself. A whole job asks no less.
            if let Some(&count) = context.reach.counts[task.index()].get(&gate) {
                let slot: &mut u64 = requests.entry(gate).or_default();
                *slot = slot.saturating_add(count);
            }
        }
    }
    requests
}
