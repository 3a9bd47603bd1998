//! Windows that begin where tasks arrive at their offsets.
//!
//! Where periodic tasks come at their offsets, arrivals in a window depend on where it begins. Let
//! C(s, w) be the most jobs of a task that are released in [s, s + w): of a clock with offset and
//! jitter J the ticks in [s - J, s + w); of a task that an event releases the ticks of the clocks
//! behind it in [s - L, s + w), where L is the longest time from a tick to the release, each with
//! as many signals as it brings; of all others what curves say. These tasks arrive at known times
//! relative to each other: they are one transaction, whose period is their common multiple (Tindell
//! 1994), and events make for jitter in it (Palencia and Gonzalez Harbour 1998).
//!
//! *Which starts.* Take the window of a level that begins at t0, and let s be the first time from
//! t0 on that is L (or J) behind some tick. All ticks from t0 - L on are from s - L on. So for each
//! w as much is released in [s, s + w) as in [t0, t0 + w), whose demand is above w for as long as
//! it lasts: the window from s ends no earlier. It is enough to look at these starts, in one common
//! multiple; what begins nowhere like that makes windows longer, never shorter.
//!
//! *The response.* With q jobs of the task before it in the window, a job arrives at the tick q + 1
//! from s - J on, or later, and the window that serves q + 1 of them is over when it completes. A
//! window that is over before that tick has no such job.
//!
//! *What has no clock.* The argument needs of everything else only that it takes no more in a
//! shorter window than in a longer one, wherever both begin. That is so
//!
//! - of sporadic tasks, and of jobs that come from outside or from another core: their curves;
//! - of the kernel: interrupts count with their curves, offsets or not, since those of lower tasks
//!   are among them; one path may be under way when the window begins, whatever its start is, and
//!   makes the kernel hear a tick late, while the window counts from the tick itself;
//! - of sections of lower tasks, whose jobs came before the window: all that may block do;
//! - of budgets: a job that cannot be cut takes its time in the window of its release, and what the
//!   kernel fills in between releases is filled at ticks. Who can be cut and go on later, who runs
//!   code that is not trusted, and who may be under way when a window begins because it waits
//!   suspended, need not be released in it: such members count with their curves, and where jobs
//!   can wait suspended no start is tried at all.
//!
//! Jobs that events release are deferred at most as long as for all offsets, which is in L, and the
//! responses behind L are supposed and confirmed as everywhere: by induction over time, a job that
//! was the first to break a bound would have been released by jobs that kept theirs.
//!
//! *The clock.* The kernel's releases are at start-up + offset + k periods, in its own ticks, which
//! do not drift, on all cores from one reset; a late timer delays one job and no other.

use fusee_analysis::exact;
use fusee_analysis::fixed_priority::window::{Response, least_window};
use fusee_model::TaskId;

use crate::clock::Clock;
use crate::level::{Level, MOST_JOBS};
use crate::member::Member;

/// A latest response, and where its window begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FromStart {
    pub(crate) response: Response,
    pub(crate) start: i128,
}

/// Starts that are looked at in a level, at most, times members.
const MOST_WINDOWS: u128 = 100_000;

impl Level {
    /// Returns the times at which windows need to begin, in one common multiple of all clocks; none
    /// where there is one clock at most, or too many ticks.
    pub(crate) fn starts(&self) -> Vec<i128> {
        let clocks: Vec<(Clock, u64)> = self.members.iter().flat_map(Member::clocks).collect();
        let cycle = exact::hyperperiod(clocks.iter().map(|(clock, _)| clock.period));
        // One clock alone is at no distance from others, so its windows are those for all offsets.
        let Some(cycle) = cycle.filter(|_| clocks.len() > 1) else { return Vec::new() };
        let ticks = clocks.iter().map(|(clock, _)| cycle / u128::from(clock.period));
        let ticks = ticks.fold(0, u128::saturating_add);
        // Without starts windows begin anywhere, which is the bound for all offsets, and safe.
        if ticks.saturating_mul(self.members.len() as u128) > MOST_WINDOWS {
            return Vec::new();
        }
        let mut starts: Vec<i128> = Vec::new();
        for (clock, later) in clocks {
            // What a tick brings comes up to `later` behind it. So the first of these starts is not
            // before 0, though its tick may be.
            let first = clock.from(-i128::from(later)) + i128::from(later);
            let ticks = 0..cycle / u128::from(clock.period);
            starts.extend(ticks.map(|tick| first + tick as i128 * i128::from(clock.period)));
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// Returns the number of jobs of each member in an open window from a start that serves `jobs`
    /// of the member at `own`.
    pub(crate) fn jobs_from(
        &self,
        own: usize,
        jobs: u64,
        (start, window): (i128, u64),
    ) -> Option<Vec<u64>> {
        let members = self.members.iter().enumerate();
        let count = |(i, member): (usize, &Member)| match i == own {
            true => Some(jobs),
            false => member.within_from(start, window),
        };
        members.map(count).collect()
    }

    /// Returns the largest response time of one of the members in windows from these starts;
    /// `None`: none of them has such a job, or one has no end in sight.
    pub(crate) fn response_from(&self, own: TaskId, starts: &[i128]) -> Option<FromStart> {
        let own = self.position(own)?;
        let mut worst: Option<FromStart> = None;
        for &start in starts {
            // One window without an end in sight leaves no bound from offsets at all.
            let latest = self.response_at(own, start)?;
            let is_later = |worst: FromStart| latest.response.time > worst.response.time;
            if latest.response.time > 0 && worst.is_none_or(is_later) {
                worst = Some(latest);
            }
        }
        worst
    }

    /// Returns the largest response time in the window from a start, 0 where it has no job of the
    /// member; `None`: it has no end in sight.
    fn response_at(&self, own: usize, start: i128) -> Option<FromStart> {
        let member = &self.members[own];
        let demand = |jobs: u64, window: u64| {
            let window = window.max(1);
            let all = self.jobs_from(own, jobs, (start, window))?;
            self.supplied(self.load(Some(own), &all, window)?.max(1))
        };
        let clock = member.own_clock();
        let first = clock.map(|(clock, later)| clock.from(start - i128::from(later)));
        let tick = u64::from(self.closed);
        let mut worst = Response { time: 0, job: 0, window: 0 };
        // At first the window holds none of the task's jobs, because it may be over before one
        // comes.
        let mut window = least_window(0, u64::MAX, |w| demand(0, w))?;
        for job in 0..MOST_JOBS {
            // No further job of the task comes in the window, so all of them have been looked at.
            if member.within_from(start, window)? <= job {
                return Some(FromStart { response: worst, start });
            }
            window = least_window(window, u64::MAX, |w| demand(job + 1, w))?;
            let open = window - tick;
            let earlier = job.checked_mul(member.arrivals.period)?;
            let mut time = open.checked_add(member.arrivals.jitter)?.saturating_sub(earlier);
            if let (Some((clock, _)), Some(first)) = (clock, first) {
                // The clock knows when the job arrived at the earliest, and the count of periods
                // knows it too. Each gives a bound, so the smaller one counts.
                let arrival = first + i128::from(job) * i128::from(clock.period);
                let known = start + i128::from(open) - arrival;
                time = time.min(u64::try_from(known).unwrap_or(0));
            }
            if time > worst.time {
                worst = Response { time, job, window: open };
            }
        }
        None
    }
}
