//! The build's tables of gates between cores.
//!
//! The cores of a system have the same components and gates, and each its own threads. A global
//! gate is on each core a gate of its tables, the stand-in: exclusive, with the urgency that the
//! protocol gives a request there as its ceiling. Stand-ins follow each other in the tables in the
//! order of the global gates, and so do their turns among the notifications.

use super::PostLimit;
use crate::{ComponentIndex, GateIndex, GateKind, GlobalIndex, MailboxIndex};
use crate::{NotificationIndex, SeatIndex};
use crate::{NotificationKind, OnFault, RestartIndex, Tables, ThreadIndex};

crate::coded! {
    /// The rule that says how the users of a global gate wait, and in which order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum GlobalProtocol {
        /// First come first served; a thread waits on its core, which no other thread gets (Gai,
        /// Lipari, Di Natale 2001). The stand-ins' ceilings are above all other urgencies.
        Msrp = 0,
        /// First come first served; waits on its core at the ceiling there, and whose core has
        /// chosen it executes the section of a preempted owner (Burns, Wellings 2013).
        Mrsp = 1,
        /// By base priority; waits suspended, owns at the urgency of the highest user on other
        /// cores, above all normal ones (Rajkumar 1990).
        Mpcp = 2,
    }
}

/// A thread that uses a global gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestSlot {
    /// The core of the thread.
    pub core: u8,
    /// The thread's index on that core.
    pub thread: ThreadIndex,
    /// Its base priority, by which [`GlobalProtocol::Mpcp`] orders waiting threads.
    pub rank: u8,
}

/// A global gate, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobalConfig<'t> {
    /// The rule by which its users wait.
    pub protocol: GlobalProtocol,
    /// The threads that use it.
    pub seats: &'t [RequestSlot],
    /// A bit for each core of these.
    pub cores: u32,
    /// The number of further gates that its activation passes, all of them propagated.
    pub depth: u8,
}

impl<'t> GlobalConfig<'t> {
    /// Returns a gate that these use.
    pub const fn of(protocol: GlobalProtocol, seats: &'t [RequestSlot], depth: u8) -> Self {
        let (mut cores, mut number) = (0, 0);
        while number < seats.len() {
            // Too large a number is refused in `fits`, where bits of cores count, and must not stop
            // the evaluation of a constant.
            cores |= 1_u32.wrapping_shl(seats[number].core as u32);
            number += 1;
        }
        GlobalConfig { protocol, seats, cores, depth }
    }
}

/// A notification that other cores than its own signal, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailboxConfig {
    /// The core of the threads that wait for it, or whose thread it releases.
    pub core: u8,
    /// Its number, on each core.
    pub notification: NotificationIndex,
    /// `true` if signals are counted, because each stands for itself: a signal of a counting
    /// notification, or a job's arrival. Otherwise their bits merge.
    pub counts: bool,
}

/// A component that several cores enter and that a fault ends or restarts, as the build describes
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartConfig {
    /// The component, on each core.
    pub component: ComponentIndex,
    /// A bit for each core that enters it.
    pub cores: u32,
}

/// The gates between cores, as one core sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreTables<'t> {
    /// The number of the core.
    pub core: u8,
    /// The stand-in of the first global gate.
    pub first_gate: GateIndex,
    /// The turn of the first global gate.
    pub first_turn: NotificationIndex,
    /// The global gates, the same on each core.
    pub globals: &'t [GlobalConfig<'t>],
    /// For each global gate, for each thread of this core: its seat, or none.
    pub seats: &'t [SeatIndex],
    /// The notifications that are signalled from other cores, the same on each core.
    pub mailboxes: &'t [MailboxConfig],
    /// For each of them, for each thread of this core: how often it may signal that.
    pub limits: &'t [PostLimit],
    /// The components that several cores enter and that a fault ends or restarts, the same on each
    /// core.
    pub restarts: &'t [RestartConfig],
    /// For each component its restart, or none; nothing where there are no restarts.
    pub restart_of: &'t [RestartIndex],
}

/// A reason for which [`CoreTables::check`] refuses a core's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoreTableError {
    /// More than 64 global gates, mailboxes and restarts, seats that are not one for each gate and
    /// thread, or limits that are not one for each mailbox and thread.
    Count,
    /// A mailbox whose notification is none, or is of another kind on its own core.
    Mailbox(MailboxIndex),
    /// A gate without a stand-in or turn that fits, or a seat that its thread has not.
    Global(GlobalIndex),
    /// A gate whose component dies or is restarted after a fault, of which not all cores that use
    /// the gate are told.
    OnFault(GlobalIndex),
    /// A restart of a component that is none, goes on after a fault, or has another one; or a core
    /// is not told of it that has a thread there.
    Restart(RestartIndex),
}

impl CoreTables<'_> {
    /// Returns the stand-in of a global gate on this core.
    #[inline]
    pub fn stand_in(&self, global: GlobalIndex) -> GateIndex {
        GateIndex(self.first_gate.0 + global.0)
    }

    /// Returns the notification for which this core's threads wait at a global gate, if suspended.
    #[inline]
    pub fn turn(&self, global: GlobalIndex) -> NotificationIndex {
        NotificationIndex(self.first_turn.0 + global.0)
    }

    /// Returns the global gate that has this stand-in.
    #[inline]
    pub fn global(&self, gate: GateIndex) -> Option<GlobalIndex> {
        self.numbered(gate.0.wrapping_sub(self.first_gate.0))
    }

    /// Returns the global gate that has this turn.
    #[inline]
    pub fn global_of_turn(&self, turn: NotificationIndex) -> Option<GlobalIndex> {
        self.numbered(turn.0.wrapping_sub(self.first_turn.0))
    }

    fn numbered(&self, number: u16) -> Option<GlobalIndex> {
        // What lies before the first wraps around to a large number: one comparison asks for both
        // ends.
        (usize::from(number) < self.globals.len()).then_some(GlobalIndex(number))
    }

    /// Returns the mailbox of a notification that belongs to another core. Steps: the mailboxes.
    pub fn elsewhere(&self, notification: NotificationIndex) -> Option<MailboxIndex> {
        let found = self
            .mailboxes
            .iter()
            .position(|mailbox| mailbox.notification == notification && mailbox.core != self.core);
        found.map(|number| MailboxIndex(number as u16))
    }

    /// Returns the restart of a component.
    #[inline]
    pub fn restart_of(&self, component: ComponentIndex) -> Option<RestartIndex> {
        self.restart_of.get(component.at()).copied().filter(|restart| restart.is_some())
    }

    /// Returns `true` if each core that may execute a gate's activation is told when a component
    /// ends.
    #[inline]
    pub(super) fn tells(&self, component: ComponentIndex, global: GlobalIndex) -> bool {
        let restart =
            self.restart_of(component).and_then(|restart| self.restarts.get(restart.at()));
        let cores = self.globals[global.at()].cores;
        restart.is_some_and(|restart| restart.cores & cores == cores)
    }

    /// Returns the restart that is told under this number of a mailbox.
    pub(super) fn restart_at(&self, mailbox: MailboxIndex) -> Option<RestartIndex> {
        let number = mailbox.at().checked_sub(self.mailboxes.len())?;
        Some(RestartIndex(number as u16))
    }

    /// Returns the number of a mailbox under which a restart is told.
    pub fn mailbox_of(&self, restart: RestartIndex) -> MailboxIndex {
        MailboxIndex(self.mailboxes.len() as u16 + restart.0)
    }

    /// Returns a thread's seat at a global gate; none: it does not use it.
    #[inline]
    pub fn seat(&self, global: GlobalIndex, thread: ThreadIndex) -> SeatIndex {
        // Without global gates there are no seats. Then nothing is found, and nothing is divided by
        // 0.
        let threads = self.seats.len() / self.globals.len().max(1);
        self.seats.get(global.at() * threads + thread.at()).copied().unwrap_or(SeatIndex::NONE)
    }

    /// Checks that the tables of gates between cores fit those of the core.
    ///
    /// # Errors
    /// [`CoreTableError`].
    pub fn check(&self, tables: &Tables<'_>) -> Result<(), CoreTableError> {
        let objects = self.globals.len() + self.mailboxes.len() + self.restarts.len();
        let threads = tables.threads.len();
        // Each object has one bit in the words by which cores are told to look.
        let right = objects <= u64::BITS as usize
            && self.seats.len() == self.globals.len() * threads
            && self.limits.len() == self.mailboxes.len() * threads;
        right.then_some(()).ok_or(CoreTableError::Count)?;
        for number in 0..self.globals.len() as u16 {
            let global = GlobalIndex(number);
            self.fits(tables, global).then_some(()).ok_or(CoreTableError::Global(global))?;
            let component = tables.gates[self.stand_in(global).at()].component;
            let goes_on = tables.components.get(component.at());
            let goes_on = goes_on.is_some_and(|config| config.on_fault == OnFault::Continue);
            let known = goes_on || self.tells(component, global);
            known.then_some(()).ok_or(CoreTableError::OnFault(global))?;
        }
        for (number, mailbox) in self.mailboxes.iter().enumerate() {
            let error = CoreTableError::Mailbox(MailboxIndex(number as u16));
            self.delivers(tables, mailbox).then_some(()).ok_or(error)?;
        }
        for (number, restart) in self.restarts.iter().enumerate() {
            let number = RestartIndex(number as u16);
            let right =
                self.ends(tables, restart) && self.restart_of(restart.component) == Some(number);
            right.then_some(()).ok_or(CoreTableError::Restart(number))?;
        }
        for (component, restart) in self.restart_of.iter().enumerate() {
            let is_its = |config: &RestartConfig| config.component.at() == component;
            let right = restart.is_none() || self.restarts.get(restart.at()).is_some_and(is_its);
            right.then_some(()).ok_or(CoreTableError::Restart(*restart))?;
        }
        Ok(())
    }

    /// Returns `true` if a fault ends or restarts the component, and this core learns of it if one
    /// of its threads is at home there.
    fn ends(&self, tables: &Tables<'_>, restart: &RestartConfig) -> bool {
        let component = tables.components.get(restart.component.at());
        let ends = component.is_some_and(|config| config.on_fault != OnFault::Continue);
        // A core that does not enter it has no thread at home there.
        let own = restart.cores.checked_shr(self.core.into()).is_some_and(|bits| bits & 1 != 0);
        let mut threads = tables.threads.iter();
        let home = threads.any(|thread| thread.component == restart.component);
        ends && (own || !home)
    }

    /// Returns `true` if a mailbox keeps signals apart as its notification does. On other cores no
    /// thread waits for the notification, and it releases none.
    fn delivers(&self, tables: &Tables<'_>, mailbox: &MailboxConfig) -> bool {
        let Some(config) = tables.notifications.get(mailbox.notification.at()) else {
            return false;
        };
        // Each signal that releases a job stands for one job, also where bits would merge.
        let counts = config.kind != NotificationKind::Merging || config.releases.is_some();
        if mailbox.core == self.core { counts == mailbox.counts } else { config.releases.is_none() }
    }

    fn fits(&self, tables: &Tables<'_>, global: GlobalIndex) -> bool {
        let gate = tables.gates.get(self.stand_in(global).at());
        let turn = tables.notifications.get(self.turn(global).at());
        let GlobalConfig { protocol, seats, cores, depth } = self.globals[global.at()];
        // A thread that gets a mutex stays on its core, and nothing is executed for it on another
        // one.
        let right_kind =
            |kind| kind == GateKind::Interface || (protocol == GlobalProtocol::Msrp && depth == 0);
        let whole = gate.is_some_and(|gate| gate.protocol.is_exclusive() && right_kind(gate.kind));
        // Restarts know no more cores than they have bits.
        let known =
            |seat: &RequestSlot| self.restarts.is_empty() || u32::from(seat.core) < u32::BITS;
        let right = cores == GlobalConfig::of(protocol, seats, depth).cores;
        let own = |(number, seat): (usize, &RequestSlot)| {
            seat.core != self.core || self.seat(global, seat.thread).at() == number
        };
        let threads = 0..tables.threads.len() as u16;
        let named = |thread| {
            let seat = self.seat(global, ThreadIndex(thread));
            let is_its = |seat: &RequestSlot| seat.core == self.core && seat.thread.0 == thread;
            seat.is_none() || seats.get(seat.at()).is_some_and(is_its)
        };
        // A turn releases no thread's jobs.
        let silent =
            |turn: &crate::NotificationConfig| turn.releases.is_none() && turn.initial == 0;
        whole
            && right
            && seats.iter().all(known)
            && turn.is_some_and(silent)
            && seats.iter().enumerate().all(own)
            && threads.into_iter().all(named)
    }
}
