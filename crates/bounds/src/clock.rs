//! Ticks of a clock whose offset is known.

use fusee_model::{ReleaseKind, System, TaskId};

/// Nominal arrivals at `offset` and every `period` from there on; before, too, for simplicity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) offset: u64,
    pub(crate) period: u64,
}

impl Clock {
    /// Returns the clock of a periodic task.
    pub(crate) fn of(system: &System, task: TaskId) -> Option<Self> {
        let release = system.task(task).release.as_ref()?;
        let known = release.kind == ReleaseKind::Periodic;
        let (offset, period) = (release.offset.ns(), release.period.value.ns().max(1));
        known.then_some(Self { offset, period })
    }

    /// Returns the number of ticks in a half-open window that begins at a time.
    pub(crate) fn within(self, start: i128, window: u64) -> u64 {
        // Effects come later than their ticks, so ticks before 0 are asked about as well. The
        // Euclidean division rounds down for these, too.
        let before =
            |time: i128| (time - 1 - i128::from(self.offset)).div_euclid(self.period.into());
        let ticks = before(start + i128::from(window)) - before(start);
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }

    /// Returns the first tick from a time on.
    pub(crate) fn from(self, time: i128) -> i128 {
        time + (i128::from(self.offset) - time).rem_euclid(self.period.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_counted_as_they_come() {
        for (offset, period) in [(0, 1), (3, 7), (12, 5), (6, 6)] {
            let clock = Clock { offset, period };
            let is_tick = |time: i128| (time - i128::from(offset)).rem_euclid(period.into()) == 0;
            for start in -20..20_i128 {
                let next = (start..).find(|&time| is_tick(time));
                assert_eq!(Some(clock.from(start)), next);
                for window in 0..25_u64 {
                    let ticks = (start..start + i128::from(window)).filter(|&time| is_tick(time));
                    assert_eq!(clock.within(start, window), ticks.count() as u64);
                }
            }
        }
    }
}
