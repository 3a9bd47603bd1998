//! The memory of the three kinds of locks, and their clients' words.

use fusee_model::LockComponent;

use super::{Act, Answer, Kept, Locks, Slept, WAITERS};

/// The state of a lock.
#[derive(Debug, Clone, Default)]
pub(super) struct Lock {
    /// The thread that has it; of an optimistic one, the thread that the client's word names.
    owner: Option<usize>,
    /// `true` if that word says that a thread waits.
    contended: bool,
    /// A number that moves with each release that a thread may have waited for.
    epoch: u64,
    list: Vec<usize>,
    ceiling: i128,
    /// The thread that believes to have it, by which the rest is judged.
    inside: Option<usize>,
}

impl Lock {
    /// Returns a free one.
    pub(super) fn of(ceiling: i128) -> Self {
        Lock { ceiling, ..Lock::default() }
    }

    /// Gives it to the first thread that has asked.
    fn hand_over(&mut self) {
        self.owner = (!self.list.is_empty()).then(|| self.list.remove(0));
    }
}

/// Puts a thread at the end of a list; no: that is full.
fn append(list: &mut Vec<usize>, me: usize) -> bool {
    let fits = list.len() < WAITERS;
    list.extend(fits.then_some(me));
    fits
}

impl Kept {
    /// Returns the thread that keeps another one from a lock: its owner, or that of the lock with
    /// the highest ceiling.
    fn bar(&self, number: usize, (me, priority): (usize, i128)) -> Option<usize> {
        if self.locks[number].owner.is_some() {
            return self.locks[number].owner;
        }
        let mut highest: Option<(i128, usize)> = None;
        for lock in &self.locks {
            let Some(owner) = lock.owner.filter(|&owner| owner != me) else { continue };
            if highest.is_none_or(|(ceiling, _)| lock.ceiling > ceiling) {
                highest = Some((lock.ceiling, owner));
            }
        }
        highest.filter(|&(ceiling, _)| priority <= ceiling).map(|(_, owner)| owner)
    }
}

impl Locks {
    /// Takes an action of the client's half of a lock.
    pub(super) fn of_client(&mut self, me: usize, act: Act) -> bool {
        if let Act::Ask(keeper, number) | Act::LetGo(keeper, number) = act {
            let caller = &mut self.callers[me];
            (caller.keeper, caller.number) = (keeper.into(), number.into());
            (caller.answer, caller.how) = (Answer::Open, Slept::Woken);
        }
        let caller = &mut self.callers[me];
        let lock = &mut self.keepers[caller.keeper].locks[caller.number];
        match act {
            Act::LetGo(..) if lock.inside == Some(me) => lock.inside = None,
            Act::HasLock => {
                let has = caller.answer == Answer::Has;
                debug_assert!(!has || lock.inside.is_none(), "{me} and {:?} inside", lock.inside);
                lock.inside = if has { Some(me) } else { lock.inside };
                return has;
            }
            Act::TakeWord => {
                let free = lock.owner.is_none();
                if free {
                    (lock.owner, caller.answer) = (Some(me), Answer::Has);
                }
                return free;
            }
            Act::FreeWord => {
                let own = lock.owner == Some(me);
                let waited_for = own && std::mem::take(&mut lock.contended);
                lock.owner = lock.owner.filter(|_| !own);
                caller.answer = if own { Answer::Has } else { Answer::Refused };
                return !waited_for;
            }
            Act::MarkWord => {
                caller.owner = lock.owner;
                if lock.owner == Some(me) {
                    caller.answer = Answer::Refused;
                }
                lock.contended |= lock.owner.is_some_and(|owner| owner != me);
                return lock.owner.is_none();
            }
            Act::ReplaceOwner => {
                let gone = caller.how == Slept::Gone && lock.contended;
                let replaces = gone && lock.owner == caller.owner;
                if replaces {
                    (lock.owner, lock.inside, caller.answer) = (Some(me), None, Answer::Has);
                }
                return replaces;
            }
            _ => {}
        }
        true
    }

    /// To take a lock, in the section.
    pub(super) fn take(&mut self, me: usize, kind: LockComponent) -> bool {
        if kind == LockComponent::Ceiling {
            return self.take_by_ceiling(me);
        }
        let caller = &mut self.callers[me];
        let lock = &mut self.keepers[caller.keeper].locks[caller.number];
        if kind == LockComponent::Optimistic {
            // Who does not sleep tries its word again.
            caller.how = Slept::Woken;
            caller.answer = if lock.epoch == caller.epoch { Answer::Open } else { Answer::Has };
            lock.list.retain(|&thread| thread != me || caller.answer == Answer::Has);
            if caller.answer == Answer::Open && !append(&mut lock.list, me) {
                (caller.answer, caller.how) = (Answer::Refused, Slept::Refused);
            }
            return true;
        }
        caller.owner = lock.owner;
        caller.answer = match lock.owner {
            None => Answer::Has,
            Some(owner) if owner != me && append(&mut lock.list, me) => Answer::Open,
            Some(_) => Answer::Refused,
        };
        lock.owner = lock.owner.or(Some(me));
        true
    }

    /// The same of a pessimistic lock, for a thread that has slept.
    pub(super) fn take_again(&mut self, me: usize) -> bool {
        let caller = &mut self.callers[me];
        let lock = &mut self.keepers[caller.keeper].locks[caller.number];
        let died = caller.how == Slept::Gone && lock.owner == caller.owner;
        if caller.how == Slept::Refused {
            lock.list.retain(|&thread| thread != me);
        } else if died {
            lock.hand_over();
            lock.inside = None;
            let new = lock.owner.filter(|&owner| owner != me);
            caller.tell = new.into_iter().chain(lock.list.iter().copied()).collect();
        }
        caller.owner = lock.owner;
        caller.answer = match caller.how {
            Slept::Refused => Answer::Refused,
            _ if lock.owner == Some(me) => Answer::Has,
            _ => Answer::Open,
        };
        true
    }

    fn take_by_ceiling(&mut self, me: usize) -> bool {
        let (caller, priority) = (&mut self.callers[me], self.priorities[me]);
        let kept = &mut self.keepers[caller.keeper];
        kept.list.retain(|&thread| thread != me);
        let mut bar = match caller.how {
            Slept::Refused => caller.owner,
            _ => kept.bar(caller.number, (me, priority)),
        };
        if caller.how == Slept::Gone && bar == caller.owner {
            // Its job has ended with locks that it has: they are free.
            for lock in kept.locks.iter_mut().filter(|lock| lock.owner == bar && bar.is_some()) {
                (lock.owner, lock.inside) = (None, None);
            }
            bar = kept.bar(caller.number, (me, priority));
        }
        let may_wait = bar != Some(me) && caller.how != Slept::Refused;
        caller.answer = match bar {
            None => Answer::Has,
            Some(_) if may_wait && append(&mut kept.list, me) => Answer::Open,
            Some(_) => Answer::Refused,
        };
        if bar.is_none() {
            kept.locks[caller.number].owner = Some(me);
        }
        caller.owner = bar;
        true
    }

    /// Releases a lock, in the section, and notes the threads to wake.
    pub(super) fn release(&mut self, me: usize, kind: LockComponent) -> bool {
        let caller = &mut self.callers[me];
        let kept = &mut self.keepers[caller.keeper];
        let lock = &mut kept.locks[caller.number];
        if kind == LockComponent::Optimistic {
            lock.epoch += 1;
            caller.tell = std::mem::take(&mut lock.list).into();
            return true;
        }
        if lock.owner != Some(me) {
            (caller.answer, caller.tell) = (Answer::Refused, Default::default());
            return true;
        }
        caller.answer = Answer::Has;
        if kind == LockComponent::Ceiling {
            lock.owner = None;
            caller.tell = std::mem::take(&mut kept.list).into();
        } else {
            lock.hand_over();
            caller.tell = lock.owner.iter().chain(&lock.list).copied().collect();
        }
        true
    }

    /// Answers the other questions about a lock, some of them in its section.
    pub(super) fn at_list(&mut self, me: usize, act: Act) -> bool {
        let caller = &mut self.callers[me];
        let lock = &mut self.keepers[caller.keeper].locks[caller.number];
        match act {
            Act::Epoch => caller.epoch = lock.epoch,
            Act::LeaveList => lock.list.retain(|&thread| thread != me),
            _ => {
                let mine = lock.owner == Some(me);
                caller.answer = if mine { Answer::Has } else { caller.answer };
                return mine;
            }
        }
        true
    }
}
