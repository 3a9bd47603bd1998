//! The meeting of paths: kept apart, one within the other, or joined.

use super::Engine;
use super::mode::Mode;
use crate::execute::path::{Frame, Path};
use crate::machine::Machine;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns a path's time with what totals grant it.
    pub(super) fn worth(&self, path: &Path<M::Timing>) -> i128 {
        i128::from(path.time) + path.tally.worth(self.multipliers)
    }

    /// Adds a path to those waiting at a block, or to those that have returned.
    pub(super) fn keep(
        &mut self,
        frame: &mut Frame<M::Timing>,
        block: Option<usize>,
        path: Path<M::Timing>,
    ) {
        let limit = self.work.effort.states;
        // Counted before the merge: a path that another one covers has left its loop all the same.
        match block {
            Some(block) => frame.arrived[block] += 1,
            None => frame.gone += 1,
        }
        let mut list = std::mem::take(match block {
            Some(block) => &mut frame.waiting[block],
            None => &mut frame.returned,
        });
        self.merge(&mut list, path, limit);
        match block {
            Some(block) => frame.waiting[block] = list,
            None => frame.returned = list,
        }
    }

    pub(super) fn merge(
        &mut self,
        list: &mut Vec<Path<M::Timing>>,
        path: Path<M::Timing>,
        limit: usize,
    ) {
        self.work.compare(list.len());
        // Marks end paths, so the path that stays must not carry more of them. Nor may it be worth
        // less than the one that goes, or the bound would be too low.
        let covers = |a: &Path<M::Timing>, b: &Path<M::Timing>| {
            self.alike(a, b)
                && a.tally.marks & !b.tally.marks == 0
                && self.worth(a) >= self.worth(b)
                && self.subject.machine.includes(&a.timing, &b.timing)
                && a.state.includes(&b.state, self.subject.setting)
        };
        let marked = path.tally.marks != 0 || list.iter().any(|old| old.tally.marks != 0);
        // Otherwise paths are joined at once, and to compare them before would be work in vain.
        if limit > 1 || marked {
            if list.iter().any(|old| covers(old, &path)) {
                return;
            }
            list.retain(|old| !covers(&path, old));
            // States that differ in their timing alone are not worth keeping apart.
            let same = |old: &&mut Path<M::Timing>| {
                self.may_join(old, &path)
                    && old.state.includes(&path.state, self.subject.setting)
                    && path.state.includes(&old.state, self.subject.setting)
            };
            if let Some(old) = list.iter_mut().find(same) {
                return self.join(old, &path);
            }
        }
        // The limit is for paths that may be joined; others stay apart however many they are.
        let alike = list.iter().filter(|old| self.may_join(old, &path)).count();
        let last = list.iter_mut().rev().find(|old| self.may_join(old, &path));
        match last {
            Some(old) if alike >= limit => self.join(old, &path),
            _ => list.push(path),
        }
    }

    /// Returns whether one path may stand for both: exclusions must cut both off at the same
    /// places.
    fn may_join(&self, one: &Path<M::Timing>, other: &Path<M::Timing>) -> bool {
        one.tally.marks == other.tally.marks && self.alike(one, other)
    }

    /// Returns whether two paths may be joined: not across a cut.
    pub(super) fn alike(&self, one: &Path<M::Timing>, other: &Path<M::Timing>) -> bool {
        let setting = self.subject.setting;
        one.resumed == other.resumed && K::may_join(&one.state, &other.state, setting)
    }

    /// Makes one path stand for both.
    pub(super) fn join(&self, into: &mut Path<M::Timing>, other: &Path<M::Timing>) {
        into.state.join(&other.state, self.subject.setting);
        // By worth, not by time: a path with iterations left over may turn out to be the longer
        // one.
        let lead = self.worth(into) - self.worth(other);
        // A lead that is cut off is smaller, so it spares no time that is not there.
        let saturated = lead.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        self.subject.machine.join(&mut into.timing, &other.timing, saturated);
        // Of paths that are worth as much the longest that keeps to the totals is shown.
        let keeps = other.tally.keeps_to_totals();
        if lead < 0
            || lead == 0 && keeps && (!into.tally.keeps_to_totals() || into.time < other.time)
        {
            into.time = other.time;
            into.way = other.way;
            into.tally.clone_from(&other.tally);
        }
    }
}
