//! Rules that hold in every state, checked by the kernel on itself.
//!
//! The explorer checks these rules on copies of the state, with the history of each step beside it.
//! A kernel that is built with the feature `checked` checks them on its own memory after each
//! event, without allocating: on a machine, with real traps, they say whether the state between two
//! events is whole. Their time does not matter: queues are counted thread by thread.

use crate::ceilings::Ceilings;
use crate::policy::Policy;
use crate::{Frame, GateIndex, List, Sink, Status, ThreadIndex};

/// A rule that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Broken {
    /// A thread is in a queue that its status does not name, in none that it does, or the core and
    /// it disagree.
    Queue = 1,
    /// A gate's holder and the frames inside it disagree, or it is free and waited for.
    Gate = 2,
    /// A stack is both free and in use, or neither.
    Stack = 3,
    /// An effective priority or a floor is not what the rule gives.
    Priority = 4,
    /// A ready thread has a higher priority than the running one.
    Highest = 5,
    /// Threads wait for each other in a circle.
    Circle = 6,
    /// A notification is pending, yet waited for.
    Pending = 7,
    /// The stack of held ceilings is not what the gates' holders say.
    Ceilings = 8,
}

fn ensure(holds: bool, broken: Broken) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(broken) }
}

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Checks the whole state. Steps: the square of the number of threads, times gates and levels.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn check(&self) -> Result<(), Broken> {
        for index in 0..self.memory.threads.len() {
            let thread = ThreadIndex(index as u16);
            self.check_queue(thread)?;
            self.check_chain(thread)?;
            self.check_priority(thread)?;
        }
        self.check_gates()?;
        let whole = self.memory.core.ceilings.is_whole(self.memory.gates);
        ensure(whole, Broken::Ceilings)?;
        self.check_stacks()?;
        self.check_notifications()
    }

    fn count(&self, list: &List, thread: ThreadIndex) -> usize {
        list.count(self.memory.threads, thread)
    }

    fn check_queue(&self, thread: ThreadIndex) -> Result<(), Broken> {
        let state = self.thread(thread);
        // In all queues and not in its own alone: what breaks a list is a thread in two of them.
        let (ready, in_place) = P::count(&self.memory, thread);
        let gates: usize =
            self.memory.gates.iter().map(|gate| self.count(&gate.waiters, thread)).sum();
        let notifications = self.memory.notifications.iter();
        let notifications: usize =
            notifications.map(|state| self.count(&state.waiters, thread)).sum();
        let at = state.waits_at as usize;
        let here = match state.status {
            Status::Ready => in_place,
            Status::AtGate => {
                self.memory.gates.get(at).map_or(0, |gate| self.count(&gate.waiters, thread))
            }
            Status::AtNotification => self
                .memory
                .notifications
                .get(at)
                .map_or(0, |notification| self.count(&notification.waiters, thread)),
            Status::Idle | Status::Running | Status::Suspended => 0,
        };
        let queued =
            matches!(state.status, Status::Ready | Status::AtGate | Status::AtNotification);
        // Both ways: no thread believes that it runs but the one that the core names.
        let runs = self.memory.core.current == thread;
        ensure(
            ready + gates + notifications == usize::from(queued) && here == usize::from(queued),
            Broken::Queue,
        )?;
        ensure(runs == (state.status == Status::Running), Broken::Queue)?;
        ensure(state.status != Status::Idle || state.is_home(), Broken::Queue)
    }

    /// Following gate and holder from a waiter comes to an end.
    fn check_chain(&self, thread: ThreadIndex) -> Result<(), Broken> {
        let mut at = thread;
        // A walk of more steps than there are threads has been somewhere twice.
        for _ in 0..=self.memory.threads.len() {
            match self.thread(at).gate() {
                None => return Ok(()),
                Some(gate) => at = self.gate(gate).holder,
            }
            ensure(at.is_some(), Broken::Gate)?;
        }
        Err(Broken::Circle)
    }

    /// Chains end, so the rule has one solution, and it is enough that it holds for each thread.
    fn check_priority(&self, thread: ThreadIndex) -> Result<(), Broken> {
        let mut priority = self.thread(thread).base;
        // The record of a mutex can stand on the home, too.
        priority = priority.max(self.demand(self.home(thread)));
        for frame in self.frames(thread) {
            ensure(frame.floor == priority, Broken::Priority)?;
            priority = priority.max(self.demand(frame));
        }
        ensure(self.thread(thread).effective == priority, Broken::Priority)?;
        let current = self.current();
        let ready = self.thread(thread).status == Status::Ready;
        ensure(
            !ready || current.is_some() && self.thread(current).effective >= priority,
            Broken::Highest,
        )
    }

    fn home(&self, thread: ThreadIndex) -> &Frame<P> {
        &self.memory.frames[self.first_frame(thread)]
    }

    fn demand(&self, frame: &Frame<P>) -> P::Urgency {
        let gates = self.gates_of(frame);
        gates.fold(P::LEAST, |most, gate| most.max(self.demand_at(frame, gate)))
    }

    fn demand_at(&self, frame: &Frame<P>, gate: GateIndex) -> P::Urgency {
        let protocol = self.tables.gates[gate.at()].protocol;
        let own = P::claimed(frame.claim, P::ceiling(&self.tables, protocol));
        // From the threads' own states: the order in the gate's queue is part of what is checked.
        let waits = |index: &usize| self.memory.threads[*index].gate() == Some(gate);
        let waiters =
            (0..self.memory.threads.len()).filter(|index| protocol.inherits() && waits(index));
        waiters.fold(own, |most, index| most.max(self.memory.threads[index].effective))
    }

    /// Returns the number of threads that have frames of this gate, and the last of them.
    fn inside(&self, gate: usize) -> (usize, ThreadIndex) {
        let threads = (0..self.memory.threads.len()).map(|index| ThreadIndex(index as u16));
        threads.fold((0, ThreadIndex::NONE), |(count, last), thread| {
            let frames = self.frames(thread).iter().chain([self.home(thread)]);
            match frames.flat_map(|frame| self.gates_of(frame)).filter(|at| at.at() == gate).count()
            {
                0 => (count, last),
                more => (count + more, thread),
            }
        })
    }

    fn check_gates(&self) -> Result<(), Broken> {
        for (gate, state) in self.memory.gates.iter().enumerate() {
            let (count, last) = self.inside(gate);
            let right = if state.exclusive {
                count <= 1 && state.holder == last
            } else {
                state.holder.is_none()
            };
            ensure(right && (state.holder.is_some() || state.waiters.is_empty()), Broken::Gate)?;
        }
        Ok(())
    }

    fn check_stacks(&self) -> Result<(), Broken> {
        for (gate, state) in self.memory.gates.iter().enumerate() {
            let (count, _) = self.inside(gate);
            let mut free = 0;
            let mut stack = state.free;
            // A list that leads back into itself would not end.
            while stack.is_some() && free <= self.memory.stacks.len() {
                free += 1;
                stack = self.memory.stacks[stack.at()];
            }
            let expected = self.tables.gates[gate].stacks as usize;
            // The stack of an exclusive gate is not taken off.
            let right = if state.exclusive { free == expected } else { free + count == expected };
            ensure(right, Broken::Stack)?;
        }
        Ok(())
    }

    fn check_notifications(&self) -> Result<(), Broken> {
        let mut all = self.memory.notifications.iter();
        ensure(all.all(|state| state.pending == 0 || state.waiters.is_empty()), Broken::Pending)
    }
}
