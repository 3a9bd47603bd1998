//! Chains from end to end, over the computed response times.
//!
//! A task that an event releases responds within the sum of the responses on the way from
//! the clock behind it. Let e be a signal of the job of its emitter that arrived at a, so
//! that e <= a + R; let arrivals of the emitter be T apart at least, and let the kernel keep
//! releases p apart. Signal n releases at the latest of e(k) + (n - k) p over all k up to n, and
//! if each job signals once, e(k) + (n - k) p <= a(k) + R + (n - k) p <= a(n) + R as long as p <=
//! T. So deferring what comes too close delays nothing beyond R, from the clock on ("greedy shapers
//! come for free", Le Boudec and Thiran 2001). With at most m signals a job and m p <= T the last
//! of them waits (m - 1) p more. By that, jobs released by one clock form a group with one arrival,
//! and groups are linked by what they sample: the sums are those of `fusee_analysis::chains`, with
//! reading and writing anywhere in a job.

use fusee_analysis::chains::{self, Link, Stage};
use fusee_model::{
    BACKLOG, Chain, ChainLink, Duration, NotificationId, ReleaseKind, System, TaskId,
};

use crate::bound::TaskBound;
use crate::chain_bound::{ChainBound, ChainObstacle, ChainPart, ChainPartKind};

/// The bounds of all chains of a system.
pub(crate) fn bounds(system: &System, tasks: &[TaskBound]) -> Vec<ChainBound> {
    let paths = Paths { system, tasks };
    system.chains.iter().map(|chain| paths.chain(chain)).collect()
}

/// The way from an arrival to a task's output.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    /// Longest time between two arrivals; `None`: nobody knows.
    longest: Option<u64>,
    /// Least such time.
    least: u64,
    /// Releases for each arrival, at most.
    releases: u64,
    /// From an arrival to the output of the last of them.
    response: u64,
    /// What that consists of.
    parts: Vec<ChainPart>,
}

/// Signals that release a task.
struct Signals {
    /// At most so many for each arrival of the clock behind them.
    each: u64,
    /// What releases are apart at least.
    separation: u64,
    /// How long the last signal of an arrival waits for those before it.
    deferral: u64,
    /// From an arrival to the release by the last of its signals.
    released: u64,
}

struct Paths<'a> {
    system: &'a System,
    tasks: &'a [TaskBound],
}

impl Paths<'_> {
    fn chain(&self, chain: &Chain) -> ChainBound {
        let (within, age_limit) =
            (chain.within.map(|limit| limit.value), chain.age.map(|limit| limit.value));
        let mut parts = Vec::new();
        let reaction = self.reaction(chain, &mut parts);
        if reaction.is_err() {
            parts.clear();
        }
        ChainBound { reaction, age: self.age(chain), within, age_limit, parts }
    }

    /// The positions of the stages that end a group.
    fn ends(chain: &Chain) -> Vec<usize> {
        let sampled = |at: &usize| {
            chain.stages.get(at + 1).is_none_or(|next| !matches!(next.link, ChainLink::Event(_)))
        };
        (0..chain.stages.len()).filter(sampled).collect()
    }

    fn reaction(
        &self,
        chain: &Chain,
        parts: &mut Vec<ChainPart>,
    ) -> Result<Duration, ChainObstacle> {
        let mut stages = Vec::new();
        for (group, &end) in Self::ends(chain).iter().enumerate() {
            let (first, last) = (chain.stages[0].task, chain.stages[end].task);
            let path = self.path(last, (group == 0).then_some(first), 0)?;
            let by_clock = self.kind(first) == Some(ReleaseKind::Periodic);
            let link = if group == 0 && !by_clock { Link::Triggered } else { Link::Sampled };
            let separation = match link {
                Link::Triggered => 0,
                _ => path.longest.ok_or(ChainObstacle::Unpaced { task: last })?,
            };
            let mut response = path.response;
            if link == Link::Triggered {
                let deferral = self.deferral(first)?;
                response = response.checked_add(deferral).ok_or(ChainObstacle::Overflow)?;
                let part = ChainPart {
                    task: first,
                    kind: ChainPartKind::Deferral,
                    time: Duration(deferral),
                };
                parts.extend((deferral > 0).then_some(part));
            } else {
                let task = path.parts.first().map_or(last, |part| part.task);
                parts.push(ChainPart {
                    task,
                    kind: ChainPartKind::Wait,
                    time: Duration(separation),
                });
            }
            parts.extend(path.parts);
            stages.push(Stage { link, separation, response, jitter: 0 });
        }
        chains::reaction_time(&stages).map(Duration).map_err(|_| ChainObstacle::Overflow)
    }

    fn age(&self, chain: &Chain) -> Result<Duration, ChainObstacle> {
        let ends = Self::ends(chain);
        let mut stages = Vec::new();
        for (group, &end) in ends.iter().enumerate() {
            let (first, last) = (chain.stages[0].task, chain.stages[end].task);
            // What comes before the chain matters only where somebody samples its first outputs.
            let path = self.path(last, (ends.len() == 1).then_some(first), 0)?;
            let separation = match path.longest {
                // Nobody waits for another output of the last group.
                None if group + 1 == ends.len() => 0,
                None => return Err(ChainObstacle::Unpaced { task: last }),
                Some(longest) => longest,
            };
            stages.push(Stage {
                link: Link::Sampled,
                separation,
                response: path.response,
                jitter: 0,
            });
        }
        chains::data_age(&stages).map(Duration).map_err(|_| ChainObstacle::Overflow)
    }

    fn kind(&self, task: TaskId) -> Option<ReleaseKind> {
        self.system.task(task).release.as_ref().map(|release| release.kind)
    }

    /// How long a signal that begins a chain may wait until its task may be released again.
    ///
    /// The task is released, counted from the clock behind its emitter, within all that
    /// [`path`](Self::path) adds up before it, and no signal came before that clock. Where signals
    /// are always as far apart as releases, none waits.
    fn deferral(&self, task: TaskId) -> Result<u64, ChainObstacle> {
        let Some(event) = self.system.task(task).release_event() else { return Ok(0) };
        let Some(emitter) = self.emitter(task, event)? else { return Ok(0) };
        let before = self.path(emitter, None, 0)?;
        let signals = self.signals(&before, emitter, task)?;
        let apart =
            signals.separation.checked_add(before.response).ok_or(ChainObstacle::Overflow)?;
        match signals.each == 1 && apart <= before.least {
            true => Ok(0),
            false => Ok(signals.released),
        }
    }

    /// How the signals of an emitter release a task, if the task can follow them.
    fn signals(
        &self,
        before: &Path,
        emitter: TaskId,
        task: TaskId,
    ) -> Result<Signals, ChainObstacle> {
        let Some(release) = self.system.task(task).release.as_ref() else {
            return Err(ChainObstacle::NoResponse { task });
        };
        let ReleaseKind::Notification(event) = release.kind else {
            return Err(ChainObstacle::Unpaced { task });
        };
        let separation = release.period.value.ns();
        let most = self
            .system
            .emissions(emitter, event)
            .ok_or(ChainObstacle::NoResponse { task: emitter })?
            .most;
        let each = before.releases.checked_mul(most).ok_or(ChainObstacle::Overflow)?;
        if each.checked_mul(separation).is_none_or(|needed| needed > before.least) {
            return Err(ChainObstacle::TooOften { task, event });
        }
        let deferral = each.saturating_sub(1) * separation;
        let released = before.response.checked_add(deferral).ok_or(ChainObstacle::Overflow)?;
        // A signal that is still deferred came no longer ago than all this.
        if released / separation.max(1) + 1 > u64::from(BACKLOG) {
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
        let part = |kind, time| ChainPart { task, kind, time };
        let alone = |longest: Option<u64>| Path {
            longest,
            least: separation,
            releases: 1,
            response: response.ns(),
            parts: vec![part(ChainPartKind::Response, response)],
        };
        let event = match release.kind {
            ReleaseKind::Periodic => return Ok(alone(Some(separation))),
            ReleaseKind::Sporadic => return Ok(alone(None)),
            ReleaseKind::Notification(_) if from == Some(task) => return Ok(alone(None)),
            ReleaseKind::Notification(event) => event,
        };
        let Some(emitter) = self.emitter(task, event)?.filter(|_| depth < self.tasks.len()) else {
            return Ok(alone(None));
        };
        let signals = self
            .system
            .emissions(emitter, event)
            .ok_or(ChainObstacle::NoResponse { task: emitter })?;
        if signals.least == 0 {
            return Err(ChainObstacle::NotAlways { task: emitter, event });
        }
        let before = self.path(emitter, from, depth + 1)?;
        let Signals { each: releases, deferral, released, .. } =
            self.signals(&before, emitter, task)?;
        let mut parts = before.parts;
        parts.extend((deferral > 0).then(|| part(ChainPartKind::Deferral, Duration(deferral))));
        parts.push(part(ChainPartKind::Response, response));
        let response = released.checked_add(response.ns()).ok_or(ChainObstacle::Overflow)?;
        Ok(Path { longest: before.longest, least: before.least, releases, response, parts })
    }

    /// The one task that signals an event; `None`: it comes from outside.
    fn emitter(
        &self,
        task: TaskId,
        event: NotificationId,
    ) -> Result<Option<TaskId>, ChainObstacle> {
        let mut emitters = self.system.emitters(event);
        match (emitters.next(), emitters.next(), self.system.has_other_source(event)) {
            (None, _, _) => Ok(None),
            (Some(emitter), None, false) => {
                match self.system.task(emitter).core == self.system.task(task).core {
                    true => Ok(Some(emitter)),
                    false => Err(ChainObstacle::OtherCore { task }),
                }
            }
            _ => Err(ChainObstacle::Joined { task, event }),
        }
    }
}
