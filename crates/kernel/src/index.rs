//! Small integers that name the kernel's objects.
//!
//! Everything is static, so an object is its position in a table. Sixteen bits keep the links of
//! the intrusive lists short; one value is set aside for "none", because an `Option<u16>` would
//! double the size of every link.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            // No table is that long. So a checked look-up misses with it, and needs no test for
            // "none" before.
            /// The index that names no object.
            pub const NONE: Self = Self(u16::MAX);

            /// Returns the position in its table.
            #[inline]
            pub const fn at(self) -> usize {
                self.0 as usize
            }

            /// Returns `true` if this names an object.
            #[inline]
            pub const fn is_some(self) -> bool {
                !self.is_none()
            }

            /// Returns `true` if this is [`NONE`](Self::NONE).
            #[inline]
            pub const fn is_none(self) -> bool {
                // There are at most 32,766 objects of a kind, and a sign is tested in one
                // instruction.
                (self.0 as i16) < 0
            }
        }
    };
}

index! {
    /// A thread's position in [`Tables::threads`](crate::Tables::threads).
    ThreadIndex
}
index! {
    /// A gate's position in [`Tables::gates`](crate::Tables::gates).
    GateIndex
}
index! {
    /// A notification's position in [`Tables::notifications`](crate::Tables::notifications).
    NotificationIndex
}
index! {
    /// A component's position in [`Tables::components`](crate::Tables::components).
    ComponentIndex
}
index! {
    /// A stack's position in the pool of all gates' stacks.
    StackIndex
}
index! {
    /// A global gate's position in [`CoreTables::globals`](crate::cores::CoreTables::globals).
    GlobalIndex
}
index! {
    /// A thread's position among those that use a global gate.
    SeatIndex
}
index! {
    /// A mailbox's position in [`CoreTables::mailboxes`](crate::cores::CoreTables::mailboxes).
    MailboxIndex
}
index! {
    /// A component's position in [`CoreTables::restarts`](crate::cores::CoreTables::restarts).
    RestartIndex
}
index! {
    /// An account's position in [`tcaps::Tables::accounts`](crate::tcaps::Tables::accounts).
    AccountIndex
}
index! {
    /// A scheduler's position in [`tcaps::Tables::schedulers`](crate::tcaps::Tables::schedulers).
    SchedulerIndex
}
