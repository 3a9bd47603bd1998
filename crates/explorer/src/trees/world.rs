//! A state with its ledger.

use fusee_kernel::tcaps::{TreeKernel, TreeStore, Trees};
use fusee_kernel::{Event, Flow, Kernel, Store, Time};

use super::{Ledger, Seen, System, TreePolicy};

/// A kernel and its schedulers.
pub(super) type Both<'k, 'm, 't, P> = (&'k mut Kernel<'m, P, ()>, &'k mut Trees<'t>);

/// A state, an instant, and what the history has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World<P: TreePolicy> {
    /// The kernel's state.
    pub kernel: Store<P>,
    /// The state of the schedulers.
    pub trees: TreeStore,
    /// The instant of the state.
    pub now: Time,
    /// The ledger beside the state.
    pub ledger: Ledger,
}

impl<P: TreePolicy> World<P> {
    /// Returns the start of a system whose tables are right, all that is due by then done.
    pub fn start(system: &System) -> Self {
        let mut kernel = Store::new(system.tables.sizes());
        let mut started =
            Kernel::start(system.tables, kernel.memory(), ()).expect("the tables are right");
        let trees = TreeStore::start(&mut started, &system.time()).expect("the tables are right");
        let mut world = World { kernel, trees, now: 0, ledger: Ledger::start(system) };
        while world.timer(system) <= world.now {
            let before = world.seen(system);
            world.with(system, |(kernel, trees)| {
                let _ = Flow::over(kernel, trees).take(0, Event::Timer);
                let _ = kernel.outcome();
            });
            let after = world.seen(system);
            world.ledger.follow(system, &before, &after);
        }
        world
    }

    /// Returns the facts that are seen of it.
    pub fn seen(&self, system: &System) -> Seen {
        Seen::of(system, &self.kernel, &self.trees.dispatcher, &self.ledger.left)
    }

    /// Runs something on the kernel and its schedulers.
    pub(super) fn with<T>(
        &mut self,
        system: &System,
        run: impl FnOnce(Both<'_, '_, '_, P>) -> T,
    ) -> T {
        let mut kernel = Kernel::resume(system.tables, self.kernel.memory(), ());
        self.trees.with(&system.time(), |trees| run((&mut kernel, trees)))
    }

    /// When the timer must come, by the kernel.
    pub fn timer(&mut self, system: &System) -> Time {
        self.with(system, |(kernel, trees)| kernel.next_timer().min(trees.next_timer(kernel)))
    }

    /// Makes kernel and schedulers agree.
    pub(super) fn reconcile(&mut self, system: &System) {
        let now = self.now;
        self.with(system, |(kernel, trees)| TreeKernel::over(kernel, trees).reconcile(now));
    }

    /// Returns `true` if the kernel and its schedulers are as in another state.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        self.kernel == other.kernel && self.trees == other.trees
    }
}
