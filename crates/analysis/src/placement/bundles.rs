//! Keeping tasks that share resources on one core.
//!
//! Tasks that share a resource, directly or through others, form a bundle. Bundles
//! are placed as wholes by best fit, in falling order of utilization (Lakshmanan,
//! de Niz and Rajkumar 2009). A bundle that fits nowhere is broken: the core with the
//! lowest utilization gets as much of it as it accepts, starting from the bundle's
//! first task and going on with whatever shares most resources with what is already
//! there; the rest is handled in the same way. The article leaves the cost of a cut
//! to the user; the number of shared resources is our choice.

use super::{Cores, Fit};

impl Cores<'_> {
    /// Bundles as wholes, or broken where no core takes them.
    pub(super) fn pack_bundles(mut self, order: &[usize]) -> Option<Vec<Vec<usize>>> {
        for bundle in self.bundles(order) {
            let fitting = self
                .candidates(Fit::Best, 0)
                .into_iter()
                .find(|&core| self.accepted(core, &bundle));
            match fitting {
                Some(core) => bundle.into_iter().for_each(|task| self.add(core, task)),
                None => self.pack_broken(bundle)?,
            }
        }
        Some(self.members)
    }

    /// The bundles by falling utilization, each with its tasks in the given order.
    fn bundles(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut bundles: Vec<Vec<usize>> = Vec::new();
        for &task in order {
            let (mut joined, apart): (Vec<_>, Vec<_>) = bundles
                .into_iter()
                .partition(|b| b.iter().any(|&other| self.shared(task, other) > 0));
            joined.push(vec![task]);
            bundles = apart;
            bundles.push(joined.concat());
        }
        let load = |b: &[usize]| b.iter().map(|&i| self.utilization(i)).sum::<f64>();
        bundles.sort_by(|a, b| load(b).total_cmp(&load(a)).then(a.cmp(b)));
        bundles
    }

    fn pack_broken(&mut self, mut bundle: Vec<usize>) -> Option<()> {
        while let Some(&first) = bundle.first() {
            let core = self
                .candidates(Fit::Worst, 0)
                .into_iter()
                .find(|&core| self.accepted(core, &[first]))?;
            self.add(core, bundle.remove(0));
            while let Some(next) = self.closest(core, &bundle) {
                self.add(core, bundle.remove(next));
            }
        }
        Some(())
    }

    /// The accepted task that shares most resources with a core's tasks, if it shares any.
    fn closest(&self, core: usize, bundle: &[usize]) -> Option<usize> {
        let affinity = |task: usize| {
            self.members[core].iter().map(|&other| self.shared(task, other)).sum::<usize>()
        };
        let related = bundle.iter().enumerate().filter(|&(_, &task)| affinity(task) > 0);
        let accepted = related.filter(|&(_, &task)| self.accepted(core, &[task]));
        accepted
            .max_by_key(|&(position, &task)| (affinity(task), std::cmp::Reverse(position)))
            .map(|(i, _)| i)
    }

    /// Returns the number of resources that two tasks share.
    fn shared(&self, a: usize, b: usize) -> usize {
        (0..self.set.resources()).filter(|&q| self.set.uses(a, q) && self.set.uses(b, q)).count()
    }
}
