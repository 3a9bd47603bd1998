//! Rules that have names, and what it is to break one.
//!
//! The rules of one core and those of several are two lists; what a rule is, and a breach
//! of it, is the same for both.

use std::fmt;

/// Makes the type `Rule` of a list of rules with their names.
macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident, $name:literal;)*) => {
        /// What must hold.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// All of them.
            pub const ALL: &[Rule] = &[$(Rule::$rule),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Rule::$rule => $name,)*
                }
            }
        }

        impl std::fmt::Display for Rule {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(self.name())
            }
        }
    };
}

pub(crate) use rules;

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach<R> {
    /// Which.
    pub rule: R,
    /// What does not hold.
    pub what: String,
}

impl<R: fmt::Display> fmt::Display for Breach<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.rule, self.what)
    }
}

pub(crate) fn ensure<R>(
    rule: R,
    holds: bool,
    what: impl FnOnce() -> String,
) -> Result<(), Breach<R>> {
    if holds { Ok(()) } else { Err(Breach { rule, what: what() }) }
}
