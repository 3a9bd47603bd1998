//! Threads of a core that sleep for each other, by a ledger of the services.

use fusee_kernel::cores::{Host, OneCore};
use fusee_kernel::{Capability, Error, Event, Policy, Status, Store, Tables, each_store};

use super::rule::ensure;
use super::{Checked, Rule, Step};
use crate::services::systems::row;
use crate::services::{Asked, Ledger};

/// One ledger for each core.
#[derive(Debug, Clone)]
pub(super) struct Sleepers(Vec<Ledger>);

/// A thread of a core that may ask for the services, where it is.
#[derive(Clone, Copy)]
struct Asker {
    thread: usize,
    /// The first gate of the row of the component in which it is.
    row: usize,
    asked: Option<Asked>,
}

impl Sleepers {
    /// Returns the ledgers at the start: nobody sleeps.
    pub(super) fn start(tables: &[OneCore<'_>]) -> Self {
        Sleepers(tables.iter().map(|(one, _)| Ledger::start(one.threads.len())).collect())
    }

    /// Encodes the ledgers.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        for ledger in &self.0 {
            for (thread, asleep) in ledger.asleep.iter().enumerate() {
                let on_account = |(row, target): (usize, usize)| [thread, row, target];
                bytes.extend(asleep.map(on_account).into_iter().flatten().map(|one| one as u8));
            }
            bytes.extend(ledger.woken.iter().flat_map(|&(row, thread)| [row as u8, thread as u8]));
            bytes.push(u8::MAX);
        }
    }

    /// Returns the error with which a call must be refused because its thread would wait for
    /// itself.
    pub(super) fn refusal(&self, step: Step, tables: &[OneCore<'_>], host: &Host) -> Option<Error> {
        let Step::Event(core, event) = step else { return None };
        let (ledger, one) = (&self.0[core], &tables[core].0);
        each_store!(&host.cores[core].store, store => {
            let Asker { thread, row, asked } = asker(one, store, event)?;
            let Some(Asked::Depend(target, _)) = asked else { return None };
            if ledger.woken.contains(&(row, thread)) {
                return None;
            }
            if target == thread {
                return Some(Error::Reentry);
            }
            let mut at = target;
            for _ in one.threads {
                at = waits_for(ledger, store, at)?;
                if at == thread {
                    return Some(Error::Deadlock);
                }
            }
            None
        })
    }

    /// Takes a step, and checks that the kernel has the same threads asleep, on the account of the
    /// same ones, and tells those that go on the same.
    pub(super) fn follow(
        &mut self,
        step: Step,
        (one, shared): &OneCore<'_>,
        (before, after): (&Host, &Host),
    ) -> Checked {
        let core = usize::from(shared.core);
        let ledger = &mut self.0[core];
        ledger.told.clear();
        if let Step::Event(_, event) = step {
            each_store!(&before.cores[core].store, store => {
                if let Some(Asker { thread, row, asked: Some(asked) }) = asker(one, store, event) {
                    ledger.ask((row, thread), asked);
                }
                if let Some(running) = store.running().filter(|_| event == Event::Complete) {
                    ledger.end_job(running);
                }
            });
        }
        each_store!(&after.cores[core].store, store => check(ledger, store))
    }
}

/// Returns the running thread with the service that it asks for, if it is where it may.
fn asker<P: Policy>(tables: &Tables<'_>, store: &Store<P>, event: Event) -> Option<Asker> {
    let thread = store.running()?;
    let component = store.component_of(tables, thread);
    let row = row(tables, component)?;
    let named = |slot: u16| match tables.components[component].capabilities[usize::from(slot)] {
        Capability::Thread(_, thread) => Some(thread.at()),
        _ => None,
    };
    let asked = match event {
        Event::Depend(slot) => named(slot)
            .map(|target| Asked::Depend(target, store.threads[target].status != Status::Idle)),
        Event::Wake(slot) => named(slot).map(Asked::Wake),
        _ => None,
    };
    Some(Asker { thread, row, asked })
}

/// Returns the thread that another one waits for: by the ledger, or at a gate.
fn waits_for<P: Policy>(ledger: &Ledger, store: &Store<P>, thread: usize) -> Option<usize> {
    if let Some((_, target)) = ledger.asleep[thread] {
        return Some(target);
    }
    let gate = store.threads[thread].gate()?;
    Some(store.gates[gate.at()].holder.at())
}

fn check<P: Policy>(ledger: &Ledger, store: &Store<P>) -> Checked {
    let sleeps = |thread: usize| {
        let at = store.threads[thread].gate()?.at();
        let gate = &store.gates[at];
        fusee_kernel::Word::depends(gate.word).then(|| (at, gate.holder.at()))
    };
    let same = ledger.compare(sleeps, |thread| store.threads[thread].value);
    same.or_else(|difference| ensure(Rule::Sleepers, false, || difference))
}
