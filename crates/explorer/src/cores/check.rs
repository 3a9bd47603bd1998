//! The rules that hold in every state of several cores.

use fusee_kernel::cores::{Answer, At, Due, GlobalProtocol, Host, HostGate, NO_CORE, OneCore};
use fusee_kernel::{
    GlobalIndex, MailboxIndex, NEVER, Status, Store, ThreadIndex, Time, each_store,
};

use super::asked::asked;
use super::mutexes;
use super::rule::ensure;
use super::{Breach, Checked, Diary, Rule};
use crate::{Held, Rules};

/// No budget or time slice that ends in a history ends later than this.
const SOON: Time = 1 << 32;

/// A state, with what its history says.
#[derive(Debug, Clone, Copy)]
pub struct State<'s> {
    /// The tables of each core.
    pub tables: &'s [OneCore<'s>],
    /// The cores and what they share.
    pub host: &'s Host,
    /// The threads that can come to each gate of each core.
    pub users: &'s [Vec<Vec<usize>>],
    /// The order in which threads have asked.
    pub diary: &'s Diary,
    /// The instant of the state.
    pub now: Time,
}

impl State<'_> {
    /// Checks everything that does not concern a single core's own kernel.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn check(&self) -> Checked {
        for core in 0..self.host.cores.len() {
            self.core(core)?;
        }
        for global in 0..self.host.gates.len() {
            let gate = &self.host.gates[global];
            let global = GlobalIndex(global as u16);
            self.activation(global, gate)?;
            self.queue(global, gate)?;
            self.told(global, gate)?;
        }
        self.mail()?;
        self.restarts()?;
        self.progress()
    }

    /// Checks a core's own kernel.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn one_core(&self, core: usize) -> Checked {
        each_store!(&self.host.cores[core].store, store => self.by_its_policy(core, store))
    }

    fn by_its_policy<P: Rules>(&self, core: usize, store: &Store<P>) -> Checked {
        self.diary.jobs.urgencies(&self.tables[core], store)?;
        let tables = &self.tables[core].0;
        let demand = |thread: usize, depth: usize| {
            let gate = store.frames_of(tables, thread)[depth].gate.at();
            let (protocol, users) = (tables.gates[gate].protocol, &self.users[core][gate]);
            let since = self.diary.jobs.taken(core, thread, depth);
            P::demands(Held { tables, protocol, users, since })
        };
        let checked = crate::check::state(tables, store, &demand);
        checked.map_err(|breach| {
            let what = format!("core {core}: {breach}");
            Breach { rule: Rule::OneCore, what }
        })
    }

    /// Returns the gate at which a thread has asked and from which it has not come back, or the
    /// mutex that it is still to get.
    pub(super) fn asked(&self, core: usize, thread: usize) -> Option<GlobalIndex> {
        let waits = mutexes::held(&self.tables[core], self.host, thread).is_none();
        self.stands(core, thread).filter(|_| waits)
    }

    fn stands(&self, core: usize, thread: usize) -> Option<GlobalIndex> {
        asked(&self.tables[core], &self.host.cores[core].store, thread)
    }

    fn protocol(&self, global: GlobalIndex) -> GlobalProtocol {
        self.tables[0].1.globals[global.at()].protocol
    }

    /// Returns the core and thread of a seat.
    fn who(&self, global: GlobalIndex, seat: usize) -> (usize, usize) {
        let seat = self.tables[0].1.globals[global.at()].seats[seat];
        (usize::from(seat.core), seat.thread.at())
    }

    fn core(&self, core: usize) -> Checked {
        let own = &self.host.cores[core];
        let (running, home) = (own.store.running(), &own.home);
        let announced = home.announced.is_some().then_some(home.announced.at());
        let asks = running.filter(|&thread| self.asked(core, thread).is_some());
        if home.due == Due::Nothing {
            ensure(Rule::Presence, announced == asks, || {
                format!("core {core} runs {asks:?} at a gate and has announced {announced:?}")
            })?;
            let inside = home.inside.global.is_some().then_some(home.inside.global);
            let at = asks.and_then(|thread| self.asked(core, thread));
            ensure(Rule::Activation, inside.is_none() || inside == at, || {
                format!("core {core} executes at {inside:?} for who has asked at {at:?}")
            })?;
            let limit = own.store.limit();
            let stands = running.filter(|&thread| self.stands(core, thread).is_some());
            ensure(
                Rule::Ends,
                stands.is_none() || limit == NEVER || limit > self.now + SOON,
                || format!("what T{stands:?} of core {core} may use ends at {limit}"),
            )?;
        }
        for thread in 0..self.tables[core].0.threads.len() {
            let Some(global) = self.stands(core, thread) else { continue };
            ensure(Rule::Ends, own.store.status(thread) != Status::Suspended, || {
                format!("T{thread} of core {core} has asked and is suspended")
            })?;
            let stays = self.protocol(global) != GlobalProtocol::Msrp || running == Some(thread);
            ensure(Rule::Stays, stays, || {
                format!("T{thread} of core {core} has asked, and the core runs {running:?}")
            })?;
        }
        Ok(())
    }

    fn activation(&self, global: GlobalIndex, gate: &HostGate) -> Checked {
        let state = &gate.gate;
        for (core, own) in self.host.cores.iter().enumerate() {
            let executes = usize::from(state.executing) == core;
            let inside = match mutexes::is_mutex(&self.tables[core], global) {
                true => own.home.holds(global),
                false => own.home.inside.global == global,
            };
            ensure(Rule::Activation, inside == executes, || {
                format!("core {core} inside g{}: {inside}, as the gate says: {executes}", global.0)
            })?;
        }
        let runs = state.executing != NO_CORE;
        ensure(Rule::Activation, !runs || state.owner.is_some(), || {
            format!("g{} is executed for nobody", global.0)
        })?;
        let first = state.owner.is_none() || state.owner == state.first;
        ensure(Rule::Owner, first, || {
            format!("g{}'s activation is {:?}'s, first is {:?}", global.0, state.owner, state.first)
        })
    }

    fn queue(&self, global: GlobalIndex, gate: &HostGate) -> Checked {
        let mut queue = Vec::new();
        let mut seat = gate.gate.first;
        while let Some(request) = gate.requests.get(seat.at())
            && queue.len() <= gate.requests.len()
        {
            queue.push(seat.at());
            seat = request.next;
        }
        let expected = &self.diary.queues[global.at()];
        ensure(Rule::Order, queue == *expected, || {
            format!(
                "g{}'s requests are those of seats {queue:?}, asked was as {expected:?}",
                global.0
            )
        })?;
        let last = queue.last().copied();
        let tail = gate.gate.last.is_some().then_some(gate.gate.last.at());
        ensure(Rule::Order, last == tail, || format!("g{}'s last request is lost", global.0))?;
        for (seat, request) in gate.requests.iter().enumerate() {
            let (core, thread) = self.who(global, seat);
            let has_asked = self.stands(core, thread) == Some(global);
            let (queued, answered) = (queue.contains(&seat), request.answer != Answer::None);
            ensure(
                Rule::Requests,
                usize::from(queued) + usize::from(answered) == usize::from(has_asked),
                || {
                    format!(
                        "T{thread} of core {core} at g{}: asked {has_asked}, queued {queued}, \
                         answered {answered}",
                        global.0
                    )
                },
            )?;
            let announced = self.host.cores[core].home.announced == ThreadIndex(thread as u16)
                || mutexes::holds(&self.tables[core], (global, gate), thread);
            ensure(Rule::Presence, request.present == (announced && queued), || {
                format!("T{thread} of core {core} at g{}: present {}", global.0, request.present)
            })?;
        }
        if self.protocol(global) == GlobalProtocol::Mpcp {
            return Ok(());
        }
        for core in 0..self.host.cores.len() {
            let count = queue.iter().filter(|&&seat| self.who(global, seat).0 == core).count();
            ensure(Rule::Single, count <= 1, || {
                format!("core {core} has {count} requests at g{}", global.0)
            })?;
        }
        Ok(())
    }

    /// Signals lie where their events' cores look for them, and those have been told to.
    fn mail(&self) -> Checked {
        for (number, mailbox) in self.host.mailboxes.iter().enumerate() {
            let (expected, found) = (self.diary.mail[number], mailbox.signals());
            ensure(Rule::Signals, found == expected, || {
                format!("mailbox {number} has {found}, what was signalled is {expected}")
            })?;
            let owner = usize::from(self.tables[0].1.mailboxes[number].core);
            let at = At::Mailbox(MailboxIndex(number as u16));
            ensure(Rule::Told, found == 0 || self.is_told(owner, at), || {
                format!("core {owner} has {found} in mailbox {number} and does not know")
            })?;
        }
        Ok(())
    }

    pub(super) fn is_told(&self, core: usize, at: At) -> bool {
        let own = &self.host.cores[core];
        let is_it = |ipi: &fusee_kernel::cores::Ipi| usize::from(ipi.core) == core && ipi.at == at;
        let looks = match own.home.due {
            Due::Look(global) => at == At::Gate(global),
            Due::Collect(mailbox) => at == At::Mailbox(mailbox),
            _ => false,
        };
        own.pending.has(at)
            || looks
            || self.host.cores.iter().flat_map(|other| &other.outbox).any(is_it)
    }

    fn told(&self, global: GlobalIndex, gate: &HostGate) -> Checked {
        let free = gate.gate.executing == NO_CORE;
        let mut may = Vec::new();
        for (seat, request) in gate.requests.iter().enumerate() {
            let (core, thread) = self.who(global, seat);
            let first = gate.gate.first.at() == seat;
            let waits = self.host.cores[core].store.status(thread) == Status::AtNotification;
            let to_come = request.answer != Answer::None || first && waits;
            ensure(Rule::Told, !to_come || self.is_told(core, At::Gate(global)), || {
                format!(
                    "T{thread} of core {core} can go on at g{}, its core does not know",
                    global.0
                )
            })?;
            if free && request.present && (first || self.protocol(global) == GlobalProtocol::Mrsp) {
                may.push(core);
            }
        }
        let told = may.is_empty() || may.iter().any(|&core| self.is_told(core, At::Gate(global)));
        ensure(Rule::Told, told, || {
            format!("cores {may:?} may execute g{}, nobody does, none of them knows", global.0)
        })
    }

    /// Nothing is on its way.
    pub(super) fn is_quiet(&self) -> bool {
        let host = self.host;
        let quiet = |core: usize| !host.is_busy(core) && host.cores[core].pending.0 == 0;
        (0..host.cores.len()).all(quiet)
    }

    /// When nothing is on its way, a thread that waits on its core waits for a section that is
    /// executed.
    fn progress(&self) -> Checked {
        let host = self.host;
        if !self.is_quiet() {
            return Ok(());
        }
        for (core, own) in host.cores.iter().enumerate() {
            let Some(running) = own.store.running() else { continue };
            let Some(global) = self.asked(core, running) else { continue };
            let goes_on = host.gates[global.at()].gate.executing != NO_CORE;
            ensure(Rule::Progress, goes_on, || {
                format!("core {core} waits at g{}, and nobody executes there", global.0)
            })?;
        }
        Ok(())
    }
}
