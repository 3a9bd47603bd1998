//! The state of several cores in vectors, and the machine between them.
//!
//! The simulator and the explorer run the same [`CoreKernel`]s as a machine does. The part of the
//! machine is here: locks, which let one core at a time into a section, and interrupts on their way
//! from core to core. A host chooses the core that takes the next step.

use std::vec;
use std::vec::Vec;

use crate::mutation::seeded;
use crate::{Error, Event, Kernel, Policy, Sink, Sizes, Store, Tables, Time, each_store};

use super::{
    AnyStore, At, CoreKernel, CoreOutcome, CoreTables, Debt, Due, GlobalGate, Home, Ipi, Locked,
};
use super::{Mailbox, Pending, Request, Restart, StartError, Visit};

/// Does something with a core's kernel, whatever its policy.
macro_rules! with_kernel {
    ($own:expr, $tables:expr, $sink:expr, $kernel:ident => $what:expr) => {{
        let (one, shared) = $tables;
        each_store!(&mut $own.store, store => {
            let mut kernel = Kernel::resume(*one, store.memory(), $sink);
            let part = (&mut $own.home, &mut $own.debts[..]);
            let mut $kernel = CoreKernel::over(&mut kernel, shared, part);
            $what
        })
    }};
}

/// One core: its kernel's state, its part in the gates, and what it has to do with others.
#[derive(Debug, PartialEq, Eq)]
pub struct HostCore {
    /// The one-core kernel's state.
    pub store: AnyStore,
    /// Its part in the gates.
    pub home: Home,
    /// For each mailbox, for each thread: what it owes for its signals there.
    pub debts: Vec<Debt>,
    /// The gates and mailboxes that the core has been told to look at.
    pub pending: Pending,
    /// Looks that it has still to send.
    pub outbox: Vec<Ipi>,
    /// A copy of a gate, read too early where a defect lets two cores into the lock.
    pub read: Option<HostGate>,
    /// A word read from a mailbox, or from those it has been told of, where a defect takes such a
    /// step apart.
    pub half: Option<u32>,
    /// The interrupt whose bit it has still to clear, where a defect clears it late.
    pub clears: Option<At>,
}

impl Clone for HostCore {
    fn clone(&self) -> Self {
        HostCore {
            store: self.store.clone(),
            home: self.home,
            debts: self.debts.clone(),
            pending: self.pending,
            outbox: self.outbox.clone(),
            read: self.read.clone(),
            half: self.half,
            clears: self.clears,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.store.copy_from(&source.store);
        self.home = source.home;
        self.debts.clone_from(&source.debts);
        self.pending = source.pending;
        self.outbox.clone_from(&source.outbox);
        self.read.clone_from(&source.read);
        self.half = source.half;
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

/// A component that several cores enter, and that a fault ends or restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostRestart {
    /// The state of the restart that the cores share.
    pub restart: Restart,
    /// The number of pieces of its initial data that have been put back.
    pub written: u8,
}

impl HostRestart {
    // With one piece no state would show a component that is half put back.
    /// The number of pieces in which initial data are put back.
    const PIECES: u8 = 2;

    /// Puts the next piece back; false: none is left.
    fn write(written: &mut u8) -> bool {
        let more = *written < Self::PIECES;
        *written = if more { *written + 1 } else { 0 };
        more
    }
}

/// The tables of one core.
pub type OneCore<'t> = (Tables<'t>, CoreTables<'t>);

/// Several cores and what they share.
#[derive(Debug, PartialEq, Eq)]
pub struct Host {
    /// The state of each core.
    pub cores: Vec<HostCore>,
    /// The gates between them.
    pub gates: Vec<HostGate>,
    /// Signals between them.
    pub mailboxes: Vec<Mailbox>,
    /// Restarts of components that several of them enter.
    pub restarts: Vec<HostRestart>,
}

impl Clone for Host {
    fn clone(&self) -> Self {
        let (cores, gates) = (self.cores.clone(), self.gates.clone());
        let restarts = self.restarts.clone();
        Host { cores, gates, mailboxes: self.mailboxes.clone(), restarts }
    }

    fn clone_from(&mut self, source: &Self) {
        self.cores.clone_from(&source.cores);
        self.gates.clone_from(&source.gates);
        self.mailboxes.clone_from(&source.mailboxes);
        self.restarts.clone_from(&source.restarts);
    }
}

impl Host {
    /// Returns the state in which a system starts whose cores have the same policy.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn under<P: Policy>(tables: &[OneCore<'_>]) -> Result<Self, (usize, StartError)>
    where
        AnyStore: From<Store<P>>,
    {
        Self::start(tables, |_, sizes| Store::<P>::new(sizes).into())
    }

    /// Returns the state in which a system starts, given each core's memory before that.
    ///
    /// # Errors
    /// The tables of a core are wrong: which core, and why.
    pub fn start(
        tables: &[OneCore<'_>],
        memory: impl Fn(usize, Sizes) -> AnyStore,
    ) -> Result<Self, (usize, StartError)> {
        let mut cores = Vec::new();
        for (number, core) in tables.iter().enumerate() {
            let (mut store, mut home) = (memory(number, core.0.sizes()), Home::EMPTY);
            each_store!(&mut store, store => {
                super::start(*core, store.memory(), &mut home, ())
                    .map_err(|error| (number, error))?;
            });
            let (pending, outbox) = (Pending::default(), Vec::new());
            let (read, half, clears) = (None, None, None);
            let debts = vec![Debt::NONE; core.1.limits.len()];
            cores.push(HostCore { store, home, debts, pending, outbox, read, half, clears });
        }
        // What the cores share is the same in the tables of each.
        let globals = tables.first().map_or(&[][..], |(_, core)| core.globals);
        let mailboxes = tables.first().map_or(0, |(_, core)| core.mailboxes.len());
        let mailboxes = (0..mailboxes).map(|_| Mailbox::empty()).collect();
        let gate = |config: &super::GlobalConfig<'_>| HostGate {
            gate: GlobalGate::EMPTY,
            requests: vec![Request::EMPTY; config.seats.len()],
            visits: vec![Visit::EMPTY; usize::from(config.depth)],
        };
        let none = HostRestart { restart: Restart::EMPTY, written: 0 };
        let restarts = vec![none; tables.first().map_or(0, |(_, core)| core.restarts.len())];
        Ok(Host { cores, gates: globals.iter().map(gate).collect(), mailboxes, restarts })
    }

    /// Returns `true` if a core is on a path, or still has interrupts to send.
    pub fn is_busy(&self, core: usize) -> bool {
        // A machine sends its interrupts before it goes on, so until then it takes no event.
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
        let own = &mut self.cores[core];
        with_kernel!(own, &tables[core], sink, kernel => kernel.handle(now, event))?;
        if let Some(at) = own.clears.take() {
            own.pending.clear(at);
        }
        Ok(())
    }

    /// A core that is not busy turns to what it has been told to look at, or thinks so.
    pub fn look(&mut self, tables: &[OneCore<'_>], core: usize, at: At) {
        let late = match at {
            At::Gate(_) => seeded!(LateClear, true, false),
            At::Mailbox(_) => seeded!(LateCollection, true, false),
        };
        let own = &mut self.cores[core];
        if !late {
            own.pending.clear(at);
        }
        with_kernel!(own, &tables[core], (), kernel => kernel.look(at));
    }

    /// A core goes through the section that is due, or the step at a mailbox. Its interrupts are
    /// then in the outbox.
    ///
    /// # Errors
    /// Those of [`CoreKernel::at_mailbox`].
    pub fn section(
        &mut self,
        tables: &[OneCore<'_>],
        core: usize,
        now: Time,
        sink: impl Sink,
    ) -> Result<(), Error> {
        let due = self.cores[core].home.due;
        let at_restart = match due {
            Due::RestartFault(_) | Due::PutBack(_) | Due::RestartSeen(_) => true,
            Due::Collect(mailbox) => tables[core].1.restart_at(mailbox).is_some(),
            _ => false,
        };
        match due.mailbox() {
            _ if at_restart => self.at_restart(tables, core, now, sink),
            Some(_) => return self.at_mailbox(tables, core, now, sink),
            None => self.locked(tables, core, now, sink),
        }
        Ok(())
    }

    /// A core goes through the section that is due at a restart.
    fn at_restart(&mut self, tables: &[OneCore<'_>], core: usize, now: Time, sink: impl Sink) {
        let own = &mut self.cores[core];
        let ipis = with_kernel!(own, &tables[core], sink, kernel => {
            let Some(number) = kernel.restart() else { return };
            let HostRestart { restart, written } = &mut self.restarts[number.at()];
            kernel.at_restart(now, restart, || HostRestart::write(written)).ipis()
        });
        own.outbox.extend(ipis);
    }

    fn at_mailbox(
        &mut self,
        tables: &[OneCore<'_>],
        core: usize,
        now: Time,
        sink: impl Sink,
    ) -> Result<(), Error> {
        #[cfg(feature = "mutations")]
        if self.is_taken_apart(tables, core) {
            return Ok(());
        }
        let own = &mut self.cores[core];
        let Some(mailbox) = own.home.due.mailbox() else { return Ok(()) };
        let mailbox = &self.mailboxes[mailbox.at()];
        let ipis = with_kernel!(own, &tables[core], sink, kernel => {
            kernel.at_mailbox(now, mailbox)
        })?;
        own.outbox.extend(ipis.iter());
        #[cfg(feature = "mutations")]
        self.mend(core);
        Ok(())
    }

    /// A core enters the lock that is due, does what there is to be done, and leaves it.
    fn locked(&mut self, tables: &[OneCore<'_>], core: usize, now: Time, sink: impl Sink) {
        let own = &mut self.cores[core];
        let Some(global) = own.home.due.global() else { return };
        #[cfg(feature = "mutations")]
        if crate::Mutation::OpenLock.is_seeded() && own.read.is_none() {
            own.read = Some(self.gates[global.at()].clone());
            return;
        }
        // Without the defect there is no such copy.
        if let Some(read) = own.read.take() {
            self.gates[global.at()] = read;
        }
        #[cfg(feature = "mutations")]
        if crate::Mutation::LateClear.is_seeded() {
            own.clears = is_look(own.home.due);
        }
        let HostGate { gate, requests, visits } = &mut self.gates[global.at()];
        let mut locked = Locked { gate, requests, visits };
        let left = with_kernel!(own, &tables[core], sink, kernel => {
            let left = kernel.section(now, &mut locked);
            // No other core sees this change: it is one step with the section.
            kernel.conclude(now, &left);
            left
        });
        own.outbox.extend(left.ipis.iter());
    }

    /// A core sends the first of its interrupts.
    pub fn send(&mut self, core: usize) {
        if self.cores[core].outbox.is_empty() {
            return;
        }
        // One at a time and in order: other cores can take steps between two of them.
        let look = self.cores[core].outbox.remove(0);
        self.cores[usize::from(look.core)].pending.tell(look.at);
    }

    /// Returns the work of a core at the end of its path.
    pub fn outcome(&mut self, tables: &[OneCore<'_>], core: usize) -> CoreOutcome {
        let own = &mut self.cores[core];
        with_kernel!(own, &tables[core], (), kernel => kernel.outcome())
    }
}

/// Defects at mailboxes that take a step apart.
#[cfg(feature = "mutations")]
impl Host {
    /// Returns `true` if a core does only the first half of a step.
    fn is_taken_apart(&mut self, tables: &[OneCore<'_>], core: usize) -> bool {
        use crate::Mutation::{EarlyLook, LateCollection, PlainSignal};
        let own = &mut self.cores[core];
        match own.home.due {
            Due::Collect(mailbox) if LateCollection.is_seeded() => {
                own.clears = Some(At::Mailbox(mailbox));
                false
            }
            Due::Post(mailbox, _) if own.half.is_none() => {
                if EarlyLook.is_seeded() {
                    let core = tables[core].1.mailboxes[mailbox.at()].core;
                    own.outbox.push(Ipi { core, at: At::Mailbox(mailbox) });
                    own.half = Some(0);
                }
                if PlainSignal.is_seeded() {
                    own.half = Some(self.mailboxes[mailbox.at()].signals());
                }
                own.half.is_some()
            }
            Due::Post(mailbox, _) if PlainSignal.is_seeded() => {
                self.mailboxes[mailbox.at()] = Mailbox::holding(own.half.unwrap_or(0));
                false
            }
            _ => false,
        }
    }

    /// Undoes the effects of the second half that belong to the first.
    fn mend(&mut self, core: usize) {
        let own = &mut self.cores[core];
        if own.half.take().is_some() && crate::Mutation::EarlyLook.is_seeded() {
            own.outbox.clear();
        }
    }
}

/// Returns the object that a section looks at.
#[cfg(feature = "mutations")]
fn is_look(due: Due) -> Option<At> {
    match due {
        Due::Look(global) => Some(At::Gate(global)),
        _ => None,
    }
}
