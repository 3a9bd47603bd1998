//! The state that cores share: gates, each under its own lock, and interrupts.

use crate::ThreadIndex;
use crate::mutation::seeded;
use crate::{
    ComponentIndex, Failure, GateIndex, GlobalIndex, MailboxIndex, ResumeReason, SeatIndex,
};

use super::{GlobalConfig, GlobalProtocol};

/// The number that stands for no core.
pub const NO_CORE: u8 = u8::MAX;

/// The end of a request, kept until its own core has taken note of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It has not.
    None,
    /// The section has returned.
    Returned,
    /// It has failed.
    Failed(Failure),
}

/// A thread's request at a global gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Request {
    /// The request behind it in the queue; none: it is the last, or not in the queue.
    pub next: SeatIndex,
    /// `true` if its core has chosen its thread.
    pub present: bool,
    /// The result that another core has brought about for it.
    pub answer: Answer,
}

impl Request {
    /// A seat without a request.
    pub const EMPTY: Self = Request { next: SeatIndex::NONE, present: false, answer: Answer::None };
}

/// A propagated gate that an activation has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Visit {
    /// The gate that was passed.
    pub gate: GateIndex,
    /// The component behind it.
    pub component: ComponentIndex,
    /// The component's epoch on the core that passed it.
    pub epoch: u32,
}

impl Visit {
    /// A place without a visit.
    pub const EMPTY: Self =
        Visit { gate: GateIndex::NONE, component: ComponentIndex::NONE, epoch: 0 };
}

/// A global gate's state but for its requests. While no core executes it, its registers are where
/// the machine has put them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GlobalGate {
    /// The first request in the queue: the owner's.
    pub first: SeatIndex,
    /// The last request in the queue.
    pub last: SeatIndex,
    /// The core that executes the activation, or [`NO_CORE`]. A core writes its own number or takes
    /// it back.
    pub executing: u8,
    /// The request for which the activation has begun; none: there is no activation.
    pub owner: SeatIndex,
    /// The epoch of the component behind the gate when the activation began, on the core that began
    /// it.
    pub epoch: u32,
    /// The number of gates below this one that the activation has passed.
    pub depth: u8,
    /// The reason for which the activation resumes.
    pub reason: ResumeReason,
    /// The value that goes with the reason.
    pub value: u32,
}

impl GlobalGate {
    /// A gate without requests.
    pub const EMPTY: Self = GlobalGate {
        first: SeatIndex::NONE,
        last: SeatIndex::NONE,
        executing: NO_CORE,
        owner: SeatIndex::NONE,
        epoch: 0,
        depth: 0,
        reason: ResumeReason::Nothing,
        value: 0,
    };
}

/// A global gate whose lock this core holds.
#[derive(Debug)]
pub struct Locked<'s> {
    /// Queue and activation.
    pub gate: &'s mut GlobalGate,
    /// A request for each seat.
    pub requests: &'s mut [Request],
    /// The gates that the activation has passed below this one.
    pub visits: &'s mut [Visit],
}

impl Locked<'_> {
    /// Puts a request into the queue. Steps: under [`GlobalProtocol::Mpcp`] the requests; else one.
    pub(super) fn append(&mut self, config: &GlobalConfig<'_>, seat: SeatIndex) {
        let mut before = self.gate.last;
        if config.protocol == GlobalProtocol::Mpcp {
            before = self.place(config, seat);
        } else if seeded!(LatestFirst, true, false) {
            before = self.gate.first;
        }
        // "None" is behind the last seat, so an empty queue and a place in front need no tests
        // apart.
        let next = match self.requests.get(before.at()) {
            Some(request) => request.next,
            None => self.gate.first,
        };
        // All anew: neither presence nor answer of the last request may be left.
        self.requests[seat.at()] = Request { next, ..Request::EMPTY };
        match self.requests.get_mut(before.at()) {
            Some(request) => request.next = seat,
            None => self.gate.first = seat,
        }
        if next.is_none() {
            self.gate.last = seat;
        }
    }

    /// Returns the request behind which another one queues that goes before lower ones, but never
    /// before the first.
    fn place(&self, config: &GlobalConfig<'_>, seat: SeatIndex) -> SeatIndex {
        let rank = |seat: SeatIndex| config.seats[seat.at()].rank;
        // From the first on: that one owns the gate, and no rank goes before an owner.
        let mut before = self.gate.first;
        #[cfg(feature = "mutations")]
        if crate::Mutation::JumpedOwner.is_seeded() && before.is_some() && rank(before) < rank(seat)
        {
            return SeatIndex::NONE;
        }
        while let Some(request) = self.requests.get(before.at())
            && request.next.is_some()
            && rank(request.next) >= rank(seat)
        {
            before = request.next;
        }
        before
    }

    /// Takes the first request out of the queue, which has one, and ends the activation.
    pub(super) fn pop(&mut self) -> SeatIndex {
        let first = self.gate.first;
        let next = self.requests[first.at()].next;
        self.requests[first.at()] = Request::EMPTY;
        self.gate.first = next;
        if next.is_none() {
            self.gate.last = SeatIndex::NONE;
        }
        // The next section begins anew, on whichever core takes it.
        self.gate.owner = SeatIndex::NONE;
        first
    }

    /// Begins the first request's activation, in a component that has this epoch.
    pub(super) fn begin(&mut self, epoch: u32) {
        self.gate.owner = self.gate.first;
        self.gate.epoch = seeded!(LostEpoch, 0, epoch);
        self.gate.depth = 0;
        self.gate.reason = ResumeReason::Enter;
        self.gate.value = 0;
    }

    /// Returns `true` if a request's core has chosen its thread.
    pub(super) fn is_present(&self, seat: SeatIndex) -> bool {
        self.requests.get(seat.at()).is_some_and(|request| request.present)
    }

    /// Returns the first request in the queue whose core has chosen its thread. Steps: the
    /// requests.
    pub(super) fn first_present(&self) -> SeatIndex {
        let mut seat = self.gate.first;
        while let Some(request) = self.requests.get(seat.at())
            && !request.present
        {
            seat = request.next;
        }
        seat
    }
}

/// An object that cores share and look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    /// A gate between cores.
    Gate(GlobalIndex),
    /// Signals for a notification.
    Mailbox(MailboxIndex),
}

/// An inter-processor interrupt, which tells a core to look at a shared object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ipi {
    /// The core that is told.
    pub core: u8,
    /// The object that it is to look at.
    pub at: At,
}

/// The interrupts to send once the lock is free: at most two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ipis([Option<Ipi>; 2]);

impl Ipis {
    /// No interrupt to send.
    pub const NONE: Self = Ipis([None, None]);

    /// Returns one interrupt to send.
    pub(super) const fn one(ipi: Ipi) -> Self {
        Ipis([Some(ipi), None])
    }

    /// Adds one more interrupt, if there is one.
    pub(super) fn and(self, ipi: Option<Ipi>) -> Self {
        match self.0 {
            [None, second] => Ipis([ipi, second]),
            // A third is not needed: a section tells the owner whom it has helped, and the next.
            [first, _] => Ipis([first, ipi]),
        }
    }

    /// Iterates over the interrupts in order.
    pub fn iter(self) -> impl Iterator<Item = Ipi> {
        self.0.into_iter().flatten()
    }
}

/// The work that is left when a section's lock is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// The interrupts to send.
    pub ipis: Ipis,
    /// The thread of this core that has come back from the gate, whose results are to be given to
    /// it; none: none has.
    pub back: ThreadIndex,
    /// `true` if the core idled before.
    pub(super) idled: bool,
    /// The part of the work in the core's own kernel.
    pub(super) home: AtHome,
}

/// The work that a section leaves in the core's own kernel, which no other core sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtHome {
    /// The core has no work.
    Nothing,
    /// The running thread stands at the gate.
    StandIn(GlobalIndex),
    /// The thread that is [back](Left::back) goes on behind the gate.
    End(Answer),
    /// The running thread holds the mutex no more, or fails with it.
    Unlocked(Option<Failure>),
}

impl Left {
    /// No work is left.
    pub const NOTHING: Self = Left::sending(Ipis::NONE);

    /// The same, and a thread is back with this answer.
    pub(super) const fn with(self, back: ThreadIndex, answer: Answer) -> Self {
        Left { back, home: AtHome::End(answer), ..self }
    }

    /// Returns the work of telling another core.
    pub(super) const fn sending(ipis: Ipis) -> Self {
        Left { ipis, back: ThreadIndex::NONE, idled: false, home: AtHome::Nothing }
    }
}

/// The objects that a core has been told to look at: a bit for each gate from the lowest on, and
/// for each mailbox from the highest down. Being told twice is as being told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pending(pub u64);

impl Pending {
    /// Returns the number of the bit that the sender of an interrupt adds.
    #[inline]
    pub const fn number(at: At) -> u32 {
        match at {
            At::Gate(global) => global.0 as u32,
            // From the other end, so that a sender need not know how many gates there are.
            At::Mailbox(mailbox) => u64::BITS - 1 - mailbox.0 as u32,
        }
    }

    /// Returns the object that a bit stands for, if there are so many gates.
    #[inline]
    pub const fn at(number: u32, globals: usize) -> At {
        if (number as usize) < globals {
            At::Gate(GlobalIndex(number as u16))
        } else {
            At::Mailbox(MailboxIndex((u64::BITS - 1 - number) as u16))
        }
    }

    /// Returns `true` if the core has been told to look there.
    #[inline]
    pub const fn has(self, at: At) -> bool {
        self.0 & 1 << Self::number(at) != 0
    }

    /// The core is told to look there.
    pub fn tell(&mut self, at: At) {
        self.0 |= 1 << Self::number(at);
    }

    /// The core turns to it: *first* the bit goes, then it is looked at.
    pub fn clear(&mut self, at: At) {
        self.0 &= !(1 << Self::number(at));
    }
}
