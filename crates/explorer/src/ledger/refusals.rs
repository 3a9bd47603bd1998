//! The errors with which events must be refused.

use fusee_kernel::{
    Capability, Error, Event, GateIndex, NotificationIndex, NotificationKind, Release, Tables,
};

use super::{Ledger, Wait};
use crate::Step;
use crate::rule::{Checked, Rule, ensure};

impl Ledger {
    /// Returns the object that a slot names in the component in which a thread is.
    pub(super) fn capability(
        &self,
        tables: &Tables<'_>,
        thread: usize,
        slot: u16,
    ) -> Option<Capability> {
        tables.components[self.visits.component(thread)]
            .capabilities
            .get(usize::from(slot))
            .copied()
    }

    /// Checks that a step is refused if there is a cause, for that one, and only then.
    ///
    /// # Errors
    /// If not.
    pub fn refuses(&self, tables: &Tables<'_>, step: Step, refused: Option<Error>) -> Checked {
        let due = self.cause(tables, step).err();
        ensure(Rule::Refusals, refused == due, || match (refused, due) {
            (Some(error), None) => {
                format!("{step} is refused with {error:?}, and nothing stands against it")
            }
            (None, Some(cause)) => format!("{step} is not refused, though there is {cause:?}"),
            _ => format!("{step} is refused with {refused:?}, the cause is {due:?}"),
        })
    }

    /// Returns `true` if nothing but the declared depth and chain stands against a step.
    pub(crate) fn is_only_too_deep(&self, tables: &Tables<'_>, step: Step) -> bool {
        let endless = Tables { depth: u8::MAX, chain: u16::MAX, ..*tables };
        self.cause(tables, step) == Err(Error::Depth) && self.cause(&endless, step).is_ok()
    }

    fn cause(&self, tables: &Tables<'_>, step: Step) -> Result<(), Error> {
        match step {
            Step::Tick | Step::Event(Event::Timer) => Ok(()),
            Step::Reprioritise(thread, priority) => {
                ensured(thread.at() < tables.threads.len(), Error::NoSuchObject)?;
                ensured(u16::from(priority) < tables.levels, Error::Priority)
            }
            Step::Event(Event::Interrupt(line)) => {
                let notification =
                    tables.interrupts.get(usize::from(line)).ok_or(Error::NoSuchObject)?;
                self.signalling(tables, *notification)
            }
            Step::Event(Event::Release(thread, _)) => {
                let config = tables.threads.get(thread.at()).ok_or(Error::NoSuchObject)?;
                ensured(matches!(config.release, Release::Sporadic { .. }), Error::NotSporadic)
            }
            Step::Event(event) => self.own_cause(tables, event, self.runs.ok_or(Error::Idle)?),
        }
    }

    fn own_cause(&self, tables: &Tables<'_>, event: Event, caller: usize) -> Result<(), Error> {
        let named = |slot| self.capability(tables, caller, slot).ok_or(Error::NoCapability);
        match event {
            Event::Invoke(slot) => match named(slot)? {
                Capability::Gate(gate) => self.invoking(tables, caller, gate),
                _ => Err(Error::NoCapability),
            },
            Event::Lock(slot) => match named(slot)? {
                Capability::Mutex(gate) => self.invoking(tables, caller, gate),
                _ => Err(Error::NoCapability),
            },
            Event::Unlock(slot) => match named(slot)? {
                Capability::Mutex(gate) => {
                    ensured(self.visits.gate(caller) == Some(gate), Error::NotLocked)
                }
                _ => Err(Error::NoCapability),
            },
            Event::Signal(slot) => match named(slot)? {
                Capability::Signal(notification, _) => self.signalling(tables, notification),
                _ => Err(Error::NoCapability),
            },
            Event::Wait(slot) | Event::Poll(slot) => match named(slot)? {
                Capability::Wait(notification) => ensured(
                    tables.notifications[notification.at()].releases.is_none(),
                    Error::Bound,
                ),
                _ => Err(Error::NoCapability),
            },
            Event::Depend(_) | Event::Wake(_) => Err(Error::NoCapability),
            Event::Return => {
                ensured(self.visits.depth(caller) > 0, Error::NotInGate)?;
                ensured(!self.visits.has_locked(tables, caller), Error::Locked)
            }
            Event::Complete => ensured(self.visits.depth(caller) == 0, Error::InGate),
            Event::Abort => ensured(self.visits.is_gone(caller), Error::NotStale),
            Event::Restored => ensured(self.visits.is_unrestored(caller), Error::NotStale),
            _ => Ok(()),
        }
    }

    fn invoking(&self, tables: &Tables<'_>, caller: usize, gate: GateIndex) -> Result<(), Error> {
        let config = &tables.gates[gate.at()];
        ensured(self.visits.depth(caller) < usize::from(tables.depth), Error::Depth)?;
        ensured(!self.visits.is_dead(config.component.at()), Error::Dead)?;
        if !config.protocol.is_exclusive() {
            return ensured(self.visits.inside(gate) < usize::from(config.stacks), Error::NoStack);
        }
        let at = self.in_the_way(tables, caller, gate);
        let Some(holder) = at.and_then(|gate| self.visits.holder(gate.at())) else {
            return Ok(());
        };
        ensured(holder != caller, Error::Reentry)?;
        ensured(self.root(holder) != Some(caller), Error::Deadlock)?;
        ensured(self.chain(holder) <= usize::from(tables.chain), Error::Depth)
    }

    /// Returns the number of holders on the chain from this thread to the one that it waits for at
    /// last, itself included.
    fn chain(&self, holder: usize) -> usize {
        let mut at = holder;
        let mut length = 1;
        while let Wait::Gate(gate) = self.waits[at]
            && let Some(next) = self.visits.holder(gate)
            && length <= self.waits.len()
        {
            at = next;
            length += 1;
        }
        length
    }

    fn signalling(
        &self,
        tables: &Tables<'_>,
        notification: NotificationIndex,
    ) -> Result<(), Error> {
        let config = &tables.notifications[notification.at()];
        let waits = self.waits.contains(&Wait::Notification(notification.at()));
        match config.kind {
            NotificationKind::Counting { limit } if !waits => {
                ensured(self.pending[notification.at()] < limit, Error::CountFull)
            }
            _ => Ok(()),
        }
    }
}

fn ensured(holds: bool, error: Error) -> Result<(), Error> {
    holds.then_some(()).ok_or(error)
}
