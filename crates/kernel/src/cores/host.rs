//! The state of several cores in vectors, and the machine between them.
//!
//! The simulator and the explorer run the same [`CoreKernel`]s as a machine does. What a
//! machine adds is here: locks, which let one core at a time into a section, and looks on
//! their way from core to core. A host says which core does what next.

use std::vec;
use std::vec::Vec;

use crate::mutation::seeded;
use crate::{Error, Event, FixedPriority, GlobalIndex, Kernel, Policy, Sink, Store, Tables, Time};

use super::{CoreKernel, CoreOutcome, CoreTables, Due, GlobalGate, Home, Locked, Look, Pending};
use super::{Request, StartError, Visit};

/// One core: its kernel's state, its part in the gates, and what it has to do with others.
#[derive(Debug, PartialEq, Eq)]
pub struct HostCore<P: Policy = FixedPriority> {
    /// The one-core kernel's state.
    pub store: Store<P>,
    /// Its part in the gates.
    pub home: Home,
    /// Where it has been told to look.
    pub pending: Pending,
    /// Looks that it has still to send.
    pub outbox: Vec<Look>,
    /// What it has read of a gate, where a defect lets two into the lock.
    pub read: Option<HostGate>,
    /// Of which look it has still to clear the bit, where a defect does that late.
    pub clears: Option<GlobalIndex>,
}

impl<P: Policy> Clone for HostCore<P> {
    fn clone(&self) -> Self {
        HostCore {
            store: self.store.clone(),
            home: self.home,
            pending: self.pending,
            outbox: self.outbox.clone(),
            read: self.read.clone(),
            clears: self.clears,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.store.copy_from(&source.store);
        self.home = source.home;
        self.pending = source.pending;
        self.outbox.clone_from(&source.outbox);
        self.read.clone_from(&source.read);
        self.clears = source.clears;
    }
}

/// A global gate.
#[derive(Debug, PartialEq, Eq)]
pub struct HostGate {
    /// Queue and activation.
    pub gate: GlobalGate,
    /// A request for each seat.
    pub requests: Vec<Request>,
    /// Gates that the activation has passed.
    pub visits: Vec<Visit>,
}

impl Clone for HostGate {
    fn clone(&self) -> Self {
        let (requests, visits) = (self.requests.clone(), self.visits.clone());
        HostGate { gate: self.gate, requests, visits }
    }

    fn clone_from(&mut self, source: &Self) {
        self.gate = source.gate;
        self.requests.clone_from(&source.requests);
        self.visits.clone_from(&source.visits);
    }
}

/// The tables of one core.
pub type OneCore<'t> = (Tables<'t>, CoreTables<'t>);

/// Several cores and what they share.
#[derive(Debug, PartialEq, Eq)]
pub struct Host<P: Policy = FixedPriority> {
    /// The cores.
    pub cores: Vec<HostCore<P>>,
    /// The gates between them.
    pub gates: Vec<HostGate>,
}

impl<P: Policy> Clone for Host<P> {
    fn clone(&self) -> Self {
        Host { cores: self.cores.clone(), gates: self.gates.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.cores.clone_from(&source.cores);
        self.gates.clone_from(&source.gates);
    }
}

impl<P: Policy> Host<P> {
    /// The state in which a system starts.
    ///
    /// # Errors
    /// The tables of a core are wrong: which core, and why.
    pub fn start(tables: &[OneCore<'_>]) -> Result<Self, (usize, StartError)> {
        let mut cores = Vec::new();
        for (number, core) in tables.iter().enumerate() {
            let mut store = Store::new(core.0.sizes());
            let mut home = Home::EMPTY;
            super::start(*core, store.memory(), &mut home, ()).map_err(|error| (number, error))?;
            let (pending, outbox) = (Pending::default(), Vec::new());
            cores.push(HostCore { store, home, pending, outbox, read: None, clears: None });
        }
        let globals = tables.first().map_or(&[][..], |(_, core)| core.globals);
        let gate = |config: &super::GlobalConfig<'_>| HostGate {
            gate: GlobalGate::EMPTY,
            requests: vec![Request::EMPTY; config.seats.len()],
            visits: vec![Visit::EMPTY; usize::from(config.depth)],
        };
        Ok(Host { cores, gates: globals.iter().map(gate).collect() })
    }

    /// Does something with a core's kernel.
    pub fn with<S: Sink, T>(
        &mut self,
        tables: &[OneCore<'_>],
        core: usize,
        sink: S,
        what: impl FnOnce(&mut CoreKernel<'_, '_, P, S>) -> T,
    ) -> T {
        let own = &mut self.cores[core];
        let mut kernel = Kernel::resume(tables[core].0, own.store.memory(), sink);
        what(&mut CoreKernel::over(&mut kernel, tables[core].1, &mut own.home))
    }

    /// Whether a core is on a path, or has still looks to send.
    pub fn is_busy(&self, core: usize) -> bool {
        self.cores[core].home.due != Due::Nothing || !self.cores[core].outbox.is_empty()
    }

    /// A core that is not busy takes an event, up to the first lock.
    ///
    /// # Errors
    /// Those of [`CoreKernel::handle`].
    pub fn handle(
        &mut self,
        tables: &[OneCore<'_>],
        core: usize,
        (now, event): (Time, Event),
        sink: impl Sink,
    ) -> Result<(), Error> {
        self.with(tables, core, sink, |kernel| kernel.handle(now, event))?;
        if let Some(global) = self.cores[core].clears.take() {
            self.cores[core].pending.clear(global);
        }
        Ok(())
    }

    /// A core that is not busy turns to a gate at which it has been told to look, or thinks so.
    pub fn look(&mut self, tables: &[OneCore<'_>], core: usize, global: GlobalIndex) {
        seeded!(LateClear, (), self.cores[core].pending.clear(global));
        self.with(tables, core, (), |kernel| kernel.look(global));
    }

    /// A core enters the lock that is due, does what there is to be done, and leaves it. Its looks
    /// are then in the outbox.
    pub fn section(&mut self, tables: &[OneCore<'_>], core: usize, now: Time, sink: impl Sink) {
        let own = &mut self.cores[core];
        let Some(global) = own.home.due.global() else { return };
        #[cfg(feature = "mutations")]
        if crate::Mutation::OpenLock.is_seeded() && own.read.is_none() {
            own.read = Some(self.gates[global.at()].clone());
            return;
        }
        if let Some(read) = own.read.take() {
            self.gates[global.at()] = read;
        }
        #[cfg(feature = "mutations")]
        if crate::Mutation::LateClear.is_seeded() {
            own.clears = is_look(own.home.due);
        }
        let HostGate { gate, requests, visits } = &mut self.gates[global.at()];
        let mut locked = Locked { gate, requests, visits };
        let mut kernel = Kernel::resume(tables[core].0, own.store.memory(), sink);
        let mut kernel = CoreKernel::over(&mut kernel, tables[core].1, &mut own.home);
        let looks = kernel.section(now, &mut locked).looks;
        own.outbox.extend(looks.iter());
    }

    /// A core sends the first of its looks.
    pub fn send(&mut self, core: usize) {
        if self.cores[core].outbox.is_empty() {
            return;
        }
        let look = self.cores[core].outbox.remove(0);
        self.cores[usize::from(look.core)].pending.tell(look.global);
    }

    /// What a core does at the end of its path.
    pub fn outcome(&mut self, tables: &[OneCore<'_>], core: usize) -> CoreOutcome {
        self.with(tables, core, (), |kernel| kernel.outcome())
    }
}

/// The gate of a look.
#[cfg(feature = "mutations")]
fn is_look(due: Due) -> Option<GlobalIndex> {
    due.global().filter(|global| due == Due::Look(*global))
}
