//! The rules of several cores by name.

use std::fmt;

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
    };
}

rules! {
    /// Each core's own state obeys the rules of one core.
    OneCore, "one core";
    /// A core's step changes no other core's state.
    OwnState, "own state";
    /// A gate's activation is executed by one core at most, which knows it, for a thread that has asked there.
    Activation, "one activation";
    /// The activation is that of the first request.
    Owner, "owner first";
    /// Requests stand as they came, or behind the first by base priority.
    Order, "order of requests";
    /// Who has asked has one request or one answer, and nobody else has.
    Requests, "one request each";
    /// Of each core one request at most waits at a gate whose waiters stay on their core.
    Single, "one for each core";
    /// A request is present exactly while its core has announced it, which is while it runs there.
    Presence, "presence";
    /// Whoever can go on has been told to look.
    Told, "told to look";
    /// When nothing is on its way, who waits on its core waits for a section that is executed.
    Progress, "progress";
    /// Under msrp nobody else runs on the core of who has asked.
    Stays, "stays on its core";
    /// Neither a budget nor a time slice ends between asking and coming back.
    Ends, "no end inside";
    /// A section begins once, and its caller learns how it has ended.
    Once, "told once";
    /// A call is refused exactly if it is not allowed, and then changes nothing.
    Refusals, "refusals";
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// Which.
    pub rule: Rule,
    /// What does not hold.
    pub what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.rule, self.what)
    }
}

/// Whether rules hold.
pub type Checked = Result<(), Breach>;

pub(crate) fn ensure(rule: Rule, holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Breach { rule, what: what() }) }
}
