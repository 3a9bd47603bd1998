//! Index types.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position in the system's vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 objects"))
            }
        }
    )*};
}

ids! {
    /// A task of the system.
    TaskId;
    /// A component instance of the system.
    ComponentId;
    /// A gate of the system.
    GateId;
    /// A notification of the system.
    NotificationId;
    /// A dataport of the system.
    DataportId;
    /// A connection of the system.
    ConnectionId;
    /// A protection domain of the system.
    DomainId;
}
