//! Lists through hooks that stand in an array of their own.

use crate::mutation::seeded;

// Both are above the number of any member: the tables have at most 32,766 of a kind.
const NONE: u16 = u16::MAX;
const OUT: u16 = u16::MAX - 1;

/// The place of a member in a chain; at first it is in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hook {
    next: u16,
    previous: u16,
}

impl Hook {
    /// In no chain.
    pub const OUT: Self = Hook { next: OUT, previous: OUT };

    /// Returns `true` if it is in a chain.
    pub const fn is_in(self) -> bool {
        self.next != OUT
    }
}

/// A doubly linked list. Each of its operations takes constant time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chain {
    first: u16,
    last: u16,
}

impl Chain {
    /// A chain without members.
    pub const EMPTY: Self = Chain { first: NONE, last: NONE };

    /// Returns the first member.
    pub const fn first(self) -> Option<usize> {
        at(self.first)
    }

    /// Returns the members in order.
    pub fn iter(self, hooks: &[Hook]) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(self.first(), move |member| self.after(hooks, *member))
    }

    /// Returns the member after one.
    pub(super) fn after(self, hooks: &[Hook], member: usize) -> Option<usize> {
        at(hooks[member].next)
    }

    pub(super) fn push_front(&mut self, hooks: &mut [Hook], member: usize) {
        self.insert_before(hooks, member, self.first());
    }

    pub(super) fn push_back(&mut self, hooks: &mut [Hook], member: usize) {
        hooks[member] = Hook { next: NONE, previous: self.last };
        match hooks.get_mut(usize::from(self.last)) {
            Some(last) => last.next = member as u16,
            None => self.first = member as u16,
        }
        self.last = member as u16;
    }

    /// Inserts before a member; none: at the end.
    pub(super) fn insert_before(&mut self, hooks: &mut [Hook], member: usize, next: Option<usize>) {
        let previous = next.map_or(self.last, |next| hooks[next].previous);
        let next = next.map_or(NONE, |next| next as u16);
        hooks[member] = Hook { next, previous };
        self.join(hooks, previous, member as u16);
        self.join(hooks, member as u16, next);
    }

    /// Takes a member out; nothing changes where it is in no chain.
    pub(super) fn remove(&mut self, hooks: &mut [Hook], member: usize) {
        let Hook { next, previous } = hooks[member];
        // Whoever takes a member out need not know whether it is in: it may be activated and not
        // queued.
        if next == OUT {
            return;
        }
        self.join(hooks, previous, seeded!(CutChain, NONE, next));
        hooks[member] = Hook::OUT;
    }

    fn join(&mut self, hooks: &mut [Hook], previous: u16, next: u16) {
        // A place without a member has no hook either.
        match hooks.get_mut(usize::from(previous)) {
            Some(previous) => previous.next = next,
            None => self.first = next,
        }
        match hooks.get_mut(usize::from(next)) {
            Some(next) => next.previous = previous,
            None => self.last = previous,
        }
    }
}

const fn at(link: u16) -> Option<usize> {
    if link == NONE { None } else { Some(link as usize) }
}
