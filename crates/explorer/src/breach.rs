//! Rules that have names, and what it is to break one.
//!
//! The rules of one core, of several, of schedulers and of locks are lists of their own;
//! what a rule is, a breach of it, and how it came to that, is the same for all.

use std::fmt;

/// Makes the type `Rule` of a list of rules with their names.
macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident, $name:literal;)*) => {
        /// A rule that must hold.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// All of them.
            pub const ALL: &[Rule] = &[$(Rule::$rule),*];

            /// Returns the name of the rule.
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
    /// The rule that is broken.
    pub rule: R,
    /// The statement that does not hold.
    pub what: String,
}

impl<R: fmt::Display> fmt::Display for Breach<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.rule, self.what)
    }
}

/// A rule that does not hold, and how it came to that.
#[derive(Debug)]
pub struct Violation<R, S> {
    /// The rule that is broken, and how.
    pub breach: Breach<R>,
    /// The steps from the start, the last one at fault.
    pub steps: Vec<S>,
}

pub(crate) fn ensure<R>(
    rule: R,
    holds: bool,
    what: impl FnOnce() -> String,
) -> Result<(), Breach<R>> {
    if holds { Ok(()) } else { Err(Breach { rule, what: what() }) }
}
