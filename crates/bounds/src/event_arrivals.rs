//! The arrivals of jobs that events release: as their emitters signal.
//!
//! Let N(t, w) be the most jobs of t that arrive in a window of length w. A clock brings
//! ceil(w / T). The signals of a job of e come between its arrival and R(e) later, and the kernel,
//! which keeps releases p apart, defers each by D at most: so of a task that events release no more
//! jobs come than the sum over its emitters of m N(e, w + R(e) + D), nor than ceil(w / p) (arrivals
//! propagated along events, Tindell and Clark 1994; Richter 2005; with several emitters their
//! curves add up).
//!
//! What a task of another core signals counts with what its kernel lets through instead, whatever
//! its code does (module `signals`).
//!
//! *Deferral.* A(d) signals come at most in a closed window of length d, with d + R(e) for the jobs
//! that send them. The kernel releases by signal n at the latest at s(k) + (n - k) p, for the
//! earliest k from which on releases have not been without a wait; so D is the largest of
//! p (A(d) - 1) - d, where d goes up to the first p A(d) <= d (a greedy shaper, Le Boudec and
//! Thiran 2001). Where that does not come, and the signals are as many as releases on average,
//! floor(x) <= x gives D <= sum over emitters of p m (1 + R(e) / T(e)), less p. Of one emitter the
//! signals of a job wait, counted from its arrival, p (m - 1) at most, as long as m p <= T (module
//! `chains`).

use fusee_model::{BACKLOG, NotificationId, PostLimit, ReleaseKind, System, TaskId};

use crate::clock::Clock;
use crate::levels::relative;
use crate::obstacle::Obstacle;

/// So many events are followed that release each other, and no further where more tasks than a few
/// signal one: what is not followed counts with its period.
const DEEPEST: usize = 6;
const FEW: usize = 2;

/// Steps of a curve that are looked at.
const MOST_STEPS: u32 = 64;

/// A whole core, or a job in each tick.
const WHOLE: u128 = 1 << 32;

/// The most jobs of a task that arrive in a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Curve {
    /// The least distance of arrivals.
    period: u64,
    /// The offset of the clock that they follow, if it is known.
    offset: Option<u64>,
    /// The tasks that signal; empty: none, or it is not known how often.
    sources: Vec<Source>,
}

/// Jobs that signal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Source {
    /// Signals of each, at most.
    times: u64,
    /// The longest time from a job's arrival to the effect of its last signal.
    later: u64,
    jobs: Curve,
}

impl Source {
    fn within(&self, window: u64) -> Option<u64> {
        // A signal in the window is of a job that came in it, or up to `later` before it.
        self.jobs.within(window.checked_add(self.later)?).checked_mul(self.times)
    }
}

impl Curve {
    /// Returns the most in a half-open window.
    pub(crate) fn within(&self, window: u64) -> u64 {
        // The kernel keeps releases a period apart whoever signals, so that bound holds beside the
        // signals.
        let own = window.div_ceil(self.period);
        match self.sources.is_empty() {
            true => own,
            false => sum(&self.sources, window).map_or(own, |signals| own.min(signals)),
        }
    }

    /// Returns the most in a half-open window that begins at a known time.
    pub(crate) fn within_from(&self, start: i128, window: u64) -> u64 {
        let own = match self.offset {
            Some(offset) => Clock { offset, period: self.period }.within(start, window),
            None => window.div_ceil(self.period),
        };
        match self.sources.is_empty() {
            true => own,
            false => sum_from(&self.sources, start, window).map_or(own, |signals| own.min(signals)),
        }
    }

    /// Adds the clocks that bring jobs, each with the longest time from its tick to the job.
    pub(crate) fn clocks(&self, later: u64, found: &mut Vec<(Clock, u64)>) {
        if let Some(offset) = self.offset {
            found.push((Clock { offset, period: self.period }, later));
        }
        for source in &self.sources {
            source.jobs.clocks(later.saturating_add(source.later), found);
        }
    }

    /// Returns the clock of which each tick brings one job at most, if there is one.
    pub(crate) fn clock(&self) -> Option<(Clock, u64)> {
        let (mut curve, mut later) = (self, 0_u64);
        // With several sources, or several signals, one tick could bring more than one job.
        while let [Source { times: 1, later: more, jobs }] = curve.sources.as_slice() {
            (curve, later) = (jobs, later.checked_add(*more)?);
        }
        let offset = curve.offset.filter(|_| curve.sources.is_empty())?;
        Some((Clock { offset, period: curve.period }, later))
    }

    /// Returns the share of a core that jobs need of which each takes so long, rounded down.
    pub(crate) fn share(&self, total: u128) -> u128 {
        let own = total.saturating_mul(WHOLE) / u128::from(self.period);
        let each = |source: &Source| source.jobs.share(total.saturating_mul(source.times.into()));
        match self.sources.is_empty() {
            true => own,
            false => own.min(self.sources.iter().map(each).fold(0, u128::saturating_add)),
        }
    }
}

fn sum_from(sources: &[Source], start: i128, window: u64) -> Option<u64> {
    sources.iter().try_fold(0_u64, |sum, source| {
        let (start, window) = (start - i128::from(source.later), window.checked_add(source.later)?);
        sum.checked_add(source.jobs.within_from(start, window).checked_mul(source.times)?)
    })
}

fn sum(sources: &[Source], window: u64) -> Option<u64> {
    sources.iter().try_fold(0_u64, |sum, source| sum.checked_add(source.within(window)?))
}

/// Jobs of a system whose responses are supposed.
#[derive(Clone, Copy)]
pub(crate) struct EventArrivals<'a> {
    system: &'a System,
    /// `true` for each task that may run code that is not trusted.
    untrusted: &'a [bool],
    /// `true` if periodic tasks come at their offsets.
    at_offsets: bool,
    /// The time that the signals of other cores wait for each core's look; `None`: it is not known.
    looks: &'a [Option<u64>],
    responses: &'a [Result<u64, Obstacle>],
}

impl<'a> EventArrivals<'a> {
    pub(crate) fn of(
        (system, untrusted, at_offsets): (&'a System, &'a [bool], bool),
        looks: &'a [Option<u64>],
        responses: &'a [Result<u64, Obstacle>],
    ) -> Self {
        Self { system, untrusted, at_offsets, looks, responses }
    }

    pub(crate) fn system(&self) -> &'a System {
        self.system
    }

    /// Returns the clock of a periodic task, if its offset is known.
    pub(crate) fn clock(&self, task: TaskId) -> Option<Clock> {
        Clock::of(self.system, task).filter(|_| self.at_offsets)
    }

    /// Returns the longest time from the nominal arrival of a task's job to its end.
    ///
    /// # Errors
    /// Why nobody knows.
    pub(crate) fn response(&self, task: TaskId) -> Result<u64, Obstacle> {
        self.responses.get(task.index()).copied().unwrap_or(Err(Obstacle::NoEnd))
    }

    /// Returns the time that a signal of one task waits until another one's core has seen it;
    /// `None`: it is not known, or the signal may be refused there.
    pub(crate) fn look(&self, from: TaskId, to: TaskId) -> Option<u64> {
        let core = |task: TaskId| self.system.task(task).core;
        if core(from) == core(to) {
            return Some(0);
        }
        // The limit of signals to another core follows from jobs that are over in time.
        let described = self.system.task(from);
        if described.release.is_some() {
            let deadline = relative(described)?;
            self.response(from).ok().filter(|&response| response <= deadline)?;
        }
        self.looks.get(core(to) as usize).copied().flatten()
    }

    /// Returns the arrivals of a task's jobs that an event releases; `None`: nothing is known but
    /// its period.
    pub(crate) fn of_task(&self, task: TaskId) -> Option<Curve> {
        self.system.task(task).release_event()?;
        Some(self.curve(task, DEEPEST)).filter(|curve| !curve.sources.is_empty())
    }

    /// Returns the time by which the kernel defers a signal that releases a task; `None`: signals
    /// may be lost, or it is not known how often they come.
    pub(crate) fn deferral(&self, task: TaskId) -> Option<u64> {
        let (event, period) = self.released(task)?;
        let signals = self.signals(task, event, DEEPEST)?;
        let most = deferral(&signals, period)?;
        // One more release waits for each period. Beyond what the kernel keeps some are lost, and
        // then no signal may be taken to have an effect.
        (most / period < u64::from(BACKLOG)).then_some(most)
    }

    fn released(&self, task: TaskId) -> Option<(NotificationId, u64)> {
        let release = self.system.task(task).release.as_ref()?;
        let ReleaseKind::Notification(event) = release.kind else { return None };
        Some((event, release.period.value.ns().max(1)))
    }

    fn curve(&self, task: TaskId, depth: usize) -> Curve {
        let release = self.system.task(task).release.as_ref();
        let period = release.map_or(u64::MAX, |release| release.period.value.ns().max(1));
        let sources = self.sources(task, depth).unwrap_or_default();
        let offset = self.clock(task).map(|clock| clock.offset);
        Curve { period, offset, sources }
    }

    fn sources(&self, task: TaskId, depth: usize) -> Option<Vec<Source>> {
        let (event, period) = self.released(task)?;
        // The number of signals of code that is not trusted is not known: no more than a period
        // allows.
        if self.system.emitters(event).any(|emitter| self.untrusted[emitter.index()]) {
            return None;
        }
        let mut signals = self.let_through(task, event, depth)?;
        let mut deferred = deferral(&signals, period)?;
        if let [one] = signals.as_slice() {
            let all = one.times.checked_mul(period);
            // Signals of one emitter that fit its period wait only for others of the same job. In
            // `later` the response of that job counts already, so no more than these is added
            // (module `chains`).
            if all.is_some_and(|all| all <= one.jobs.period) {
                deferred = deferred.min((one.times - 1) * period);
            }
        }
        for source in &mut signals {
            source.later = source.later.checked_add(deferred)?;
        }
        Some(signals)
    }

    /// The signals of an event that get to a task which it releases, whatever tasks of other cores
    /// do.
    fn let_through(&self, to: TaskId, event: NotificationId, depth: usize) -> Option<Vec<Source>> {
        let core = self.system.task(to).core;
        let is_local = |emitter: TaskId| self.system.task(emitter).core == core;
        let all = self.signals(to, event, depth)?;
        let emitters = self.system.emitters(event);
        let local = all.into_iter().zip(emitters).filter(|&(_, emitter)| is_local(emitter));
        let mut found: Vec<Source> = local.map(|(source, _)| source).collect();
        // What the code on other cores is said to do is replaced by what their kernels let through,
        // since nothing else is certain of it.
        let others = self.system.task_ids().map(|(id, _)| id).filter(|&id| !is_local(id));
        for emitter in others.filter(|&id| self.system.posted_by(id).contains(&event)) {
            let limit = self.system.post_limit(emitter, event);
            let (period, ahead) = match limit {
                PostLimit::Rate { period, ahead, .. } => (period, ahead),
                // A thread with one job sends its signals once, however long the window is.
                _ => (u64::MAX, 0),
            };
            let later = ahead.checked_add(self.look(emitter, to)?)?;
            let jobs = Curve { period, offset: None, sources: Vec::new() };
            found.push(Source { times: limit.signals()?.into(), later, jobs });
        }
        Some(found)
    }

    /// The signals of an event, each as late as its job is.
    fn signals(&self, task: TaskId, event: NotificationId, depth: usize) -> Option<Vec<Source>> {
        let depth = depth.checked_sub(1)?;
        let emitters: Vec<TaskId> = self.system.emitters(event).collect();
        if self.system.has_other_source(event) || emitters.is_empty() {
            return None;
        }
        // Each emitter opens further ways, so their number grows fast. What is not followed counts
        // with its period, which is safe.
        let depth = if emitters.len() > FEW { 0 } else { depth };
        let source = |emitter: TaskId| {
            let times = self.system.emissions(emitter, event)?.most;
            let later = match self.system.task(emitter).release {
                Some(_) => self.response(emitter).ok()?,
                // One job, whenever it is over.
                None => 0,
            };
            let later = later.checked_add(self.look(emitter, task)?)?;
            Some(Source { times, later, jobs: self.curve(emitter, depth) })
        };
        emitters.into_iter().map(source).collect()
    }
}

/// Returns the longest wait of a signal until releases have been so far apart.
fn deferral(signals: &[Source], period: u64) -> Option<u64> {
    exact_deferral(signals, period).or_else(|| long_term_deferral(signals, period))
}

/// Returns the deferral in closed windows, step by step up to the first after which nothing waits.
fn exact_deferral(signals: &[Source], period: u64) -> Option<u64> {
    // A closed window holds what a half-open one holds that is a tick longer.
    let count = |time: u64| sum(signals, time.checked_add(1)?);
    let (mut most, mut time) = (0, 0_u64);
    for _ in 0..MOST_STEPS {
        let come = count(time)?;
        let end = come.checked_mul(period)?;
        most = most.max(end.saturating_sub(period).saturating_sub(time));
        // All that have come are released before any other comes. What comes later finds nothing
        // before it, so it waits no longer than what has been looked at.
        if end <= time || count(end)? == come {
            return Some(most);
        }
        // The first time at which more come.
        let (mut before, mut after) = (time, end);
        while after - before > 1 {
            let middle = before + (after - before) / 2;
            // The number never falls with time, so its next step is found by halving.
            match count(middle)? > come {
                true => after = middle,
                false => before = middle,
            }
        }
        time = after;
    }
    None
}

/// Returns the deferral if signals come for ever as often as they may.
fn long_term_deferral(signals: &[Source], period: u64) -> Option<u64> {
    let (mut load, mut most) = (0_u128, 0_u128);
    for Source { times, later, jobs } in signals {
        let each = u128::from(period).checked_mul(u128::from(*times))?;
        let apart = u128::from(jobs.period);
        // Rounded up, so that a load above the whole never passes as one that fits.
        load = load.checked_add(each.checked_mul(WHOLE)?.div_ceil(apart))?;
        let with_jobs = each.checked_mul(apart.checked_add(u128::from(*later))?)?;
        most = most.checked_add(with_jobs.div_ceil(apart))?;
    }
    let most = most.saturating_sub(u128::from(period));
    (load <= WHOLE).then_some(most).and_then(|most| u64::try_from(most).ok())
}
