//! What cores share: gates, each under its own lock, and what to look at.

use crate::ThreadIndex;
use crate::mutation::seeded;
use crate::{ComponentIndex, Failure, Finds, GateIndex, GlobalIndex, MailboxIndex, SeatIndex};

use super::{GlobalConfig, GlobalProtocol};

/// No core.
pub const NO_CORE: u8 = u8::MAX;

/// How a request has ended, as long as its own core has not taken note of it.
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
    /// Who has asked next; none: the last, or not in the queue.
    pub next: SeatIndex,
    /// Whether its core has chosen its thread.
    pub present: bool,
    /// What another core has brought about for it.
    pub answer: Answer,
}

impl Request {
    /// No request.
    pub const EMPTY: Self = Request { next: SeatIndex::NONE, present: false, answer: Answer::None };
}

/// A propagated gate that an activation has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Visit {
    /// Which gate.
    pub gate: GateIndex,
    /// The component behind it.
    pub component: ComponentIndex,
    /// The component's epoch on the core that passed it.
    pub epoch: u32,
}

impl Visit {
    /// No visit.
    pub const EMPTY: Self =
        Visit { gate: GateIndex::NONE, component: ComponentIndex::NONE, epoch: 0 };
}

/// A global gate's state but for its requests. Its registers, while nobody executes, are where the
/// machine has put them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GlobalGate {
    /// Whose request is first: the owner's.
    pub first: SeatIndex,
    /// Whose is last.
    pub last: SeatIndex,
    /// The core that executes the activation, or [`NO_CORE`]. A core writes its own number or takes
    /// it back.
    pub executing: u8,
    /// For whom the activation has begun; none: there is no activation.
    pub owner: SeatIndex,
    /// The epoch of the component behind the gate when the activation began, on the core that began
    /// it.
    pub epoch: u32,
    /// How many gates below this one the activation has passed.
    pub depth: u8,
    /// What the activation finds when it goes on.
    pub finds: Finds,
    /// What more there is to say of that.
    pub value: u32,
}

impl GlobalGate {
    /// Nobody has asked.
    pub const EMPTY: Self = GlobalGate {
        first: SeatIndex::NONE,
        last: SeatIndex::NONE,
        executing: NO_CORE,
        owner: SeatIndex::NONE,
        epoch: 0,
        depth: 0,
        finds: Finds::Nothing,
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
        let next = match self.requests.get(before.at()) {
            Some(request) => request.next,
            None => self.gate.first,
        };
        self.requests[seat.at()] = Request { next, ..Request::EMPTY };
        match self.requests.get_mut(before.at()) {
            Some(request) => request.next = seat,
            None => self.gate.first = seat,
        }
        if next.is_none() {
            self.gate.last = seat;
        }
    }

    /// Behind whom a request waits that goes before lower ones, but never before the first.
    fn place(&self, config: &GlobalConfig<'_>, seat: SeatIndex) -> SeatIndex {
        let rank = |seat: SeatIndex| config.seats[seat.at()].rank;
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
        self.gate.owner = SeatIndex::NONE;
        first
    }

    /// Begins the first request's activation, in a component that has this epoch.
    pub(super) fn begin(&mut self, epoch: u32) {
        self.gate.owner = self.gate.first;
        self.gate.epoch = seeded!(LostEpoch, 0, epoch);
        self.gate.depth = 0;
        self.gate.finds = Finds::Enter;
        self.gate.value = 0;
    }

    /// Whether a request's core has chosen its thread.
    pub(super) fn is_present(&self, seat: SeatIndex) -> bool {
        self.requests.get(seat.at()).is_some_and(|request| request.present)
    }

    /// Who is present and has asked first. Steps: the requests.
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

/// What cores share and look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    /// A gate.
    Gate(GlobalIndex),
    /// Signals for a notification.
    Mailbox(MailboxIndex),
}

/// What to tell a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look {
    /// Which core.
    pub core: u8,
    /// At what it is to look.
    pub at: At,
}

/// Whom to tell once the lock is free: up to two looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Looks([Option<Look>; 2]);

impl Looks {
    /// Nobody.
    pub const NONE: Self = Looks([None, None]);

    /// One.
    pub(super) const fn one(look: Look) -> Self {
        Looks([Some(look), None])
    }

    /// One more.
    pub(super) fn and(self, look: Option<Look>) -> Self {
        match self.0 {
            [None, second] => Looks([look, second]),
            [first, _] => Looks([first, look]),
        }
    }

    /// In order.
    pub fn iter(self) -> impl Iterator<Item = Look> {
        self.0.into_iter().flatten()
    }
}

/// What is left to do when a section's lock is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Whom to tell.
    pub looks: Looks,
    /// The thread of this core that has come back from the gate, whose results are to be given to
    /// it; none: none has.
    pub back: ThreadIndex,
    /// Whether the core idled before.
    pub(super) idled: bool,
    /// What of it is at home.
    pub(super) home: AtHome,
}

/// What a section leaves to be done in the core's own kernel, which no other core sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtHome {
    /// Nothing.
    Nothing,
    /// The running thread stands at the gate.
    StandIn(GlobalIndex),
    /// Who is [back](Left::back) goes on behind it.
    End(Answer),
    /// The running thread holds the mutex no more, or fails with it.
    Unlocked(Option<Failure>),
}

impl Left {
    /// Nothing.
    pub const NOTHING: Self = Left::told(Looks::NONE);

    /// The same, and a thread is back with this answer.
    pub(super) const fn with(self, back: ThreadIndex, answer: Answer) -> Self {
        Left { back, home: AtHome::End(answer), ..self }
    }

    /// To tell somebody.
    pub(super) const fn told(looks: Looks) -> Self {
        Left { looks, back: ThreadIndex::NONE, idled: false, home: AtHome::Nothing }
    }
}

/// At what a core has been told to look: a bit for each gate from the lowest on, and for each
/// mailbox from the highest down. Told twice is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pending(pub u64);

impl Pending {
    /// The number of the bit that the sender of a look adds.
    #[inline]
    pub const fn number(at: At) -> u32 {
        match at {
            At::Gate(global) => global.0 as u32,
            At::Mailbox(mailbox) => u64::BITS - 1 - mailbox.0 as u32,
        }
    }

    /// What a bit stands for, where there are so many gates.
    #[inline]
    pub const fn at(number: u32, globals: usize) -> At {
        if (number as usize) < globals {
            At::Gate(GlobalIndex(number as u16))
        } else {
            At::Mailbox(MailboxIndex((u64::BITS - 1 - number) as u16))
        }
    }

    /// Whether the core has been told to look there.
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
