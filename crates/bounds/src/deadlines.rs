//! Busy windows under earliest deadline, and what the demand in them says.
//!
//! Let J be a job with the absolute deadline d. Its window is the longest interval that ends
//! with J's completion and in which always some thread with an *effective* deadline of at
//! most d is ready; t0 is its start, and x = d - t0. A window contains
//!
//! - jobs with deadlines at most d that are released in it: of a task with relative
//!   deadline D, period T and jitter J at most the smaller of ceil((w + J) / T), for those
//!   that come in a window of length w, and floor((x + J - D) / T) + 1, for those that are
//!   due by d;
//! - sections of tasks with D > x, whose jobs at t0 have later deadlines than d and run
//!   only while they are raised: what [`Blocking`](crate::blocking) says of level x;
//! - releases of all tasks, and one kernel path that was in progress at t0.
//!
//! Once an `srp` gate is taken, its holder has the deadline of then + the shortest relative
//! deadline of its users; taken before t0, with a user of D <= x, that is at most d, and the
//! window would have begun there. So at most one such section is in a window, whole, and
//! likewise one of a non-preemptive gate; and one of a gate whose users all have longer
//! deadlines than J counts as well, in windows that begin before J's release: every x from
//! D - J on is looked at.
//!
//! The window's length w(x) is the least that its demand fits into. J was released in it, so
//! it responds within w(x) - (x - D) (Spuri 1996), and every deadline is met if and only if no
//! w(x) is longer than x: that is the test of the processor demand (Baruah, Rosier, Howell
//! 1990; with blocking Baker 1991, Baruah 2006). Only where one of the counts of jobs that are
//! due steps up can the response be longest, so only such x are looked at.
//!
//! Jobs that wait for events count as if they executed while they wait: then in a window always
//! some *unfinished* job has a deadline of at most d (for plain task sets known as
//! suspension-oblivious analysis; Liu 2000). While all of these wait, others run, and may enter
//! gates: after each wait sections count once more, of all tasks since any of them can have come
//! meanwhile that is due later than J, and one kernel path. Long waits are no execution: module
//! `deadlines_apart` has the windows in which they are none.
//!
//! A deadline may count from a job's nominal arrival or from its release: jitter is added to
//! the response, and jobs count as if the earlier of both held.

use std::collections::BTreeSet;

use fusee_analysis::fixed_priority::window::least_window;
use fusee_model::TaskId;

use crate::context::Context;
use crate::level::Level;
use crate::levels::relative;
use crate::member::Member;
use crate::obstacle::Obstacle;
use crate::split::Split;
use crate::supposed::{Ending, Supposed};

/// The windows of one core.
pub(crate) struct Deadlines {
    /// From the shortest relative deadlines on.
    classes: Vec<Class>,
}

/// Windows from whose start to the deadline in question it takes at least `begin`, and less than
/// `end`.
pub(crate) struct Class {
    pub(crate) level: Level,
    begin: u64,
    end: Option<u64>,
    /// The relative deadline of each member; none: all that come count, whenever they are due.
    deadlines: Vec<Option<u64>>,
    /// The release jitter of each member's own jobs, in nanoseconds.
    own_jitters: Vec<u64>,
    /// The time that the window's own job takes in it besides, in nanoseconds.
    added: u64,
}

/// A window in which a task responds latest.
pub(crate) struct Latest<'d> {
    pub(crate) level: &'d Level,
    /// From nominal arrival to completion.
    pub(crate) response: u64,
    /// From the window's start to the completion.
    pub(crate) window: u64,
    /// The number of jobs of each member in it.
    pub(crate) jobs: Vec<u64>,
}

/// The number of windows of one core that are looked at, times the square of its tasks.
const MOST_WORK: u64 = 40_000_000;

impl Deadlines {
    /// Collects all classes of windows.
    ///
    /// # Errors
    /// The first reason why there is no bound on this core.
    pub(crate) fn of(
        context: &Context<'_>,
        core: u32,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let ending: &Ending = supposed.ending;
        let mut classes = Vec::new();
        for (level, begin, end) in context.levels.ranges() {
            let has_deadline = |task: &TaskId| relative(context.system.task(*task)).is_some();
            let cut = |task: &TaskId| {
                // A job that is cut goes on with its old deadline, and so may code that is not
                // trusted. Both can be due before all others, so they are in the windows of each
                // class.
                (ending[task.index()].is_some() || context.untrusted[task.index()])
                    && context.suspending_budget(*task).is_some()
            };
            let all = || context.on_core(core).filter(has_deadline);
            let members =
                all().filter(|task| context.levels.highest(*task) >= level || cut(task)).collect();
            let below = context.on_core(core).filter(|&task| context.base(task) < level).collect();
            let split = Split::whole((core, level), members, below);
            let level = Level::between(context, &split, supposed)?.with_waits(context, supposed)?;
            classes.push(Class::of(context, level, (begin, end)));
        }
        Ok(Self::from(classes))
    }

    /// These classes, in order.
    pub(crate) fn from(mut classes: Vec<Class>) -> Self {
        classes.retain(|class| !class.level.members.is_empty());
        Self { classes }
    }

    /// Windows in which these tasks are served by deadline, and all other members before them.
    pub(crate) fn among(context: &Context<'_>, level: Level, tasks: &[TaskId]) -> Self {
        let deadlines = level.members.iter().map(|member| {
            let own = relative(context.system.task(member.task));
            // Whoever is outside of the tree counts before all of it, whenever its jobs are due.
            own.filter(|_| tasks.contains(&member.task))
        });
        let deadlines = deadlines.collect();
        let own_jitters = jitters(&level);
        let class = Class { level, begin: 0, end: None, deadlines, own_jitters, added: 0 };
        Self { classes: vec![class] }
    }

    /// Returns the window in which each task responds latest. Each that others count with more than
    /// its word has windows of its own, in which it is taken at that.
    ///
    /// # Errors
    /// The members need more than there is, or no end of the windows is in sight.
    pub(crate) fn latest(&self, tasks: &[TaskId]) -> Result<Vec<Option<Latest<'_>>>, Obstacle> {
        let mut latest: Vec<Option<Latest<'_>>> = tasks.iter().map(|_| None).collect();
        let members = self.classes.iter().flat_map(|class| &class.level.members);
        let alone: BTreeSet<TaskId> =
            members.filter(|one| one.beyond > 0 || one.old_jobs).map(|one| one.task).collect();
        let (apart, together): (Vec<usize>, Vec<usize>) =
            (0..tasks.len()).partition(|&at| alone.contains(&tasks[at]));
        self.search((tasks, &together), None, &mut latest)?;
        for at in apart {
            self.search((tasks, &[at]), Some(tasks[at]), &mut latest)?;
        }
        Ok(latest)
    }

    /// Looks at all windows for some of the tasks, by their places, where one is taken at its word.
    fn search<'d>(
        &'d self,
        (tasks, places): (&[TaskId], &[usize]),
        own: Option<TaskId>,
        latest: &mut [Option<Latest<'d>>],
    ) -> Result<(), Obstacle> {
        let members =
            self.classes.iter().map(|class| class.level.members.len() as u64).max().unwrap_or(1);
        if places.is_empty() {
            return Ok(());
        }
        // What a window costs grows with the square of its members, so larger cores have fewer of
        // them.
        let mut left = (MOST_WORK / (members * members).max(1)).max(100);
        for class in &self.classes {
            let own = own.and_then(|own| class.level.position(own));
            // The windows without an end of their class have all members. If these fit, those of
            // the other classes end as well.
            if class.end.is_none() && class.level.is_overloaded(own) {
                return Err(Obstacle::Overload);
            }
        }
        for class in &self.classes {
            let own = own.and_then(|own| class.level.position(own));
            let of_class = Search { class, own };
            of_class.run((tasks, places), &mut left, latest).ok_or(Obstacle::NoEnd)?;
        }
        Ok(())
    }
}

/// A class of windows in which one member may be taken at its word.
struct Search<'d> {
    class: &'d Class,
    own: Option<usize>,
}

impl<'d> Search<'d> {
    /// Looks at all windows of the class; `None`: too many, or too long.
    fn run(
        &self,
        (tasks, places): (&[TaskId], &[usize]),
        left: &mut u64,
        latest: &mut [Option<Latest<'d>>],
    ) -> Option<()> {
        let class = self.class;
        let places: Vec<(usize, usize)> =
            places.iter().filter_map(|&at| Some((at, class.level.position(tasks[at])?))).collect();
        // All jobs that come count here, due or not, because this length only says how far to look.
        let longest = self.window(1, |window| self.arrivals(window))?;
        // No job of a window is released behind its end.
        let last = class.deadlines.iter().flatten().max().unwrap_or(&0);
        let last = last.checked_add(longest)?;
        let last = class.end.map_or(last, |end| last.min(end.saturating_sub(1)));
        let (mut time, mut window) = (class.begin, 1);
        while time <= last {
            *left = left.checked_sub(1)?;
            // A later deadline has no fewer jobs before it, so the window before is a start from
            // below.
            window = self.window(window, |window| self.jobs(time, window))?;
            for &(at, member) in &places {
                if let Some(response) = class.response(member, time, window)
                    && latest[at].as_ref().is_none_or(|known| known.response < response)
                {
                    let level = &class.level;
                    let jobs = self.jobs(time, level.reach(window)?)?;
                    latest[at] = Some(Latest { level, response, window, jobs });
                }
            }
            // Between two steps of these counts the window stays the same, and a later deadline
            // only makes the response shorter.
            let Some(next) = class.next(time) else { break };
            time = next;
        }
        Some(())
    }

    /// Returns the least window that holds all it contains, without the tick that closes it.
    fn window(&self, from: u64, jobs: impl Fn(u64) -> Option<Vec<u64>>) -> Option<u64> {
        let level = &self.class.level;
        let reach = |window: u64| level.reach(window.max(1));
        let demand = |window: u64| {
            let load = level.load(self.own, &jobs(window.max(1))?, window.max(1))?;
            level.supplied(load.checked_add(self.class.added)?.max(1))
        };
        let closed = least_window(reach(from)?, u64::MAX, demand)?;
        Some(closed - (reach(1)? - 1))
    }

    /// Jobs of each member that come in an open window.
    fn arrivals(&self, window: u64) -> Option<Vec<u64>> {
        let members = self.class.level.members.iter().enumerate();
        let come = members.map(|(at, member)| match self.own == Some(at) {
            true => member.arrivals.within(window),
            false => member.to_others()?.within(window),
        });
        come.collect()
    }

    /// Jobs of each member that come in an open window, without those that are due later than
    /// `time` after the window's start.
    fn jobs(&self, time: u64, window: u64) -> Option<Vec<u64>> {
        let all = self.class.level.members.iter().zip(&self.class.deadlines);
        let members = all.zip(self.arrivals(window)?).enumerate();
        let jobs = members.map(|(at, ((member, &deadline), come))| {
            // A job counts only if it comes before the window's end and is due by the deadline in
            // question.
            let old = member.old_jobs && self.own != Some(at);
            let Some(deadline) = deadline.filter(|_| !old) else { return Some(come) };
            Some(come.min(due(member, deadline, time)?))
        });
        jobs.collect()
    }
}

/// Returns the release jitter of each member, in nanoseconds.
fn jitters(level: &Level) -> Vec<u64> {
    level.members.iter().map(|member| member.arrivals.jitter).collect()
}

impl Class {
    /// Those of a level, in which its members' jobs are due by their deadlines.
    pub(crate) fn of(
        context: &Context<'_>,
        level: Level,
        (begin, end): (u64, Option<u64>),
    ) -> Self {
        let own = |member: &Member| {
            let deadline = relative(context.system.task(member.task));
            deadline.filter(|_| !member.cut)
        };
        let deadlines = level.members.iter().map(own).collect();
        let own_jitters = jitters(&level);
        Self { level, begin, end, deadlines, own_jitters, added: 0 }
    }

    /// Those of one member, whose job is no later released than its own jitter, and takes so much
    /// of the window besides.
    pub(crate) fn with_own(mut self, (own, jitter): (TaskId, u64), added: u64) -> Self {
        if let Some(at) = self.level.position(own) {
            self.own_jitters[at] = jitter;
        }
        Self { added, ..self }
    }

    /// Returns the longest time from its nominal arrival to its end of the last job of a member
    /// that is due by then, if one is in a window of that length.
    fn response(&self, member: usize, time: u64, window: u64) -> Option<u64> {
        let (deadline, jitter) = (self.deadlines[member]?, self.own_jitters[member]);
        // A job may have arrived before the window and be released in it, by its jitter at most.
        let released = time.saturating_sub(deadline);
        let is_inside = time.checked_add(jitter)? >= deadline && released < window;
        if !is_inside {
            return None;
        }
        (window - released).checked_add(jitter)
    }

    /// Returns the next time at which one more job is due.
    fn next(&self, time: u64) -> Option<u64> {
        let members = self.level.members.iter().zip(&self.deadlines);
        let next = members.filter_map(|(member, &deadline)| {
            let deadline = deadline?;
            let jobs = due(member, deadline, time)?;
            let nominal = jobs.checked_mul(member.arrivals.period)?.checked_add(deadline)?;
            Some(nominal.saturating_sub(member.arrivals.jitter))
        });
        // Where a deadline is shorter than the jitter, the first jobs are due before the window.
        let steps = next
            .filter(|&next| next > time)
            .chain(self.deadlines.iter().flatten().copied().filter(|&own| own > time));
        steps.min()
    }
}

/// Jobs of a member that are due by `time` after the window's start; `None`: it does not fit.
fn due(member: &Member, deadline: u64, time: u64) -> Option<u64> {
    let late = time.checked_add(member.arrivals.jitter)?;
    Some(late.checked_sub(deadline).map_or(0, |after| after / member.arrivals.period + 1))
}
