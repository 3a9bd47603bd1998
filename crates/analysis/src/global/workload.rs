//! Work of tasks in a window, and the least window in which a job completes.
//!
//! A window grows by what it lets others execute, and where all cores execute others
//! all the while, by one tick a step. But work is made of pieces in which each tick adds
//! one or none. Between their ends the window is found at once: none is tried between two
//! places at which some task may begin or end to execute. So the number of steps depends
//! on jobs, and not on how fine ticks are.

use crate::Task;
use crate::windows::least;

/// Work in a window, and how it goes on in longer ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Work {
    /// Ticks of work.
    pub(super) done: u64,
    /// `true` if each further tick of the window adds one.
    pub(super) rises: bool,
    /// The number of further ticks for which that stays so, at least one; then it may jump upwards.
    pub(super) lasts: u64,
}

impl Work {
    /// Returns work that is the same in every window.
    pub(super) fn fixed(done: u64) -> Work {
        Work { done, rises: false, lasts: u64::MAX }
    }

    /// The lesser of the two.
    pub(super) fn min(self, other: Work) -> Work {
        let other_first = (other.done, other.rises) < (self.done, self.rises);
        let (less, more) = if other_first { (other, self) } else { (self, other) };
        let meets = if less.rises && !more.rises { more.done - less.done } else { u64::MAX };
        Work { lasts: less.lasts.min(more.lasts).min(meets), ..less }
    }

    /// C in each period, each job as soon as it comes.
    fn periodic(task: &Task, reach: u64) -> Work {
        let (whole, rest) = (reach / task.period, reach % task.period);
        let done = whole.saturating_mul(task.wcet);
        let rises = rest < task.wcet;
        let end = if rises { task.wcet.min(task.period) } else { task.period };
        Work { done: done.saturating_add(rest.min(task.wcet)), rises, lasts: end - rest }
    }
}

/// The least window w = C + floor(sum of work in it / m), no work being more than w - C + 1;
/// `None`: it is beyond the deadline. `work` gets a window from `start` on and that limit.
pub(super) fn least_window(
    task: &Task,
    start: u64,
    cores: usize,
    mut work: impl FnMut(u64, Work) -> Total,
) -> Option<u64> {
    let cores = cores.max(1) as u128;
    least(start, task.deadline, |window| {
        let most = window.saturating_sub(task.wcet).saturating_add(1);
        let limit = Work { done: most, rises: true, lasts: u64::MAX };
        let total = work(window, limit);
        let share = u64::try_from(total.done / cores).unwrap_or(u64::MAX);
        let needed = task.wcet.saturating_add(share);
        if needed <= window {
            return needed;
        }
        // Others fill all cores for this long and more, up to where the piece ends.
        let excess = total.done.saturating_sub(cores * u128::from(most));
        let ahead = match cores.checked_sub(total.rising).filter(|&gain| gain > 0) {
            Some(gain) => u64::try_from(excess / gain + 1).unwrap_or(u64::MAX).min(total.lasts),
            None => total.lasts,
        };
        needed.max(window.saturating_add(ahead))
    })
}

/// Returns the task that [`least_window`] looks for instead, and the ticks to subtract from its
/// answer: a job of no length completes when one of a tick would start.
pub(super) fn with_length(task: &Task) -> (Task, u64) {
    let more = task.beyond();
    let longer =
        Task { wcet: task.wcet + more, deadline: task.deadline.saturating_add(more), ..*task };
    (longer, more)
}

/// The work of several tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Total {
    done: u128,
    rising: u128,
    lasts: u64,
}

impl FromIterator<Work> for Total {
    fn from_iter<I: IntoIterator<Item = Work>>(works: I) -> Self {
        let nothing = Total { done: 0, rising: 0, lasts: u64::MAX };
        works.into_iter().fold(nothing, |total, work| Total {
            done: total.done + u128::from(work.done),
            rising: total.rising + u128::from(work.rises),
            lasts: total.lasts.min(work.lasts),
        })
    }
}

/// Under EDF, of jobs due by the window's end: those inside, and one that reaches into it and
/// is complete `slack` before its deadline.
pub(super) fn due(task: &Task, window: u64, slack: u64) -> u64 {
    let inside = jobs_due(task, window);
    let before = window.saturating_sub(inside.saturating_mul(task.period)).saturating_sub(slack);
    inside.saturating_mul(task.wcet).saturating_add(task.wcet.min(before))
}

/// floor((L - D) / T) + 1, or 0: jobs with release and deadline in a window.
pub(super) fn jobs_due(task: &Task, window: u64) -> u64 {
    window.checked_sub(task.deadline).map_or(0, |rest| (rest / task.period).saturating_add(1))
}

/// With work carried in, each job complete `response` after its release: the densest packing.
pub(super) fn carried_in(task: &Task, window: u64, response: u64) -> Work {
    // The first job runs at the end of its response time, the others as soon as they come.
    Work::periodic(task, window.saturating_add(response.saturating_sub(task.wcet)))
}

/// Without work carried in: jobs come from the window's start, each at once.
pub(super) fn fresh(task: &Task, window: u64) -> Work {
    Work::periodic(task, window)
}

/// With work carried in by a job that had its core the tick before the window: C at its start, and
/// min(C - 1, ((w - C) mod T - (T - R))_0) of the last job in ((w - C) / T) C + C.
pub(super) fn carried_in_started(task: &Task, window: u64, response: u64) -> Work {
    if task.wcet == 0 {
        return Work::fixed(0);
    }
    let Some(rest) = window.checked_sub(task.wcet) else {
        return Work { lasts: task.wcet - window, ..Work::fixed(task.wcet) };
    };
    let (whole, rest) = (rest / task.period, rest % task.period);
    let done = whole.saturating_add(1).saturating_mul(task.wcet);
    let gap = task.period.saturating_sub(response);
    let early = rest.saturating_sub(gap).min(task.wcet - 1);
    let end = gap.saturating_add(task.wcet - 1).min(task.period);
    let rises = (gap..end).contains(&rest);
    let until = if rest < gap {
        gap
    } else if rises {
        end
    } else {
        task.period
    };
    Work { done: done.saturating_add(early), rises, lasts: until - rest }
}
