//! The work of kernels for gates between cores, at most, and its time.
//!
//! With k cores at a gate whose lock nobody holds longer than S, a path waits w = (k - 1) S at
//! each lock. Let A be asking, R the return, L a look, P the longest path with a loss and a gain
//! in it, but without what it waits. Once a section is over or laid down, nobody executes at the
//! gate until the next section begins or goes on: that takes the *turn*
//!
//! - msrp: A + L + w. The next is on its core, perhaps still on the path on which it asked, and
//!   looks.
//! - mrsp: 2 P + L + w. The first who is present looks, perhaps after a path. Another one who asks
//!   or comes back meanwhile takes the section instead, at the latest just before that look does,
//!   and must first come to the end of its own path.
//!
//! In both cases the core that executes then can be told to look where requests of preempted
//! threads stand: at each other mrsp gate twice, since such a request has one result, and was
//! present once. So X = 2 n (L + w) for n such gates is in the turn.
//!
//! - A request takes A + R + 2 w and a turn of its own core: it asks, returns, and under msrp looks
//!   for its turn at the end of the path on which it has asked, so that A counts once. Under mrsp
//!   its section can end elsewhere, and it looks for the result: L + w more.
//! - Each request ahead, one of each other core, is waited for: its section, R + w and a turn.
//! - An interrupt of a core with mrsp gates can take the core from a thread that has asked: a loss
//!   and w now, a gain and w later. The gain may find a section that is in its turn, and a look
//!   that was meant for who was present comes for nothing: a turn, and L + w. That is where windows
//!   wait at gates between cores. To others, requests of threads that do not run in them are lost
//!   once, get a result, and were present: n (2 L + 3 w) and n losses, once in a window.
//! - At the start of a window one of these requests can be present, until the first interrupt is
//!   handled. It is told where nobody executes: after each of the sections ahead of it, k - 1, and
//!   after each loss elsewhere in the time in which that interrupt is pending.
//! - To who waits on another core the same interrupt is a loss, w, and a turn besides its path.
//! - A turn can be under way when a window starts that waits, as a path can.
//!
//! Under mpcp who waits is suspended, and a look wakes it: that path takes
//! V = L + w + a loss and a gain with w each, since the boosted thread takes the core from one that
//! has asked. While no thread of a core runs, each of its s suspended threads is woken once.
//!
//! - The turn is P + 3 w + V: the core can be on a path when it is told. Before that look it can
//!   take the s - 1 others', and those at each mrsp gate, twice: (s - 1 + 2 n) (L + w). Those that
//!   come later, until the return, are the same ones: nobody on that core runs who could ask anew.
//! - A request takes A + R + 2 w, V, and a gain and w where the thread that it took the core from
//!   has it back. If that one can have asked at an mrsp gate, it is interrupted besides: see above.
//! - A request ahead is first for its turn, its section, R + w.
//! - A core that stays with one thread, as under msrp, is told s looks meanwhile at most: s (L + w)
//!   is in the request and in each that is ahead.
//! - To who waits elsewhere at an mrsp gate a thread that is woken is an interrupt like any other,
//!   of V. How often is known where jobs end within their periods: T of jitter.
//!
//! Interrupts on the cores at whose gates a window waits are counted in the whole window, since
//! whenever its wait brings no section further, and is not in a turn, the core that executes is on
//! a path that an interrupt has begun. They may have come before the window: an interrupt is
//! *pending* until its path ends, through a path under way, one more that begins at the same
//! instant, all that comes meanwhile, and looks.

use fusee_model::costs::{CoreCosts, CostTable};
use fusee_model::derived::Derived;
use fusee_model::{Duration, Gate, GateId, System, Waiting};

use crate::amount::Amount;
use crate::interrupt::Interrupt;
use crate::wakes::Wakes;

/// The costs of requests at one gate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AtGate {
    /// Until the next section begins or goes on.
    pub(crate) turn: Amount,
    /// A request, on its own core.
    pub(crate) request: Amount,
    /// A request ahead, besides its section.
    pub(crate) ahead: Amount,
}

/// The costs of one core's interrupts and looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OnCore {
    /// The longest path, with what it waits for locks.
    pub(crate) path: Amount,
    /// Added to each interrupt, for the core itself, where a window waits at a gate.
    pub(crate) own: Amount,
    /// The time added to each interrupt, for threads that wait on other cores.
    pub(crate) elsewhere: Amount,
    /// In one window, for requests of threads that do not run in it.
    pub(crate) aside: Amount,
    /// The cost of the interrupts that a core gets while a request is present, and does not come to
    /// handle.
    pub(crate) present: Amount,
    /// The longest for which an interrupt is pending.
    pub(crate) pending: Amount,
}

/// The paths of all cores.
#[derive(Debug, Clone)]
pub(crate) struct Between {
    /// By gate; `None`: it is not between cores.
    gates: Vec<Option<AtGate>>,
    /// By core; `None`: it has no part in such gates.
    cores: Vec<Option<OnCore>>,
    /// Threads that are woken on cores at whose gates others help.
    pub(crate) woken: Vec<Interrupt>,
    /// The longest wait at a lock.
    pub(crate) lock: Amount,
}

impl Default for Between {
    fn default() -> Self {
        Self { gates: Vec::new(), cores: Vec::new(), woken: Vec::new(), lock: Amount::ZERO }
    }
}

/// A system, what its kernel's paths cost, and who wakes whom in it.
#[derive(Clone, Copy)]
pub(crate) struct Measured<'s, 'c> {
    pub(crate) system: &'s System,
    pub(crate) derived: &'s Derived,
    pub(crate) costs: &'c CostTable,
    pub(crate) wakes: &'c Wakes,
}

/// Rounds in which the longest pending time is looked for.
const MOST_ITERATIONS: u32 = 1_000;

impl Between {
    /// Returns the paths of a system whose cores each have these interrupts, and no longer path of
    /// their own than this.
    pub(crate) fn of(
        measured: Measured<'_, '_>,
        longest: Amount,
        interrupts: &[Interrupt],
    ) -> Self {
        let system = measured.system;
        let globals = system.gate_ids().filter(|(_, gate)| gate.is_global());
        let globals: Vec<GateId> = globals.map(|(id, _)| id).collect();
        // Without such gates kernels have none of these paths, and the costs stay those of single
        // cores.
        if globals.is_empty() {
            return Self::default();
        }
        let paths = Paths::of(measured, longest, globals);
        let gate = |(id, gate): (GateId, &Gate)| gate.is_global().then(|| paths.at(id));
        let gates: Vec<Option<AtGate>> = system.gate_ids().map(gate).collect();
        // A thread that is woken can take the core from one that waits at any other gate, and then
        // that gate's turn counts: so the turns of all gates must be known before.
        let gates = paths.with_losses(gates);
        let cores = (0..system.cores()).map(|core| paths.on(core, &gates)).collect();
        // A thread that is woken disturbs other cores only if its core may be executing for them,
        // which happens at gates where others help.
        let helps = |wake: &Interrupt| paths.helping(wake.core).next().is_some();
        let woken = measured.wakes.all(system, paths.wake()).filter(helps).collect();
        let mut between = Self { gates, cores, woken, lock: paths.lock };
        // A loss on one core brings a look to another, so pending times depend on each other. They
        // grow from the least on, and the first that confirm each other are taken.
        for _ in 0..MOST_ITERATIONS {
            let next: Vec<Option<OnCore>> =
                (0..system.cores()).map(|core| between.pend(core, &paths, interrupts)).collect();
            if next == between.cores {
                return between.with_looks(&paths);
            }
            between.cores = next;
        }
        // A time that still grows has no bound, so the last number must not be used.
        between.cores.iter_mut().flatten().for_each(|core| {
            (core.pending, core.present) = (Amount(None), Amount(None));
        });
        between.with_looks(&paths)
    }

    /// Adds to turns of a woken thread the looks that its core is told of before, for one that has
    /// asked on another core.
    fn with_looks(mut self, paths: &Paths<'_>) -> Self {
        for &id in paths.globals.iter().filter(|&&id| paths.is_suspending(id)) {
            // The next owner may wait on any of these cores, so the most that one of them is told
            // counts.
            let present = paths.users(id).iter().filter_map(|&core| Some(self.on(core)?.present));
            let present = present.max().unwrap_or(Amount::ZERO);
            if let Some(at) = &mut self.gates[id.index()] {
                (at.turn, at.ahead) = (at.turn.plus(present), at.ahead.plus(present));
            }
        }
        self
    }

    /// Returns the costs of requests at a gate; `None`: it is not between cores.
    pub(crate) fn at(&self, gate: GateId) -> Option<AtGate> {
        self.gates.get(gate.index()).copied().flatten()
    }

    /// Returns the costs of a core's interrupts; `None`: it has no part in gates between cores.
    pub(crate) fn on(&self, core: u32) -> Option<OnCore> {
        self.cores.get(core as usize).copied().flatten()
    }

    /// Returns the time for which interrupts of a core are pending, if on all cores they are
    /// pending as long as is known: losses on other cores bring looks.
    fn pend(&self, core: u32, paths: &Paths<'_>, interrupts: &[Interrupt]) -> Option<OnCore> {
        let own = self.on(core)?;
        // One path can be under way, and another interrupt can begin one at the same instant.
        let mut sum = own.path.times(2).plus(paths.looks_at_once(core));
        let mut present = paths.looks_ahead(core);
        let woken = self.woken.iter().filter(|wake| wake.core != core);
        for interrupt in interrupts.iter().chain(woken) {
            let there = interrupt.core;
            if there == core {
                // Its paths, but not the turn, in which another core goes on.
                let helps = paths.helping(core).next().is_some();
                let settled = if helps { paths.wake() } else { Amount::ZERO };
                let cost = interrupt.cost.plus(settled);
                sum = sum.plus(interrupt.within(own.pending, cost));
            } else if let Some(other) = self.on(there).filter(|_| paths.help(core, there)) {
                // An interrupt of the other core brings its look when that handles it, which may be
                // as late as it is pending there.
                let window = own.pending.plus(other.pending);
                let looks = interrupt.within(window, paths.look.times(interrupt.times));
                (sum, present) = (sum.plus(looks), present.plus(looks));
            }
        }
        Some(OnCore { pending: sum, present, ..own })
    }
}

/// The numbers of the table, and the gates that cores share.
struct Paths<'a> {
    system: &'a System,
    derived: &'a Derived,
    costs: &'a CostTable,
    wakes: &'a Wakes,
    cores: CoreCosts,
    globals: Vec<GateId>,
    /// The wait for a lock, w.
    lock: Amount,
    /// The cost of a look with its lock, L + w.
    look: Amount,
    /// The longest path, P.
    longest: Amount,
}

impl<'a> Paths<'a> {
    fn of(measured: Measured<'a, 'a>, longest: Amount, globals: Vec<GateId>) -> Self {
        let Measured { system, derived, costs, wakes } = measured;
        // Where the table lacks these, no request has a cost (see `KernelCost::with_between`). So
        // the zeros that stand for them here are in no bound.
        let cores = costs.cores.unwrap_or_default();
        let most = globals.iter().map(|&id| derived.gate(id).cores.len()).max().unwrap_or(0);
        // Locks are taken in the order of asking, so each other core at the gate goes before once.
        let lock = Amount::of(cores.lock).times(most.saturating_sub(1) as u64);
        let look = Amount::of(cores.look).plus(lock);
        // Any path may end with one thread that has asked losing the core, and another one getting
        // it.
        let settling = Amount::of(cores.lose).plus(Amount::of(cores.gain));
        let longest = longest.max(Amount::of(cores.look)).max(Amount::of(cores.pass));
        let longest = longest.plus(settling);
        Self { system, derived, costs, wakes, cores, globals, lock, look, longest }
    }

    /// Returns the cores that use a gate.
    fn users(&self, gate: GateId) -> &'a [u32] {
        &self.derived.gate(gate).cores
    }

    fn is_helping(&self, gate: GateId) -> bool {
        self.system.gate(gate).protocol.value.helps()
    }

    fn is_suspending(&self, gate: GateId) -> bool {
        self.system.gate(gate).protocol.value.suspends()
    }

    /// Returns the gates of a core.
    fn gates_of(&self, core: u32) -> impl Iterator<Item = GateId> + '_ {
        self.globals.iter().copied().filter(move |&id| self.users(id).contains(&core))
    }

    /// Returns the gates of a core at which others help.
    fn helping(&self, core: u32) -> impl Iterator<Item = GateId> + '_ {
        self.gates_of(core).filter(|&id| self.is_helping(id))
    }

    /// Returns `true` if two cores help each other.
    fn help(&self, one: u32, other: u32) -> bool {
        self.helping(one).any(|id| self.users(id).contains(&other))
    }

    fn at(&self, gate: GateId) -> AtGate {
        let protocol = self.system.gate(gate).protocol.value;
        // A protocol that the table leaves out has no cost at its gate, so these zeros are in no
        // bound.
        let of = |entry: Option<Duration>| Amount::of(entry.unwrap_or_default());
        let (ask, back) = (of(self.costs.invoke.of(protocol)), of(self.costs.return_.of(protocol)));
        let others = |&core: &u32| self.helping(core).filter(|&other| other != gate).count() as u64;
        // The core that executes next may be any that uses the gate, so the one with most other
        // gates counts. A request of a preempted thread has one result there and was present once:
        // two looks.
        let others = self.users(gate).iter().map(others).max().unwrap_or(0);
        let aside = self.look.times(2 * others);
        let looks = self.look.plus(aside);
        let back = back.plus(self.lock);
        // Asking and returning each take the gate's lock once.
        let own = ask.plus(self.lock).plus(back);
        let sleepers = self.users(gate).iter().map(|&core| self.wakes.of_core(core)).max();
        let sleepers = sleepers.unwrap_or(0);
        match self.system.gate(gate).protocol.value.waiting() {
            Some(Waiting::Suspended) => {
                // One of the suspended threads is the next owner itself, and its own look is in the
                // wake-up.
                let looks = aside.plus(self.look.times(sleepers.saturating_sub(1)));
                let turn = self.path().plus(self.wake()).plus(looks);
                let request = own.plus(self.wake()).plus(self.gain());
                AtGate { turn, request, ahead: back.plus(turn) }
            }
            Some(Waiting::Helps) => {
                // One path is that of the core which is told to look. The other is that of a core
                // which takes the section just before that look, and must first come to the end of
                // its own path.
                let turn = self.longest.times(2).plus(looks);
                // The section may end on another core, and then this one has to look for the
                // result.
                let request = own.plus(turn).plus(self.look);
                AtGate { turn, request, ahead: back.plus(turn) }
            }
            Some(Waiting::Stays) | None => {
                let looks = looks.plus(self.look.times(sleepers));
                // The next one looks at the end of the path on which it has asked. In its own
                // request that path counts already, so only the looks are added there.
                let turn = ask.plus(looks);
                AtGate { turn, request: own.plus(looks), ahead: back.plus(turn) }
            }
        }
    }

    /// Adds to requests that wait suspended what they take from others that have asked.
    fn with_losses(&self, mut gates: Vec<Option<AtGate>>) -> Vec<Option<AtGate>> {
        let turns = gates.clone();
        for &id in self.globals.iter().filter(|&&id| self.is_suspending(id)) {
            let losses = self.users(id).iter().map(|&core| self.losses(core, &turns).1).max();
            if let Some(at) = &mut gates[id.index()] {
                at.request = at.request.plus(losses.unwrap_or(Amount::ZERO));
            }
        }
        gates
    }

    /// Returns the cost of taking a core from a thread that has asked at a gate where others help:
    /// for the threads that wait on other cores, and for the core itself.
    fn losses(&self, core: u32, gates: &[Option<AtGate>]) -> (Amount, Amount) {
        // Only the thread that has the core can lose it, and it has asked at one gate. So one turn
        // counts, the longest; and none where nobody helps.
        let turn = self.helping(core).filter_map(|id| Some(gates[id.index()]?.turn)).max();
        let elsewhere = turn.map_or(Amount::ZERO, |turn| turn.plus(self.lose()));
        let own = turn.map_or(Amount::ZERO, |_| elsewhere.plus(self.gain()).plus(self.look));
        (elsewhere, own)
    }

    fn lose(&self) -> Amount {
        Amount::of(self.cores.lose).plus(self.lock)
    }

    fn gain(&self) -> Amount {
        Amount::of(self.cores.gain).plus(self.lock)
    }

    /// Returns the cost of a wake-up, V.
    fn wake(&self) -> Amount {
        self.look.plus(self.lose()).plus(self.gain())
    }

    /// P + 3 w.
    fn path(&self) -> Amount {
        self.longest.plus(self.lock.times(3))
    }

    fn on(&self, core: u32, gates: &[Option<AtGate>]) -> Option<OnCore> {
        // A core without such gates is as if it were alone, whatever others do.
        self.gates_of(core).next()?;
        let path = self.path();
        let (elsewhere, own) = self.losses(core, gates);
        let lose = self.lose();
        let aside = self.look.times(2).plus(lose).times(self.helping(core).count() as u64);
        let (present, pending) = (Amount::ZERO, Amount::ZERO);
        Some(OnCore { path, own, elsewhere, aside, present, pending })
    }

    /// Looks that a present request can bring, one for each section ahead of it that returns.
    fn looks_ahead(&self, core: u32) -> Amount {
        let at = |id: GateId| self.users(id).len() as u64 - 1;
        self.look.times(self.helping(core).map(at).sum())
    }

    /// Returns the looks that a core can be told of without an interrupt of a thread: at a gate one
    /// when a section ends, and where others help for each request that is ahead, and for the
    /// result; and one for each suspended thread.
    fn looks_at_once(&self, core: u32) -> Amount {
        let at = |id: GateId| if self.is_helping(id) { self.users(id).len() as u64 + 1 } else { 1 };
        let looks = self.look.times(self.gates_of(core).map(at).sum());
        looks.plus(self.wake().times(self.wakes.of_core(core)))
    }
}
