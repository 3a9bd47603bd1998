//! When a task's jobs arrive, and how late they are released.
//!
//! A job's *nominal* arrival is what its deadline and its response time count
//! from; its release comes up to the jitter later. Densest arrivals, the worst
//! case for everyone below, delay the first job by the whole jitter and no other.

use crate::{Options, Releases};
use fusee_generate::Random;
use fusee_kernel::{NEVER, Release};
use fusee_model::{NotificationId, ReleaseKind, Step, System, Task};
use std::collections::BTreeSet;

/// A job to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// The instant from which deadline and response time count.
    pub(crate) nominal: u64,
    /// When the kernel learns of it.
    pub(crate) release: u64,
}

/// A task's jobs, one after the other. Times stop at the end of 64 bits.
#[derive(Debug, Clone)]
pub(crate) struct Arrivals {
    nominal: u64,
    release: u64,
    period: u64,
    jitter: u64,
    pattern: Pattern,
    random: Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    /// One job at 0, by the kernel.
    Once,
    /// None from here: a thread of the system signals them.
    Signalled,
    /// The first late, all others on time and a period apart.
    Dense,
    /// A period apart, lateness drawn.
    Jittered,
    /// At least a period apart, gaps and lateness drawn.
    Sparse,
}

impl Arrivals {
    /// Returns the jobs of all tasks of a system.
    pub(crate) fn of(system: &System, options: &Options) -> Vec<Arrivals> {
        let jitters =
            system.tasks.iter().filter_map(|t| t.release.as_ref()).map(|r| r.jitter.value.ns());
        let common = jitters.max().unwrap_or(0);
        let emitted = emitted(system);
        let tasks = system.tasks.iter().enumerate();
        tasks
            .map(|(index, task)| Arrivals::of_task(task, index, common, &emitted, options))
            .collect()
    }

    fn of_task(
        task: &Task,
        index: usize,
        common: u64,
        emitted: &BTreeSet<NotificationId>,
        options: &Options,
    ) -> Arrivals {
        let mut random = Random::new(options.seed, 2 * index as u64 + 1);
        let never = |pattern, random| Arrivals {
            nominal: 0,
            release: NEVER,
            period: 0,
            jitter: 0,
            pattern,
            random,
        };
        let Some(release) = &task.release else { return never(Pattern::Once, random) };
        if matches!(release.kind, ReleaseKind::Notification(id) if emitted.contains(&id)) {
            return Arrivals {
                period: release.period.value.ns(),
                ..never(Pattern::Signalled, random)
            };
        }
        let (period, jitter) = (release.period.value.ns().max(1), release.jitter.value.ns());
        let dense =
            |start: u64| (common.saturating_add(start).saturating_sub(jitter), Pattern::Dense);
        let (nominal, pattern) = match &options.releases {
            Releases::Synchronous => dense(0),
            Releases::Phased { starts } => dense(starts.get(index).map_or(0, |start| start.ns())),
            Releases::Drawn if release.kind == ReleaseKind::Periodic => {
                (release.offset.ns(), Pattern::Jittered)
            }
            Releases::Drawn => {
                (release.offset.ns().saturating_add(random.between(0, period)), Pattern::Sparse)
            }
        };
        let late = if pattern == Pattern::Dense { jitter } else { random.between(0, jitter) };
        Arrivals { nominal, release: nominal.saturating_add(late), period, jitter, pattern, random }
    }

    /// When the first job that is still to come arrives.
    pub(crate) fn first(&self) -> u64 {
        self.nominal
    }

    /// Returns the way in which the kernel learns of the jobs. Strictly periodic ones are its own
    /// timer's business.
    pub(crate) fn kernel_release(&self) -> Release {
        match self.pattern {
            Pattern::Once => Release::Once { offset: 0 },
            Pattern::Dense if self.jitter == 0 => {
                Release::Periodic { period: self.period, offset: self.release }
            }
            Pattern::Signalled => Release::Sporadic { separation: self.period, jitter: 0 },
            _ => Release::Sporadic { separation: 0, jitter: self.jitter },
        }
    }

    /// Returns the job that arrives next; the kernel's own arrive never.
    pub(crate) fn next(&self) -> Arrival {
        match self.kernel_release() {
            Release::Sporadic { .. } => Arrival { nominal: self.nominal, release: self.release },
            _ => Arrival { nominal: NEVER, release: NEVER },
        }
    }

    /// Goes on to the job after it.
    pub(crate) fn advance(&mut self) {
        let (gap, late) = match self.pattern {
            Pattern::Once | Pattern::Signalled => (NEVER, 0),
            Pattern::Dense => (self.period, 0),
            Pattern::Jittered => (self.period, self.random.between(0, self.jitter)),
            Pattern::Sparse => {
                (self.period.saturating_add(self.gap()), self.random.between(0, self.jitter))
            }
        };
        self.nominal = self.nominal.saturating_add(gap);
        self.release = self.nominal.saturating_add(late).max(self.release);
    }

    /// Returns the time beyond the period: nothing, a little, or up to another period.
    fn gap(&mut self) -> u64 {
        match self.random.below(4) {
            0 | 1 => 0,
            2 => self.random.between(0, self.period / 8),
            _ => self.random.between(0, self.period),
        }
    }
}

/// Notifications that some body or overrun of the system signals.
fn emitted(system: &System) -> BTreeSet<NotificationId> {
    let bodies =
        system.gates.iter().flat_map(|gate| gate.methods.iter().map(|method| &method.body));
    let steps =
        bodies.chain(system.tasks.iter().map(|task| &task.body)).flat_map(|body| &body.steps);
    let steps = steps.filter_map(|step| if let Step::Emit(id) = step { Some(*id) } else { None });
    let overruns = system.tasks.iter().filter_map(|task| match task.budget.as_ref()?.overrun {
        fusee_model::Overrun::Notify(id) => Some(id),
        _ => None,
    });
    steps.chain(overruns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_generate::{Mix, case};
    use fusee_model::Duration;

    fn arrivals(releases: Releases, index: u64) -> Vec<(Arrivals, u64, u64)> {
        let system = case(&Mix { tasks: (4, 4), signalled: 0, ..Mix::default() }, 9, index).system;
        let options = Options { releases, ..Options::default() };
        let times = system.tasks.iter().filter_map(|t| t.release.as_ref());
        let times = times.map(|r| (r.period.value.ns(), r.jitter.value.ns()));
        Arrivals::of(&system, &options)
            .into_iter()
            .zip(times)
            .map(|(a, (p, j))| (a, p, j))
            .collect()
    }

    #[test]
    fn every_pattern_keeps_period_and_jitter() {
        let starts = vec![Duration(7), Duration(3)];
        for releases in [Releases::Synchronous, Releases::Drawn, Releases::Phased { starts }] {
            for (mut task, period, jitter) in
                (0..50).flat_map(|index| arrivals(releases.clone(), index))
            {
                if let Release::Periodic { period: kernels, .. } = task.kernel_release() {
                    assert_eq!((kernels, jitter), (period, 0));
                    continue;
                }
                let mut last = task.next();
                for _ in 0..20 {
                    task.advance();
                    let next = task.next();
                    assert!(next.nominal - last.nominal >= period);
                    assert!(next.release >= next.nominal && next.release - next.nominal <= jitter);
                    assert!(next.release >= last.release);
                    last = next;
                }
            }
        }
    }

    #[test]
    fn a_synchronous_start_is_one_instant() {
        for index in 0..50 {
            let all = arrivals(Releases::Synchronous, index);
            let first = all.iter().map(|(task, ..)| match task.kernel_release() {
                Release::Periodic { offset, .. } => offset,
                _ => task.next().release,
            });
            let first: Vec<u64> = first.collect();
            assert!(first.windows(2).all(|pair| pair[0] == pair[1]), "{first:?}");
        }
    }
}
