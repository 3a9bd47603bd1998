//! The steps that cores take under a gate's lock.

use crate::mutation::seeded;
use crate::{Failure, GateIndex, GlobalIndex, Kind, Next, Policy, ResumeReason, SeatIndex, Sink};
use crate::{Status, ThreadIndex, Time};

use super::shared::AtHome;
use super::{Answer, At, CoreKernel, Due, GlobalProtocol, Inside};
use super::{Ipi, Ipis, Left, Locked, NO_CORE, Visit};

impl<P: Policy, S: Sink> CoreKernel<'_, '_, P, S> {
    /// The section that is [`due`](Self::due), under its gate's lock; what is left to do when the
    /// lock is free, of which [`conclude`](Self::conclude) does this core's part. Steps: the
    /// requests at the gate, at most one for each core under [`GlobalProtocol::Msrp`] and
    /// [`GlobalProtocol::Mrsp`].
    pub fn section(&mut self, now: Time, locked: &mut Locked<'_>) -> Left {
        // Asked before the section, which may wake a thread of this core.
        let idled = self.kernel.current().is_none();
        let left = match self.home.due {
            Due::Nothing | Due::Post(..) | Due::Collect(_) => return Left::NOTHING,
            Due::RestartFault(_) | Due::PutBack(_) | Due::RestartSeen(_) => return Left::NOTHING,
            Due::Ask(global, seat) => self.ask_locked(now, (global, seat), locked),
            Due::Lose(global) => self.lose(now, global, locked),
            Due::Gain(global) => self.gain(now, global, locked),
            Due::Look(global) => self.look_locked(now, global, locked),
            Due::Pass(_, gate) => self.pass(gate, locked),
            Due::Leave(global, failure) if self.is_mutex(global) => {
                self.unlock(now, global, failure, locked)
            }
            Due::Leave(global, failure) => self.leave(now, global, failure, locked),
        };
        Left { idled, ..left }
    }

    /// Ends a section whose lock is free. Which thread runs on this core concerns no other core, so
    /// the others need not wait for that at the gate.
    pub fn conclude(&mut self, now: Time, left: &Left) {
        match left.home {
            AtHome::Nothing => {}
            AtHome::StandIn(global) => {
                let thread = self.kernel.current();
                self.kernel.stand_in(now, thread, self.tables.stand_in(global));
            }
            AtHome::End(answer) => self.end(now, left.back, answer),
            AtHome::Unlocked(failure) => self.go_on_unlocked(now, failure),
        }
        // A core that idles on has nothing to settle.
        let idles = left.idled && self.kernel.core().ready.top().is_none();
        self.end_step(now, if idles { Next::Same } else { Next::Open });
    }

    fn ask_locked(
        &mut self,
        now: Time,
        (global, seat): (GlobalIndex, SeatIndex),
        locked: &mut Locked<'_>,
    ) -> Left {
        let thread = self.kernel.current();
        locked.append(self.config(global), seat);
        let waits = locked.gate.first != seat;
        self.tell(now, Kind::Ask, (global, thread), u64::from(waits));
        // A thread that waits there gives its core to others until its turn comes; under the other
        // protocols it stays, and executes the sections that there are.
        if waits && self.config(global).protocol == GlobalProtocol::Mpcp {
            // A suspended thread is never present: a section left to it would lie until its core
            // chose it.
            locked.requests[seat.at()].present = seeded!(EarlyPresence, true, false);
            // Its budget may not end from now on: other cores wait for it when it owns the gate.
            self.kernel.give_credit(now, thread);
            self.kernel.wait_for_turn(now, self.tables.turn(global));
            return Left::NOTHING;
        }
        self.announce(now, (global, seat), locked);
        Left { home: AtHome::StandIn(global), ..Left::NOTHING }
    }

    /// Records what concerns a thread at a gate.
    pub(super) fn tell(
        &mut self,
        now: Time,
        kind: Kind,
        (global, thread): (GlobalIndex, ThreadIndex),
        value: u64,
    ) {
        self.kernel.record(now, kind, thread, self.tables.stand_in(global).0, value);
    }

    /// A thread's core has chosen it: it is present, and takes the activation if no core executes
    /// it.
    fn announce(
        &mut self,
        now: Time,
        (global, seat): (GlobalIndex, SeatIndex),
        locked: &mut Locked<'_>,
    ) {
        // Announced before this core looks if another one executes, and under the same lock: a core
        // that lays the activation down after this finds the request present and tells this core.
        locked.requests[seat.at()].present = true;
        self.home.announced = self.kernel.current();
        if seeded!(TwoCores, true, locked.gate.executing == NO_CORE)
            && self.may_execute(global, seat, locked)
        {
            self.take(now, global, locked);
        }
    }

    /// Returns `true` if the request in this seat may be executed while no core executes any.
    fn may_execute(&self, global: GlobalIndex, seat: SeatIndex, locked: &Locked<'_>) -> bool {
        let is_first = locked.gate.first == seat;
        let helps = self.config(global).protocol == GlobalProtocol::Mrsp;
        is_first || seeded!(OwnersOnly, false, helps)
    }

    /// This core executes the activation from now on, in the announced thread's time.
    fn take(&mut self, now: Time, global: GlobalIndex, locked: &mut Locked<'_>) {
        locked.gate.executing = self.tables.core;
        if locked.gate.owner.is_none() {
            self.begin(global, locked);
        }
        let owner = u64::from(locked.gate.owner.0);
        self.tell(now, Kind::Take, (global, self.home.announced), owner);
        if self.is_mutex(global) {
            self.hold(global);
        } else {
            self.load(global, locked);
        }
    }

    /// Begins the first request's activation, with the epoch by which this core goes.
    fn begin(&self, global: GlobalIndex, locked: &mut Locked<'_>) {
        let component = self.kernel.gate(self.tables.stand_in(global)).component;
        locked.begin(self.kernel.component(component).entering());
    }

    /// Loads the shared state of the activation that this core executes into its own kernel.
    fn load(&mut self, global: GlobalIndex, locked: &mut Locked<'_>) {
        let Locked { gate, visits, .. } = locked;
        let depth = gate.depth;
        let visit = usize::from(depth).checked_sub(1).and_then(|top| visits.get(top));
        let (component, kept) = match visit {
            Some(visit) => (visit.component, visit.epoch),
            None => (self.kernel.gate(self.tables.stand_in(global)).component, gate.epoch),
        };
        // The epoch from when the section came there, so that a restart since then is seen.
        let epoch = seeded!(AdoptedSection, self.kernel.component(component).entering(), kept);
        // Taken out, so that no other core tells the section the same again.
        let reason = core::mem::replace(&mut gate.reason, ResumeReason::Nothing);
        self.home.inside = Inside { global, component, epoch, depth, reason, value: gate.value };
    }

    /// This core no longer executes the activation, which can go on elsewhere.
    fn give_back(&mut self, locked: &mut Locked<'_>) {
        let inside = core::mem::replace(&mut self.home.inside, Inside::NOTHING);
        locked.gate.executing = NO_CORE;
        // What the section has not been told yet goes with it to the next core.
        locked.gate.reason = inside.reason;
        locked.gate.value = inside.value;
        #[cfg(feature = "mutations")]
        if crate::Mutation::LostContext.is_seeded() {
            locked.gate.owner = SeatIndex::NONE;
        }
    }

    /// The announced thread has lost its core.
    fn lose(&mut self, now: Time, global: GlobalIndex, locked: &mut Locked<'_>) -> Left {
        let thread = self.home.announced;
        let seat = self.seat(global, thread);
        self.home.announced = ThreadIndex::NONE;
        // Withdrawn first: the search below for the next core must not find this one.
        locked.requests[seat.at()].present = false;
        let executed = locked.gate.executing == self.tables.core;
        if executed {
            self.tell(now, Kind::LayDown, (global, thread), u64::from(locked.gate.owner.0));
            self.give_back(locked);
        }
        #[cfg(feature = "mutations")]
        if crate::Mutation::DroppedCeiling.is_seeded()
            && !executed
            && locked.gate.executing != NO_CORE
        {
            self.kernel.drop_ceiling(thread, true);
        }
        // Also if it has executed nothing: this core may have been told to take the activation.
        let free = locked.gate.executing == NO_CORE;
        let passes_on = seeded!(SilentLoss, false, seeded!(LazyLoss, executed, free));
        // Under msrp no thread loses its core, and under mpcp no other one is present: the owner
        // takes up its section when its core chooses it again.
        let helps = self.config(global).protocol == GlobalProtocol::Mrsp;
        let next = if helps && passes_on { locked.first_present() } else { SeatIndex::NONE };
        Left::sending(Ipis::NONE.and(self.ipi_for(global, next)))
    }

    fn gain(&mut self, now: Time, global: GlobalIndex, locked: &mut Locked<'_>) -> Left {
        let thread = self.kernel.current();
        #[cfg(feature = "mutations")]
        if crate::Mutation::DroppedCeiling.is_seeded() {
            self.kernel.drop_ceiling(thread, false);
        }
        let seat = self.seat(global, thread);
        // A helper may have finished the section while this thread was off its core. Then there is
        // nothing to execute for it, and its seat is not in the queue any more.
        if locked.requests[seat.at()].answer == Answer::None {
            self.announce(now, (global, seat), locked);
        } else {
            // It takes note when it looks, which it has been told to.
            self.home.announced = thread;
        }
        Left::NOTHING
    }

    fn look_locked(&mut self, now: Time, global: GlobalIndex, locked: &mut Locked<'_>) -> Left {
        if self.config(global).protocol == GlobalProtocol::Mpcp {
            self.look_for_turn(now, global, locked);
            return Left::NOTHING;
        }
        let thread = self.kernel.gate(self.tables.stand_in(global)).holder;
        // An interrupt says only that something may concern this core. By now its request can have
        // ended.
        if thread.is_none() {
            return Left::NOTHING;
        }
        let seat = self.seat(global, thread);
        let answer = locked.requests[seat.at()].answer;
        let hasty = seeded!(HastyResult, locked.gate.first != seat, false);
        if answer != Answer::None || hasty {
            // Taken once. The seat is free for the thread's next request.
            locked.requests[seat.at()].answer = Answer::None;
            return Left::NOTHING.with(thread, answer);
        }
        self.take_announced(now, (global, thread), locked);
        Left::NOTHING
    }

    /// Takes the activation for the announced thread, if that is this one and no core executes it.
    fn take_announced(
        &mut self,
        now: Time,
        (global, thread): (GlobalIndex, ThreadIndex),
        locked: &mut Locked<'_>,
    ) {
        let free = locked.gate.executing == NO_CORE && self.home.announced == thread;
        if free && self.may_execute(global, self.seat(global, thread), locked) {
            self.take(now, global, locked);
        }
    }

    /// Gives the first request its turn: its thread is woken, or takes the activation.
    fn look_for_turn(&mut self, now: Time, global: GlobalIndex, locked: &mut Locked<'_>) {
        let first = locked.gate.first;
        let Some(seat) = self.config(global).seats.get(first.at()) else { return };
        // An old look: by now the first request is another core's, which is told itself.
        if seat.core != self.tables.core {
            return;
        }
        let (turn, gate) = (self.tables.turn(global), self.tables.stand_in(global));
        if self.kernel.thread(seat.thread).status == Status::AtNotification {
            self.tell(now, Kind::Turn, (global, seat.thread), 0);
            // The section's end chooses the thread that runs then.
            let _ = self.kernel.have_turn(now, seat.thread, turn, gate);
        } else {
            self.take_announced(now, (global, seat.thread), locked);
        }
    }

    /// The activation passes a gate below the global one.
    fn pass(&mut self, gate: GateIndex, locked: &mut Locked<'_>) -> Left {
        let component = self.kernel.gate(gate).component;
        let entering = self.kernel.component(component).entering();
        let epoch = seeded!(CallersEpoch, self.home.inside.epoch, entering);
        // There is a place: `inner_invoke` has compared the depth with the tables'.
        locked.visits[usize::from(locked.gate.depth)] = Visit { gate, component, epoch };
        locked.gate.depth += 1;
        let depth = locked.gate.depth;
        let inside = &mut self.home.inside;
        *inside = Inside { component, epoch, depth, reason: ResumeReason::Enter, ..*inside };
        Left::NOTHING
    }

    /// The activation comes back from the gate passed last, or fails there.
    fn leave(
        &mut self,
        now: Time,
        global: GlobalIndex,
        failure: Option<Failure>,
        locked: &mut Locked<'_>,
    ) -> Left {
        // A section that comes back from a gate below goes on in the one above, on the same core.
        if locked.gate.depth > 0 {
            locked.gate.depth -= 1;
            let told = found(seeded!(FaultBelow, None, failure));
            let (reason, value) = seeded!(LostFinding, (ResumeReason::Nothing, 0), told);
            (locked.gate.reason, locked.gate.value) = (reason, value);
            self.load(global, locked);
            return Left::NOTHING;
        }
        let core = self.tables.core;
        let owner = locked.pop();
        self.tell(now, Kind::Finish, (global, self.home.announced), u64::from(owner.0));
        let seat = self.config(global).seats[owner.at()];
        let answer = failure.map_or(Answer::Returned, Answer::Failed);
        if seat.core == core {
            self.home.inside = Inside::NOTHING;
            let ipis = Ipis::NONE.and(self.pass_on(global, locked));
            return Left::sending(ipis).with(seat.thread, answer);
        }
        // The owner's frames belong to its own core, so the answer waits with the request until
        // that core looks.
        let helped = seeded!(SameResult, Answer::Returned, answer);
        locked.requests[owner.at()].answer = helped;
        let told = seeded!(LostResult, None, self.ipi_for(global, owner));
        // A helper goes on with the next section if no core is nearer to it: its own, or one whose
        // owner has lost its core. Else the owner's core takes it.
        let next = locked.gate.first;
        let own = self.seat(global, self.home.announced);
        if next.is_some() && (next == own || !locked.is_present(next)) {
            seeded!(
                ForgottenOwner,
                {
                    locked.requests[owner.at()].answer = Answer::None;
                    self.begin(global, locked);
                    self.take(now, global, locked);
                    return Left::NOTHING;
                },
                {}
            );
            self.begin(global, locked);
            self.take(now, global, locked);
            return Left::sending(Ipis::NONE.and(told));
        }
        self.home.inside = Inside::NOTHING;
        Left::sending(Ipis::NONE.and(told).and(self.pass_on(global, locked)))
    }

    /// Ends the execution on this core, and returns the interrupt that tells the next core.
    #[inline(always)]
    pub(super) fn pass_on(&self, global: GlobalIndex, locked: &mut Locked<'_>) -> Option<Ipi> {
        // This core's own number is taken back. Only the core that is told puts its own there.
        locked.gate.executing = NO_CORE;
        let next = self.next_to_take(global, locked);
        self.ipi_for(global, next)
    }

    /// Returns the seat whose core is told that no core executes the gate.
    fn next_to_take(&self, global: GlobalIndex, locked: &Locked<'_>) -> SeatIndex {
        let first = locked.gate.first;
        if seeded!(SilentReturn, true, false) {
            return SeatIndex::NONE;
        }
        match self.config(global).protocol {
            // A core that has not chosen its thread could not take the section now.
            GlobalProtocol::Mrsp => seeded!(AbsentOwner, first, locked.first_present()),
            // Under these only the owner's core may execute.
            GlobalProtocol::Msrp | GlobalProtocol::Mpcp => first,
        }
    }

    /// Returns the interrupt that tells a seat's core to look at the gate.
    fn ipi_for(&self, global: GlobalIndex, seat: SeatIndex) -> Option<Ipi> {
        let seat = self.config(global).seats.get(seat.at())?;
        Some(Ipi { core: seat.core, at: At::Gate(global) })
    }

    /// A thread's request is over: it goes on behind the gate.
    fn end(&mut self, now: Time, thread: ThreadIndex, answer: Answer) {
        if self.home.announced == thread {
            self.home.announced = ThreadIndex::NONE;
        }
        let failure = match answer {
            Answer::Failed(failure) => Some(failure),
            Answer::None | Answer::Returned => None,
        };
        self.kernel.stand_down(now, thread, found(failure));
    }
}

/// Returns the reason for which the caller of a section resumes, and its value.
fn found(failure: Option<Failure>) -> (ResumeReason, u32) {
    match failure {
        None => (ResumeReason::Return, 0),
        Some(failure) => (ResumeReason::Failed, failure as u32),
    }
}
