//! Drawn systems with mutexes that are words.
//!
//! Which mutexes are, and what locking costs, has a stream of random numbers of its own:
//! all else is drawn as it would be without.

use crate::{Case, Mix, Random};
use fusee_model::{Duration, Locking};

/// Makes some mutexes words, perhaps, where one policy decides on all cores.
pub(crate) fn perhaps(mix: &Mix, seed: u64, index: u64, case: &mut Case) {
    let mut random = Random::new(!seed.rotate_left(1), index);
    if case.system.common_policy().is_none() || !random.chance(mix.optimistic) {
        return;
    }
    let components = case.system.components.iter_mut();
    for mutex in components.flat_map(|component| &mut component.code.locks) {
        if random.chance(70) {
            mutex.locking.value = Locking::Optimistic;
        }
    }
    if !case.costs.is_zero() {
        let most = case.costs.block.ns().max(2);
        let mutex = &mut case.costs.mutex;
        mutex.lock = Duration(random.between(0, most));
        mutex.unlock = Duration(random.between(0, most));
        // Whoever calls the kernel has tried without.
        let both = mutex.lock.ns() + mutex.unlock.ns();
        mutex.uncontended = Some(Duration(random.between(0, both)));
    }
}
