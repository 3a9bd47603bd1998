//! The threads inside each gate, and the restarts of components meanwhile.

use fusee_kernel::{GateIndex, GateKind, OnFault, Protocol, Tables, Time};

use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Store};

/// A component's life.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Fate {
    /// The number of its restarts.
    restarts: u32,
    dead: bool,
    /// Its initial data are still to be put back.
    unrestored: bool,
}

/// One stay of a thread in a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Visit {
    /// Through which gate; none: the thread is at home.
    gate: GateIndex,
    component: usize,
    /// The component's restarts when it began; none: it was dead.
    restarts: Option<u32>,
    /// When it began, or before: no release of an instant up to this was still to come.
    since: Time,
}

/// The visits of all threads, and the components' lives.
#[derive(Debug, Clone)]
pub(super) struct Visits {
    /// Each thread's, its home first.
    of: Vec<Vec<Visit>>,
    fates: Vec<Fate>,
    holders: Vec<Option<usize>>,
    /// Held gates with ceilings that bar others, in order of entry.
    entered: Vec<usize>,
}

impl Visits {
    pub(super) fn start(tables: &Tables<'_>) -> Visits {
        let home = |component: usize| {
            vec![Visit { gate: GateIndex::NONE, component, restarts: Some(0), since: 0 }]
        };
        Visits {
            of: tables.threads.iter().map(|thread| home(thread.component.at())).collect(),
            fates: vec![Fate::default(); tables.components.len()],
            holders: vec![None; tables.gates.len()],
            entered: Vec::new(),
        }
    }

    fn last(&self, thread: usize) -> &Visit {
        self.of[thread].last().expect("nobody leaves its home")
    }

    /// Returns the component that a thread is in.
    pub(super) fn component(&self, thread: usize) -> usize {
        self.last(thread).component
    }

    /// Returns the number of gates that it has passed and not come back from.
    pub(super) fn depth(&self, thread: usize) -> usize {
        self.of[thread].len() - 1
    }

    /// Returns the gate passed last; none: the thread is at home.
    pub(super) fn gate(&self, thread: usize) -> Option<GateIndex> {
        Some(self.last(thread).gate).filter(|gate| gate.is_some())
    }

    /// Returns the thread that is inside an exclusive gate.
    pub(super) fn holder(&self, gate: usize) -> Option<usize> {
        self.holders[gate]
    }

    /// Returns the number of threads inside a gate.
    pub(super) fn inside(&self, gate: GateIndex) -> usize {
        self.of.iter().flatten().filter(|visit| visit.gate == gate).count()
    }

    /// Returns the gates that a thread has passed and not come back from, and when it did.
    pub(super) fn passed(&self, thread: usize) -> impl Iterator<Item = (GateIndex, Time)> {
        self.of[thread][1..].iter().map(|visit| (visit.gate, visit.since))
    }

    /// Held gates with ceilings that bar others, in order of entry.
    pub(super) fn entered(&self) -> &[usize] {
        &self.entered
    }

    /// Returns `true` if the gate passed last is a mutex.
    pub(super) fn has_locked(&self, tables: &Tables<'_>, thread: usize) -> bool {
        self.gate(thread).is_some_and(|gate| tables.gates[gate.at()].kind == GateKind::Mutex)
    }

    pub(super) fn is_dead(&self, component: usize) -> bool {
        self.fates[component].dead
    }

    pub(super) fn is_home_dead(&self, tables: &Tables<'_>, thread: usize) -> bool {
        self.is_dead(tables.threads[thread].component.at())
    }

    /// Returns `true` if the component in which a thread is has died or been restarted since it
    /// came.
    pub(super) fn is_gone(&self, thread: usize) -> bool {
        let visit = self.last(thread);
        let fate = self.fates[visit.component];
        fate.dead || visit.restarts != Some(fate.restarts)
    }

    /// Returns `true` if the component in which a thread is must be put back to its initial data
    /// first.
    pub(super) fn is_unrestored(&self, thread: usize) -> bool {
        !self.is_gone(thread) && self.fates[self.component(thread)].unrestored
    }

    fn arrival(&self, component: usize) -> Option<u32> {
        let fate = self.fates[component];
        (!fate.dead).then_some(fate.restarts)
    }

    /// A job begins.
    pub(super) fn begin(&mut self, tables: &Tables<'_>, thread: usize) {
        let component = tables.threads[thread].component.at();
        self.of[thread][0].restarts = self.arrival(component);
    }

    /// A thread passes a gate.
    pub(super) fn enter(
        &mut self,
        tables: &Tables<'_>,
        thread: usize,
        (gate, since): (GateIndex, Time),
    ) {
        let config = &tables.gates[gate.at()];
        let visit = match config.kind {
            // Who locks a mutex stays where it is, and as stale as it is.
            GateKind::Mutex => Visit { gate, since, ..*self.last(thread) },
            GateKind::Interface => {
                let component = config.component.at();
                Visit { gate, component, restarts: self.arrival(component), since }
            }
        };
        self.of[thread].push(visit);
        if config.protocol.is_exclusive() {
            self.holders[gate.at()] = Some(thread);
        }
        if matches!(config.protocol, Protocol::Ceiling { .. }) {
            self.entered.push(gate.at());
        }
    }

    /// A thread comes back from the gate passed last: which that was.
    pub(super) fn leave(&mut self, thread: usize) -> Option<GateIndex> {
        let gate = self.gate(thread)?;
        self.of[thread].pop();
        self.holders[gate.at()] = None;
        self.entered.retain(|&entered| entered != gate.at());
        Some(gate)
    }

    /// A thread has faulted: what becomes of the component in which it is.
    pub(super) fn punish(&mut self, tables: &Tables<'_>, thread: usize) {
        if self.is_gone(thread) {
            return;
        }
        let component = self.component(thread);
        let fate = &mut self.fates[component];
        match tables.components[component].on_fault {
            OnFault::Continue => {}
            OnFault::Dead => fate.dead = true,
            OnFault::Restart => {
                *fate = Fate { restarts: fate.restarts + 1, unrestored: true, ..*fate }
            }
        }
    }

    /// A thread has put the component's initial data back.
    pub(super) fn restored(&mut self, thread: usize) {
        let component = self.component(thread);
        self.fates[component].unrestored = false;
    }

    pub(super) fn compare<P: Rules>(
        &self,
        tables: &Tables<'_>,
        store: &Store<P>,
        active: impl Fn(usize) -> bool,
    ) -> Checked {
        for thread in 0..self.of.len() {
            let frames = store.frames_of(tables, thread);
            let same = frames
                .iter()
                .map(|frame| frame.gate)
                .eq(self.of[thread][1..].iter().map(|visit| visit.gate));
            ensure(Rule::Invocations, same, || {
                let is: Vec<u16> = frames.iter().map(|frame| frame.gate.0).collect();
                let due: Vec<u16> = self.of[thread][1..].iter().map(|visit| visit.gate.0).collect();
                format!("T{thread} is inside gates {is:?}, not {due:?}")
            })?;
            let (is, due) = (store.is_stale(tables, thread), self.is_gone(thread));
            ensure(Rule::Fates, !active(thread) || is == due, || {
                format!("whether T{thread}'s component is gone: {is}, it should be {due}")
            })?;
        }
        for (index, (state, fate)) in store.components.iter().zip(&self.fates).enumerate() {
            let same = state.is_dead() == fate.dead && state.is_unrestored() == fate.unrestored;
            ensure(Rule::Fates, same, || format!("component {index} is {state:?}, not {fate:?}"))?;
        }
        Ok(())
    }
}
