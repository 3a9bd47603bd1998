//! Ways as sums of others: what is repeated is kept once.

use std::collections::BTreeMap;

use crate::execute::ways::Visit;
use crate::machine::Misses;

/// A way among the routes.
pub(super) type Route = usize;

/// A way that leads on from another one.
enum Step {
    /// It goes on by a block, or by code whose time is stated.
    Block { before: Route, block: u64, time: u64 },
    /// It goes on by a whole way, so many times.
    Repeated { before: Route, way: Route, times: u128 },
}

/// All ways that were looked at; each leads on from earlier ones.
#[derive(Default)]
pub(super) struct Routes(Vec<Step>);

impl Routes {
    /// The way that has no step.
    pub(super) const START: Route = Route::MAX;

    /// Goes on by a block.
    pub(super) fn block(&mut self, before: Route, block: u64, time: u64) -> Route {
        self.push(Step::Block { before, block, time })
    }

    /// Goes on by a way, so many times.
    pub(super) fn repeated(&mut self, before: Route, way: Route, times: u128) -> Route {
        // Nothing repeated is nothing, so it needs no step.
        match way {
            Self::START => before,
            _ => self.push(Step::Repeated { before, way, times }),
        }
    }

    fn push(&mut self, step: Step) -> Route {
        self.0.push(step);
        self.0.len() - 1
    }

    /// The blocks of a way, each once with all of its executions.
    pub(super) fn list(&self, route: Route) -> Vec<Visit> {
        // Counts may saturate: a time that does not fit is refused by whoever asks for it.
        let mut often = vec![0u128; self.0.len()];
        let add = |often: &mut Vec<u128>, at: Route, times: u128| {
            if let Some(all) = often.get_mut(at) {
                *all = all.saturating_add(times);
            }
        };
        add(&mut often, route, 1);
        let mut visits: BTreeMap<u64, (Route, u128, u128)> = BTreeMap::new();
        // Steps lead on from earlier ones. So backwards, all uses of a step are known when it
        // comes.
        for at in (0..self.0.len()).rev() {
            let times = often[at];
            match self.0[at] {
                _ if times == 0 => {}
                Step::Block { before, block, time } => {
                    add(&mut often, before, times);
                    let (first, all, spent) = visits.entry(block).or_default();
                    // Seen backwards, the last place noted is the first on the way, and visits are
                    // listed by it.
                    *first = at;
                    *all = all.saturating_add(times);
                    *spent = spent.saturating_add(times.saturating_mul(time.into()));
                }
                Step::Repeated { before, way, times: each } => {
                    add(&mut often, before, times);
                    add(&mut often, way, times.saturating_mul(each));
                }
            }
        }
        let mut listed: Vec<_> = visits.into_iter().collect();
        listed.sort_by_key(|&(_, (first, ..))| first);
        let number = |number| u64::try_from(number).unwrap_or(u64::MAX);
        let visit = |(block, (_, times, time))| Visit {
            block,
            time: number(time),
            times: number(times),
            // The times are those of the worst state, which does not tell single misses.
            misses: Misses::default(),
        };
        listed.into_iter().map(visit).collect()
    }
}
