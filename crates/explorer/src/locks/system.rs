//! Small systems of threads that lock and unlock.

/// The kind of lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A component that is asked each time.
    Pessimistic,
    /// A word in the client, and a component for when it is contended.
    Optimistic,
    /// The first as it comes with Fusee: the thread that hands it over wakes all waiting ones.
    Shipped,
}

/// The choice of the thread that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Any thread goes on.
    Any,
    /// Threads begin at any time; the thread at the end of the chain from the most urgent one goes
    /// on.
    Priorities,
}

/// Threads that lock and unlock one lock.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that say why the system is explored.
    pub name: &'static str,
    /// The kind of lock.
    pub kind: Kind,
    /// The number of threads.
    pub threads: usize,
    /// The number of times that each locks and unlocks.
    pub turns: u8,
    /// The choice of the thread that goes on.
    pub order: Order,
}

/// The systems that are explored.
pub mod systems {
    use super::Kind::{Optimistic, Pessimistic, Shipped};
    use super::Order::{Any, Priorities};
    use super::{Kind, Order, System};

    const fn system(
        name: &'static str,
        kind: Kind,
        (threads, turns): (usize, u8),
        order: Order,
    ) -> System {
        System { name, kind, threads, turns, order }
    }

    /// Three threads, each twice, at a lock component.
    pub const ASKED: System = system("pessimistic, three threads twice", Pessimistic, (3, 2), Any);
    /// Four threads, each once.
    pub const ASKED_BY_FOUR: System =
        system("pessimistic, four threads once", Pessimistic, (4, 1), Any);
    /// Four by priority.
    pub const ASKED_IN_ORDER: System =
        system("pessimistic, four threads by priority", Pessimistic, (4, 1), Priorities);
    /// Three threads, each twice, at a word.
    pub const WORD: System = system("optimistic, three threads twice", Optimistic, (3, 2), Any);
    /// Four threads, each once.
    pub const WORD_OF_FOUR: System =
        system("optimistic, four threads once", Optimistic, (4, 1), Any);
    /// Four by priority.
    pub const WORD_IN_ORDER: System =
        system("optimistic, four threads by priority", Optimistic, (4, 1), Priorities);

    /// Three threads, each twice, at the component that comes with Fusee.
    pub const OURS: System = system("shipped, three threads twice", Shipped, (3, 2), Any);
    /// Four threads, each once.
    pub const OURS_OF_FOUR: System = system("shipped, four threads once", Shipped, (4, 1), Any);
    /// Four by priority.
    pub const OURS_IN_ORDER: System =
        system("shipped, four threads by priority", Shipped, (4, 1), Priorities);

    /// All of them.
    pub const ALL: &[System] = &[
        ASKED,
        ASKED_BY_FOUR,
        ASKED_IN_ORDER,
        WORD,
        WORD_OF_FOUR,
        WORD_IN_ORDER,
        OURS,
        OURS_OF_FOUR,
        OURS_IN_ORDER,
    ];
}
