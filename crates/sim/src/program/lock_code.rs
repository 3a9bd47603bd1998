//! The code of lock components and of their clients, as steps.
//!
//! Line by line what `os/components/locks/` and `<fusee/olock.h>` have in C.

use fusee_model::LockComponent;

use super::Op;
use crate::locks::{Act, Keeper};

/// A place in the code.
#[derive(Debug, Clone, Copy)]
struct Label(usize);

/// Steps with branches whose ends are still to be placed.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    ops: Vec<Op>,
    places: Vec<usize>,
    branches: Vec<(usize, Label)>,
}

/// Execution times of a keeper's method: before its section, in it, and behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times([Op; 3]);

/// The calls of a keeper to its scheduler.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Services {
    pub(crate) enter: Op,
    pub(crate) leave: Op,
    pub(crate) block: Op,
    pub(crate) wakeup: Op,
}

/// The calls of a client to its keeper.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    pub(crate) keeper: Keeper,
    pub(crate) lock: u8,
    /// The first call to an optimistic lock.
    pub(crate) pretake: Option<Op>,
    pub(crate) take: Op,
    pub(crate) release: Op,
}

impl Times {
    /// Returns an execution time in three parts, of which the section has the largest.
    pub(crate) fn of(best: u64, worst: u64) -> Self {
        let outside = Op::Compute { best: best / 4, worst: worst / 4 };
        let worst = worst - worst / 4 * 2;
        let inside = Op::Compute { best: (best - best / 4 * 2).min(worst), worst };
        Times([outside, inside, outside])
    }
}

impl Assembly {
    /// Returns all steps; a thread that runs them goes on behind the last one.
    pub(crate) fn finish(mut self) -> Vec<Op> {
        for (at, Label(label)) in self.branches {
            let to = self.places[label];
            if let Op::Branch { by, .. } = &mut self.ops[at] {
                *by = to as i32 - at as i32 - 1;
            }
        }
        self.ops
    }

    fn op(&mut self, op: Op) {
        self.ops.push(op);
    }

    fn act(&mut self, act: Act) {
        self.op(Op::Branch { act, wanted: true, by: 0 });
    }

    fn label(&mut self) -> Label {
        self.places.push(0);
        Label(self.places.len() - 1)
    }

    fn here(&mut self) -> Label {
        self.places.push(self.ops.len());
        Label(self.places.len() - 1)
    }

    fn place(&mut self, label: Label) {
        self.places[label.0] = self.ops.len();
    }

    fn when(&mut self, act: Act, wanted: bool, label: Label) {
        self.branches.push((self.ops.len(), label));
        self.op(Op::Branch { act, wanted, by: 0 });
    }

    fn to(&mut self, label: Label) {
        self.when(Act::Go, true, label);
    }

    /// Writes the code of `scheduling_enter`.
    pub(crate) fn enter(&mut self, row: u16, time: Op) {
        let (again, end) = (self.here(), self.label());
        self.op(time);
        self.when(Act::Enter, true, end);
        self.op(Op::Depend { row });
        self.when(Act::EnterAgain, true, again);
        self.place(end);
    }

    /// Writes the code of `scheduling_leave`.
    pub(crate) fn leave(&mut self, row: u16, time: Op) {
        self.op(time);
        self.act(Act::Leave);
        self.each(Act::NameWaiter, Op::Wake { row });
    }

    /// Writes the code of `scheduling_block`.
    pub(crate) fn block(&mut self, row: u16, time: Op) {
        self.op(time);
        self.op(Op::Depend { row });
        self.act(Act::Slept);
    }

    /// Writes the code of `scheduling_wakeup`.
    pub(crate) fn wakeup(&mut self, row: u16, time: Op) {
        self.op(time);
        self.op(Op::Wake { row });
    }

    /// A step for each that is named.
    fn each(&mut self, name: Act, op: Op) {
        let (next, end) = (self.here(), self.label());
        self.when(name, false, end);
        self.op(op);
        self.to(next);
        self.place(end);
    }

    /// A keeper enters its section, does something and leaves it.
    fn section(&mut self, services: &Services, (act, times): (Act, Times), barred: Label) {
        let Times([_, inside, behind]) = times;
        self.op(services.enter);
        self.when(Act::IsBarred, true, barred);
        self.act(act);
        self.op(inside);
        self.op(services.leave);
        self.op(behind);
    }

    fn sleep(&mut self, services: &Services) {
        self.act(Act::NameOwner);
        self.op(services.block);
    }

    /// Writes the code of `locks_take`.
    pub(crate) fn take(&mut self, kind: LockComponent, services: &Services, times: Times) {
        let end = self.label();
        self.op(times.0[0]);
        let first = self.here();
        self.section(services, (Act::Take(kind), times), end);
        self.when(Act::IsDecided, true, end);
        match kind {
            LockComponent::Ceiling => {
                self.sleep(services);
                self.to(first);
            }
            LockComponent::Optimistic => {
                self.sleep(services);
                self.when(Act::IsWoken, true, end);
                self.op(services.enter);
                self.act(Act::LeaveList);
                self.op(services.leave);
            }
            LockComponent::Pessimistic | LockComponent::Scheduler => {
                let again = self.here();
                self.sleep(services);
                self.when(Act::IsMine, true, end);
                self.section(services, (Act::TakeAgain, times), end);
                self.each(Act::NameNext, services.wakeup);
                self.when(Act::IsDecided, false, again);
            }
        }
        self.place(end);
    }

    /// Writes the code of `locks_pretake`.
    pub(crate) fn pretake(&mut self, services: &Services, times: Times) {
        let end = self.label();
        self.op(times.0[0]);
        self.section(services, (Act::Epoch, times), end);
        self.place(end);
    }

    /// Writes the code of `locks_release`.
    pub(crate) fn release(&mut self, kind: LockComponent, services: &Services, times: Times) {
        let end = self.label();
        self.op(times.0[0]);
        self.section(services, (Act::Release(kind), times), end);
        self.each(Act::NameNext, services.wakeup);
        self.place(end);
    }

    /// A client locks: `locks_take`, or `locks_lock` where it has a word.
    pub(crate) fn lock(&mut self, client: &Client) {
        self.act(Act::Ask(client.keeper, client.lock));
        let (got, refused, end) = (self.label(), self.label(), self.label());
        match client.pretake {
            None => self.op(client.take),
            Some(pretake) => {
                let again = self.here();
                self.when(Act::TakeWord, true, got);
                self.op(pretake);
                self.when(Act::IsRefused, true, refused);
                self.when(Act::MarkWord, true, again);
                self.when(Act::IsRefused, true, refused);
                self.op(client.take);
                self.when(Act::IsRefused, true, refused);
                self.when(Act::ReplaceOwner, true, got);
                self.to(again);
            }
        }
        self.place(got);
        self.when(Act::HasLock, true, end);
        self.place(refused);
        self.op(Op::Denied);
        self.place(end);
    }

    /// A client unlocks.
    pub(crate) fn unlock(&mut self, client: &Client) {
        self.act(Act::LetGo(client.keeper, client.lock));
        let (freed, end) = (self.label(), self.label());
        if client.pretake.is_some() {
            self.when(Act::FreeWord, true, freed);
        }
        self.op(client.release);
        self.place(freed);
        self.when(Act::IsDone, true, end);
        self.op(Op::Denied);
        self.place(end);
    }
}
