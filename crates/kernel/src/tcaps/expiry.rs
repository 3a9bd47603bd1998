//! Temporal faults: a budget ends, or a time-out is due.

use super::dispatcher::Side;
use super::{Dispatcher, Standing};
use crate::mutation::seeded;
use crate::{AccountIndex, SchedulerIndex, ThreadIndex};

impl Dispatcher<'_> {
    /// Stops the threads that run on an account if it has no budget left, and settles which
    /// scheduler has control. Steps: the threads that are activated on it, and of its tree the
    /// threads, the accounts and the depth.
    #[inline(always)]
    pub(super) fn expire_if_empty(&mut self, account: AccountIndex) {
        if !self.memory.accounts[account.at()].is_funded() {
            self.expire(account);
        }
    }

    #[inline(never)]
    fn expire(&mut self, account: AccountIndex) {
        if self.end_if_empty(account) {
            let scheduler = self.tables.accounts[account.at()].scheduler;
            let root = self.memory.schedulers[scheduler.at()].root;
            self.settle_control(scheduler, root);
        }
    }

    /// Stops the threads that run on an account if it has no budget left, unless one of them is in
    /// a section that must not be interrupted: then it owes what it uses. Where the kernel fills
    /// it, they go on then. Else all but the owner lose their say; returns `true` if control is
    /// still to be settled.
    pub(super) fn end_if_empty(&mut self, account: AccountIndex) -> bool {
        if self.memory.accounts[account.at()].is_funded() || self.has_late(account) {
            return false;
        }
        if self.tables.is_kernels(account) {
            self.dequeue_activated(account);
            return false;
        }
        // It is in no list of accounts with budget, so its end has been settled before.
        if !self.memory.funded[account.at()].is_in() {
            return false;
        }
        let scheduler = self.tables.accounts[account.at()].scheduler;
        let root = self.memory.schedulers[scheduler.at()].root;
        self.memory.schedulers[root.at()].funded.remove(self.memory.funded, account.at());
        // Not before the budget is at its end: with foreign entries taken away, time that others
        // gave would become better than they allowed.
        let own = self.tables.own_quality(account);
        seeded!(KeptTaint, (), self.memory.accounts[account.at()].quality = own);
        self.end_activations(account);
        true
    }

    /// Stops the threads that are activated on an account, and tells their scheduler.
    fn end_activations(&mut self, account: AccountIndex) {
        let owner = self.tables.accounts[account.at()].scheduler;
        let (mut told, mut placed) = (SchedulerIndex::NONE, SchedulerIndex::NONE);
        while let Some(member) = self.memory.accounts[account.at()].activated.first() {
            let thread = ThreadIndex(member as u16);
            self.stop(thread, Standing::Stopped);
            let scheduler = self.note(thread);
            if self.memory.schedulers[scheduler.at()].place == thread {
                placed = scheduler;
            }
            // All are the owner's, or the owner itself, which does not wait then.
            if told.is_none() || scheduler != owner {
                told = scheduler;
            }
        }
        if placed.is_some() {
            // It is the scheduler that is told, and does not wait.
            self.end_place(placed);
        } else {
            self.wake(told);
        }
    }

    /// Ends the dispatch of a thread that has no budget any more. Its scheduler has then dispatched
    /// no thread, but does not have control yet; the same holds for its parent, if that had
    /// dispatched the scheduler. Each still wants control back at its time-out. Steps: the depth of
    /// the tree.
    fn end_place(&mut self, scheduler: SchedulerIndex) {
        let mut number = scheduler;
        loop {
            self.memory.schedulers[number.at()].place = ThreadIndex::NONE;
            seeded!(ForgottenTimeout, self.clear_place(number), ());
            let own = self.tables.schedulers[number.at()].thread;
            if self.standing(own) != Standing::Placed {
                return;
            }
            self.memory.end_points[own.at()].standing = Standing::Stopped;
            number = self.note(own);
            let parent = self.memory.schedulers.get(number.at());
            if parent.is_none_or(|parent| parent.place != own) {
                return self.wake(number);
            }
        }
    }

    /// Settles control after an account's end: its scheduler runs if its own account has budget;
    /// else, unless a thread of the tree is still activated, the scheduler of the account that was
    /// delegated to last; and at last the root of the tree.
    fn settle_control(&mut self, scheduler: SchedulerIndex, root: SchedulerIndex) {
        let own = self.tables.schedulers[scheduler.at()].thread;
        let funded = self.memory.accounts[self.own_account(own).at()].is_funded();
        if seeded!(SkippedScheduler, false, funded) && self.standing(own) != Standing::Dead {
            self.give_control(scheduler, Side::Successor);
        // Whoever of the tree is still activated goes before an heir.
        } else if !self.is_activated(root) {
            let heir = self.latest_funded(root);
            if heir.is_some() { self.inherit(heir) } else { self.give_control(root, Side::Back) }
        }
    }

    /// The account of a tree that has budget, was delegated to last and has a scheduler that can
    /// run; none: there is none.
    fn latest_funded(&self, root: SchedulerIndex) -> AccountIndex {
        let funded = self.memory.schedulers[root.at()].funded;
        let lives = |account: &usize| {
            let scheduler = self.tables.accounts[*account].scheduler;
            let own = self.tables.schedulers[scheduler.at()].thread;
            seeded!(DeadHeir, true, self.standing(own) != Standing::Dead)
        };
        // The first is the one that was delegated to last. A dead scheduler could do nothing with
        // control.
        let heir = funded.iter(self.memory.funded).find(lives);
        heir.map_or(AccountIndex::NONE, |account| AccountIndex(account as u16))
    }

    /// An account's scheduler has control, and the account pays. The kernel's own scheduler pays
    /// for itself.
    fn inherit(&mut self, account: AccountIndex) {
        let scheduler = self.tables.accounts[account.at()].scheduler;
        let own = self.tables.schedulers[scheduler.at()].thread;
        if self.tables.is_kernel_thread(own) {
            self.give_control(scheduler, Side::Back);
            return;
        }
        self.clear_place(scheduler);
        self.activate(own, account, None, Side::Back);
        self.queue_event(own, false);
    }

    /// Returns `true` if a thread of a tree, its root left out, is activated on an account with
    /// budget. Steps: the threads.
    fn is_activated(&self, root: SchedulerIndex) -> bool {
        let of_tree = |thread: &usize| {
            let scheduler = self.tables.end_points[*thread].scheduler;
            self.memory.schedulers.get(scheduler.at()).is_some_and(|state| state.root == root)
        };
        self.memory.core.ready.iter(self.memory.ready).any(|thread| of_tree(&thread))
    }

    /// Handles a scheduler's time-out: the thread that it has dispatched is stopped, and so on down
    /// the tree; each scheduler is told, and this one has control. Steps: the depth of the tree.
    pub(super) fn time_out(&mut self, scheduler: SchedulerIndex) {
        let mut thread = self.memory.schedulers[scheduler.at()].place;
        // Only noted: one search below serves all schedulers on the way.
        let mut first = self.forget_place(scheduler);
        let has_lost = !self.can_pay(scheduler) || self.has_control_above(scheduler);
        let told_before = thread.is_none() && has_lost;
        while thread.is_some() && self.standing(thread) == Standing::Placed {
            let below = self.memory.end_points[thread.at()].scheduler;
            self.memory.end_points[thread.at()].standing = Standing::Stopped;
            seeded!(SilentPlace, (), {
                self.note(thread);
            });
            thread = self.memory.schedulers[below.at()].place;
            first |= self.forget_place(below);
        }
        if first {
            self.find_timeout();
        }
        if told_before {
            // It has lost control by the end of a budget, and its parent was told then.
            return;
        }
        let side = if self.goes_first(thread) { Side::Successor } else { Side::Back };
        if thread.is_some() && self.standing(thread) == Standing::Activated {
            self.stop(thread, Standing::Stopped);
            seeded!(SilentStop, (), {
                self.note(thread);
            });
        }
        self.give_control(scheduler, side);
    }

    /// Returns `true` if a scheduler could have control: its own account has budget, or it is the
    /// kernel's.
    fn can_pay(&self, scheduler: SchedulerIndex) -> bool {
        let own = self.tables.schedulers[scheduler.at()].thread;
        let funded = self.memory.accounts[self.own_account(own).at()].is_funded();
        funded || self.tables.is_kernel_thread(own)
    }

    /// Returns `true` if the scheduler of an account, or one above it, wants control back by now,
    /// and can have it. Steps: the depth of the tree.
    pub(super) fn is_wanted_back(&self, account: AccountIndex) -> bool {
        let config = self.tables.accounts.get(account.at());
        let mut number = config.map_or(SchedulerIndex::NONE, |config| config.scheduler);
        while number.is_some() {
            let timeout = self.memory.schedulers[number.at()].timeout;
            // The account has just been charged, so that instant is now.
            if timeout <= self.memory.core.since && self.can_pay(number) {
                return true;
            }
            number = self.tables.schedulers[number.at()].parent;
        }
        false
    }

    /// Returns `true` if an activated thread runs, or will run when all better ones end. A thread
    /// that has preempted an equal is not preempted in turn.
    fn goes_first(&self, thread: ThreadIndex) -> bool {
        let level = |own: ThreadIndex| self.memory.end_points.get(own.at()).map(|own| own.level);
        let running = self.running();
        thread.is_some()
            && self.standing(thread) == Standing::Activated
            && (running == thread || level(running) != level(thread))
    }
}
