//! The threads' debts for signals to other cores, counted tick by tick.

use fusee_kernel::cores::{Due, Host, OneCore, PostLimit};
use fusee_kernel::{Capability, Event, MailboxIndex};

use super::Step;

/// For each core, for each mailbox and thread: what it owes.
#[derive(Debug, Clone)]
pub(super) struct Posts(Vec<Vec<u64>>);

impl Posts {
    /// Returns the debts before the start: none.
    pub(super) fn start(tables: &[OneCore<'_>]) -> Posts {
        Posts(tables.iter().map(|(_, shared)| vec![0; shared.limits.len()]).collect())
    }

    /// A tick passes.
    pub(super) fn tick(&mut self, tables: &[OneCore<'_>]) {
        for (owed, (_, shared)) in self.0.iter_mut().zip(tables) {
            for (owed, limit) in owed.iter_mut().zip(shared.limits) {
                *owed = owed.saturating_sub(limit.back.into());
            }
        }
    }

    /// A core has taken a step, after which a signal may be on its way to a mailbox.
    pub(super) fn follow(
        &mut self,
        step: Step,
        tables: &OneCore<'_>,
        (before, after): (&Host, &Host),
    ) {
        let Step::Event(core, Event::Signal(_)) = step else { return };
        let (Due::Post(mailbox, _), Some(thread)) =
            (after.cores[core].home.due, before.cores[core].store.running())
        else {
            return;
        };
        let (place, limit) = of(tables, mailbox, thread);
        self.0[core][place] += limit.cost;
    }

    /// Returns `true` if a step must be refused, because its thread would owe more than its credit.
    pub(super) fn refuse(&self, step: Step, tables: &[OneCore<'_>], host: &Host) -> bool {
        let Step::Event(core, Event::Signal(slot)) = step else { return false };
        let (own, tables) = (&host.cores[core], &tables[core]);
        let Some(thread) = own.store.running() else { return false };
        let component = &tables.0.components[own.store.component_of(&tables.0, thread)];
        let Some(Capability::Signal(event, _)) = component.capabilities.get(usize::from(slot))
        else {
            return false;
        };
        let Some(mailbox) = tables.1.elsewhere(*event) else { return false };
        let (place, limit) = of(tables, mailbox, thread);
        limit.cost > 0 && self.0[core][place] + limit.cost > limit.credit
    }

    /// Encodes the debts as bytes.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0.iter().flatten().map(|owed| *owed as u8));
    }
}

/// Returns the index of a thread's debt at a mailbox, and its limit there.
fn of((one, shared): &OneCore<'_>, mailbox: MailboxIndex, thread: usize) -> (usize, PostLimit) {
    let place = mailbox.at() * one.threads.len() + thread;
    (place, shared.limits[place])
}
