//! Chains from end to end, over the computed response times.
//!
//! A task that an event releases responds within the sum of the responses on the way from
//! the clock behind it. Let e be a signal of the job of its emitter that arrived at a, so
//! that e <= a + R; let arrivals of the emitter be T apart at least, and let the kernel keep
//! releases p apart. Signal n releases at the latest of e(k) + (n - k) p over all k up to n, and
//! if each job signals once, e(k) + (n - k) p <= a(k) + R + (n - k) p <= a(n) + R as long as p <=
//! T. So deferring what comes too close delays nothing beyond R, from the clock on ("greedy shapers
//! come for free", Le Boudec and Thiran 2001). With at most m signals a job and m p <= T the last
//! of them waits (m - 1) p more. Where several tasks signal, each of them may be in the way of the
//! others' signals, and one waits as long as curves say (module `event_arrivals`). Such a job has
//! what its chain has brought last, so it may use it until the chain's next signal takes effect:
//! the greatest age has a period of the chain's more. By that, jobs released by one clock form a
//! group with one arrival, and groups are linked by what they sample: the sums are those of
//! `fusee_analysis::chains`, with reading and writing anywhere in a job. From core to core a signal
//! comes when the other one has looked: e <= a + R + L, with L for R everywhere above. Where tasks
//! of one core release each other once each, less than the sum is known: see module `rows`.
//!
//! For periodic tasks that come at their offsets, the waits between groups are known, and not the
//! longest there can be (Kloda, Bertout and Sorel 2018).

use fusee_analysis::chains::at_offsets::{self, Followed};
use fusee_analysis::chains::{self, InvalidChain, Link, Stage};
use fusee_analysis::exact;
use fusee_model::{
    BACKLOG, Chain, ChainLink, ChainStage, Duration, NotificationId, ReleaseKind, System, TaskId,
};

use crate::bound::TaskBound;
use crate::chain_bound::{ChainBound, ChainObstacle, ChainPart, ChainPartKind};
use crate::clock::Clock;
use crate::event_arrivals::EventArrivals;
use crate::rows::{Place, Rows};

/// Ticks of a clock that are followed, at most.
const MOST_TICKS: u128 = 20_000;

/// Tasks that release each other that are followed before a chain.
const DEEPEST: usize = 16;

/// The bounds of all chains of a system, where tasks respond so.
pub(crate) fn bounds(tasks: &[TaskBound], rows: Rows<'_>) -> Vec<ChainBound> {
    let arrivals = rows.contexts[0].event_arrivals(rows.supposed);
    let system = arrivals.system();
    let of_chain = |chain| Paths { system, tasks, arrivals, rows, chain }.bound();
    system.chains.iter().map(of_chain).collect()
}

/// The way from an arrival to a task's output.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    /// The longest time between two arrivals; `None`: it is not known.
    longest: Option<u64>,
    /// Least such time.
    least: u64,
    /// Releases for each arrival, at most; `None`: others release on the way, too.
    releases: Option<u64>,
    /// From an arrival to the output of the last of them.
    response: u64,
    /// The parts of that time.
    parts: Vec<ChainPart>,
    /// The tasks that release each other from a clock's arrival on, one job for each; empty: it
    /// arrives from outside, or others release on the way, more often, or from another core.
    row: Vec<Place>,
}

/// Signals that release a task.
struct Signals {
    /// At most so many for each arrival of the clock behind them; `None`: others signal, too.
    each: Option<u64>,
    /// The least distance of releases.
    separation: u64,
    /// The longest time that the last signal of an arrival waits for those before it, and for
    /// another core's look.
    deferral: u64,
    /// From an arrival to the release by the last of its signals.
    released: u64,
}

/// A task that an event releases, and its response.
#[derive(Clone, Copy)]
struct Released {
    task: TaskId,
    event: NotificationId,
    response: Duration,
}

/// The groups of a chain, each with the clock behind it.
#[derive(Default)]
struct Groups {
    stages: Vec<Stage>,
    clocks: Vec<Option<Clock>>,
    /// The places of the waits for these clocks among the parts.
    waits: Vec<usize>,
}

impl Groups {
    /// Returns the time that the chain takes where all clocks are known, and puts its waits among
    /// the parts; otherwise the sum of the longest.
    fn followed(
        &self,
        sum: u64,
        parts: &mut [ChainPart],
        follow: impl Fn(&[Stage], &[u64]) -> Result<Followed, InvalidChain>,
    ) -> u64 {
        // A task that begins a period late, or later, keeps the first output waiting for longer.
        let is_early = |clock: &Clock| clock.offset < clock.period;
        let clocks: Option<Vec<Clock>> =
            self.clocks.iter().map(|clock| clock.filter(is_early)).collect();
        // The sum holds whatever the clocks do, so it is the answer wherever these cannot be
        // followed.
        let Some(clocks) = clocks else { return sum };
        let cycle = exact::hyperperiod(clocks.iter().map(|clock| clock.period));
        let least = clocks.iter().map(|clock| clock.period).min().unwrap_or(1);
        // The arrivals are followed until they repeat, which can take very long where periods have
        // little in common.
        if cycle.is_none_or(|cycle| cycle / u128::from(least) > MOST_TICKS) {
            return sum;
        }
        let offsets: Vec<u64> = clocks.iter().map(|clock| clock.offset).collect();
        let Ok(followed) = follow(&self.stages, &offsets) else { return sum };
        if followed.time >= sum {
            return sum;
        }
        for (&place, &wait) in self.waits.iter().zip(&followed.waits) {
            parts[place].time = Duration(wait);
        }
        followed.time
    }
}

struct Paths<'a> {
    system: &'a System,
    tasks: &'a [TaskBound],
    arrivals: EventArrivals<'a>,
    rows: Rows<'a>,
    chain: &'a Chain,
}

impl Paths<'_> {
    fn bound(&self) -> ChainBound {
        let chain = self.chain;
        let (within, age_limit) =
            (chain.within.map(|limit| limit.value), chain.age.map(|limit| limit.value));
        let mut parts = Vec::new();
        let reaction = self.reaction(&mut parts);
        // Parts that were found before the search failed add up to less than a bound, and must not
        // be shown as one.
        if reaction.is_err() {
            parts.clear();
        }
        let mut age_parts = Vec::new();
        let age = self.age(&mut age_parts);
        if age.is_err() {
            age_parts.clear();
        }
        ChainBound { reaction, age, within, age_limit, parts, age_parts }
    }

    /// Returns the positions of the stages that end a group.
    fn ends(&self) -> Vec<usize> {
        let stages = &self.chain.stages;
        let sampled = |at: &usize| {
            stages.get(at + 1).is_none_or(|next| !matches!(next.link, ChainLink::Event(_)))
        };
        (0..stages.len()).filter(sampled).collect()
    }

    fn reaction(&self, parts: &mut Vec<ChainPart>) -> Result<Duration, ChainObstacle> {
        let chain = self.chain;
        let mut groups = Groups::default();
        for (group, &end) in self.ends().iter().enumerate() {
            let (first, last) = (chain.stages[0].task, chain.stages[end].task);
            // Only the first group can begin with an arrival from outside. All others are read by a
            // clock.
            let path = self.path(last, (group == 0).then_some(first), 0)?;
            // A change may just miss the reading of a task with a clock, and wait for the next one.
            // The arrival of any other first task is the change itself.
            let by_clock = self.kind(first) == Some(ReleaseKind::Periodic);
            let link = if group == 0 && !by_clock { Link::Triggered } else { Link::Sampled };
            let separation = match link {
                Link::Triggered => 0,
                _ => path.longest.ok_or(ChainObstacle::Unpaced { task: last })?,
            };
            let task = path.parts.first().map_or(last, |part| part.task);
            let mut response = path.response;
            if link == Link::Triggered {
                // The chain counts from the signal, so the time for which the kernel holds that
                // back is in it.
                let deferral = self.deferral(first)?;
                response = response.checked_add(deferral).ok_or(ChainObstacle::Overflow)?;
                let part = ChainPart {
                    task: first,
                    kind: ChainPartKind::Deferral,
                    time: Duration(deferral),
                };
                parts.extend((deferral > 0).then_some(part));
            } else {
                groups.waits.push(parts.len());
                parts.push(ChainPart {
                    task,
                    kind: ChainPartKind::Wait,
                    time: Duration(separation),
                });
            }
            parts.extend(path.parts);
            // Jitter matters only to readers that never start while their writer is at work.
            // Nothing is known of that here, because jobs may read and write anywhere.
            groups.stages.push(Stage { link, separation, response, jitter: 0 });
            groups.clocks.push(self.arrivals.clock(task));
        }
        let all = chains::reaction_time(&groups.stages).map_err(|_| ChainObstacle::Overflow)?;
        Ok(Duration(groups.followed(all, parts, at_offsets::reaction)))
    }

    fn age(&self, parts: &mut Vec<ChainPart>) -> Result<Duration, ChainObstacle> {
        let (chain, ends) = (self.chain, self.ends());
        let (mut groups, mut kept) = (Groups::default(), 0);
        for (group, &end) in ends.iter().enumerate() {
            let (first, last) = (chain.stages[0].task, chain.stages[end].task);
            // The time before the chain matters only where a task samples its first outputs.
            let path = self.path(last, (ends.len() == 1).then_some(first), 0)?;
            let is_last = group + 1 == ends.len();
            let is_used_again = is_last && self.is_joined(end);
            let separation = match path.longest {
                // No task waits for another output of the last group, but for another signal.
                None if is_last && !is_used_again => 0,
                None => return Err(ChainObstacle::Unpaced { task: last }),
                Some(longest) => longest,
            };
            // The job that others release works with what the chain has brought last, until the
            // chain's next signal takes effect. That is a period of its clock more.
            if is_used_again {
                kept = separation;
            }
            let task = path.parts.first().map_or(last, |part| part.task);
            parts.extend(path.parts);
            // The last group's output is used immediately, unless other tasks signal its task, too.
            if !is_last {
                groups.waits.push(parts.len());
            }
            if !is_last || is_used_again {
                let time = Duration(separation);
                parts.push(ChainPart { task, kind: ChainPartKind::Wait, time });
            }
            groups.stages.push(Stage {
                link: Link::Sampled,
                separation,
                response: path.response,
                jitter: 0,
            });
            groups.clocks.push(self.arrivals.clock(task));
        }
        let all = chains::data_age(&groups.stages).map_err(|_| ChainObstacle::Overflow)?;
        let age = groups.followed(all, parts, at_offsets::age).checked_add(kept);
        age.map(Duration).ok_or(ChainObstacle::Overflow)
    }

    /// Returns `true` if others release a task, too, on the way by events that ends here.
    fn is_joined(&self, end: usize) -> bool {
        let by_event = |stage: &&ChainStage| matches!(stage.link, ChainLink::Event(_));
        let way = self.chain.stages[..=end].iter().rev().take_while(by_event);
        way.filter_map(|stage| self.system.task(stage.task).release_event())
            .any(|event| self.system.emitters(event).nth(1).is_some())
    }

    /// Returns the task by whose signal a task of the chain is released there.
    fn before(&self, task: TaskId) -> Option<TaskId> {
        let stages = self.chain.stages.windows(2);
        let is_stage = |pair: &&[ChainStage]| {
            pair[1].task == task && matches!(pair[1].link, ChainLink::Event(_))
        };
        stages.filter(|pair| is_stage(pair)).map(|pair| pair[0].task).next()
    }

    fn kind(&self, task: TaskId) -> Option<ReleaseKind> {
        self.system.task(task).release.as_ref().map(|release| release.kind)
    }

    /// Returns the longest time that a signal which begins a chain waits until its task may be
    /// released again.
    ///
    /// The task is released, counted from the clock behind its emitter, within all that
    /// [`path`](Self::path) adds up before it, and no signal came before that clock. Where signals
    /// are always as far apart as releases, none waits; nor longer than curves say.
    fn deferral(&self, task: TaskId) -> Result<u64, ChainObstacle> {
        let Some(event) = self.system.task(task).release_event() else { return Ok(0) };
        let emitters = self.emitters(task, event)?;
        let by_curves = self.arrivals.deferral(task);
        // Events from outside are taken to come as far apart as the task's period says, so none
        // waits. Of several emitters only the curves tell how close their signals come.
        let [emitter] = emitters.as_slice() else {
            return match emitters.is_empty() {
                true => Ok(0),
                false => by_curves.ok_or(ChainObstacle::TooOften { task, event }),
            };
        };
        let before = self.path(*emitter, None, 0)?;
        let signals = self.signals(&before, (*emitter, event), task)?;
        let look = self.look(*emitter, task)?;
        let apart = signals.separation.checked_add(before.response);
        let apart = apart.and_then(|apart| apart.checked_add(look));
        let apart = apart.ok_or(ChainObstacle::Overflow)?;
        // Signals that are always a period of the task apart never wait for each other. Otherwise
        // both numbers bound the wait, so the smaller one counts.
        match signals.each == Some(1) && apart <= before.least {
            true => Ok(0),
            false => Ok(by_curves.map_or(signals.released, |most| most.min(signals.released))),
        }
    }

    /// Returns how the signals of an emitter release a task, if the task can follow the signals.
    fn signals(
        &self,
        before: &Path,
        (emitter, event): (TaskId, NotificationId),
        task: TaskId,
    ) -> Result<Signals, ChainObstacle> {
        let Some(release) = self.system.task(task).release.as_ref() else {
            return Err(ChainObstacle::NoResponse { task });
        };
        let separation = release.period.value.ns();
        let most = self
            .system
            .emissions(emitter, event)
            .ok_or(ChainObstacle::NoResponse { task: emitter })?
            .most;
        let alone = self.system.emitters(event).nth(1).is_none();
        let each = match before.releases.filter(|_| alone) {
            Some(releases) => {
                let each = releases.checked_mul(most).ok_or(ChainObstacle::Overflow)?;
                // If more releases are asked for than the kernel lets through, they fall ever
                // further behind.
                if each.checked_mul(separation).is_none_or(|needed| needed > before.least) {
                    return Err(ChainObstacle::TooOften { task, event });
                }
                Some(each)
            }
            None => None,
        };
        let deferral = match each {
            Some(each) => each.saturating_sub(1) * separation,
            None => self.arrivals.deferral(task).ok_or(ChainObstacle::TooOften { task, event })?,
        };
        let deferral = self.look(emitter, task)?.checked_add(deferral);
        let deferral = deferral.ok_or(ChainObstacle::Overflow)?;
        let released = before.response.checked_add(deferral).ok_or(ChainObstacle::Overflow)?;
        // A signal that is still deferred came no longer ago than all this.
        if each.is_some() && released / separation.max(1) + 1 > u64::from(BACKLOG) {
            return Err(ChainObstacle::TooOften { task, event });
        }
        Ok(Signals { each, separation, deferral, released })
    }

    /// The way to a task's output from the clock behind it, or from the arrival of a task on that
    /// way.
    fn path(
        &self,
        task: TaskId,
        from: Option<TaskId>,
        depth: usize,
    ) -> Result<Path, ChainObstacle> {
        let response =
            self.tasks[task.index()].response().ok_or(ChainObstacle::NoResponse { task })?;
        let release =
            self.system.task(task).release.as_ref().ok_or(ChainObstacle::NoResponse { task })?;
        let separation = release.period.value.ns();
        let alone = |longest: Option<u64>| Path {
            longest,
            least: separation,
            releases: Some(1),
            response: response.ns(),
            parts: vec![ChainPart { task, kind: ChainPartKind::Response, time: response }],
            row: Vec::new(),
        };
        // A clock paces the way. What comes from outside has no longest distance, so nothing before
        // the chain counts there.
        let event = match release.kind {
            ReleaseKind::Periodic => {
                let row = vec![Place { task, separation, response: response.ns() }];
                return Ok(Path { row, ..alone(Some(separation)) });
            }
            ReleaseKind::Sporadic => return Ok(alone(None)),
            ReleaseKind::Notification(_) if from == Some(task) => return Ok(alone(None)),
            ReleaseKind::Notification(event) => event,
        };
        let mut emitters = self.emitters(task, event)?;
        // On the chain itself the effect comes over the emitter that the chain names, and no other.
        emitters.retain(|&emitter| self.before(task).is_none_or(|before| before == emitter));
        // Tasks that release each other in a circle would be followed for ever. A way without a
        // known pace is a safe end, because nothing can be bounded by it.
        if emitters.is_empty() || depth == DEEPEST.min(self.tasks.len()) {
            return Ok(alone(None));
        }
        // Whichever brings a job soonest: each does by itself.
        let ways = emitters
            .into_iter()
            .map(|emitter| self.behind(emitter, Released { task, event, response }, (from, depth)));
        let time = |path: &Path| Some(u128::from(path.longest?) + u128::from(path.response));
        // An emitter whose way has no bound does no harm, where another one brings jobs.
        let shorter = |one: Result<Path, ChainObstacle>, other: Result<Path, ChainObstacle>| match (
            &one, &other,
        ) {
            (Ok(first), Ok(second)) if first.longest.is_some() => {
                match time(second).is_some_and(|other| Some(other) < time(first)) {
                    true => other,
                    false => one,
                }
            }
            (Ok(_), Err(_)) => one,
            _ => other,
        };
        ways.reduce(shorter).unwrap_or(Err(ChainObstacle::NoResponse { task }))
    }

    /// The way to the output of a task that an emitter releases.
    fn behind(
        &self,
        emitter: TaskId,
        Released { task, event, response }: Released,
        (from, depth): (Option<TaskId>, usize),
    ) -> Result<Path, ChainObstacle> {
        let signals = self
            .system
            .emissions(emitter, event)
            .ok_or(ChainObstacle::NoResponse { task: emitter })?;
        // If a job may end without the signal, a change may never get any further.
        if signals.least == 0 {
            return Err(ChainObstacle::NotAlways { task: emitter, event });
        }
        let before = self.path(emitter, from, depth + 1)?;
        let Signals { each: releases, separation, deferral, released } =
            self.signals(&before, (emitter, event), task)?;
        let part = |kind, time| ChainPart { task, kind, time };
        let mut parts = before.parts;
        parts.extend((deferral > 0).then(|| part(ChainPartKind::Deferral, Duration(deferral))));
        let mut all = released.checked_add(response.ns()).ok_or(ChainObstacle::Overflow)?;
        let mut row = before.row;
        if releases == Some(1) && !row.is_empty() && self.look(emitter, task)? == 0 {
            row.push(Place { task, separation, response: all });
            // The end lies behind the release, so the part of the response is not negative. The sum
            // of both is a bound as well, so it is never more than that.
            let known = self.rows.response(&row);
            all = known.map_or(all, |known| known.clamp(released, all));
            row.last_mut().into_iter().for_each(|place| place.response = all);
        } else {
            row.clear();
        }
        parts.push(part(ChainPartKind::Response, Duration(all - released)));
        let Path { longest, least, .. } = before;
        Ok(Path { longest, least, releases, response: all, parts, row })
    }

    /// Returns the longest time that a signal waits for the look of a task's core.
    fn look(&self, from: TaskId, task: TaskId) -> Result<u64, ChainObstacle> {
        self.arrivals.look(from, task).ok_or(ChainObstacle::OtherCore { task })
    }

    /// Returns the tasks that signal an event; none: it comes from outside.
    fn emitters(&self, task: TaskId, event: NotificationId) -> Result<Vec<TaskId>, ChainObstacle> {
        let emitters: Vec<TaskId> = self.system.emitters(event).collect();
        // Nobody knows how often a device or the end of a budget signals besides.
        match (emitters.is_empty(), self.system.has_other_source(event)) {
            (true, _) => Ok(emitters),
            (false, true) => Err(ChainObstacle::Joined { task, event }),
            (false, false) => Ok(emitters),
        }
    }
}
