//! Enums that are numbers in memory: type, list and decoder from one place.
//!
//! Numbers that the kernel writes are read by others. A list of all values kept elsewhere compiles
//! when an entry is forgotten, and fails on the first run that has it; so the values stand once and
//! the macro makes the rest of them. Nothing of it costs the kernel anything: functions that it
//! does not call are not in it.

/// An enum whose values have numbers of eight bits, with all of them and the value of a number.
#[macro_export]
macro_rules! coded {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$of_value:meta])* $value:ident = $code:literal,)+ }
    ) => {
        $(#[$about])*
        #[repr(u8)]
        pub enum $name { $($(#[$of_value])* $value = $code,)+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Returns the number that stands for it in a record.
            #[inline]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// Returns the one with this number.
            #[inline]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$value),)+
                    _ => None,
                }
            }
        }
    };
}
