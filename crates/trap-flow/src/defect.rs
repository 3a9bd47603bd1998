//! Seeded defects, for the explorer's own tests.
//!
//! As those of the kernel: with the feature `mutations` the flow can be wrong in any of these ways
//! for the thread of the host that asks for it, and without it only the right expression is
//! compiled.

/// Chooses between two expressions: the first where the defect is seeded, the second where it is
/// not.
#[cfg(feature = "mutations")]
macro_rules! seeded {
    ($defect:ident, $wrong:expr, $right:expr) => {
        if $crate::Defect::$defect.is_seeded() { $wrong } else { $right }
    };
}

#[cfg(not(feature = "mutations"))]
macro_rules! seeded {
    ($defect:ident, $wrong:expr, $right:expr) => {
        $right
    };
}

pub(crate) use seeded;

#[cfg(feature = "mutations")]
mod seeds {
    use core::cell::Cell;

    // For each thread of the host: tests run side by side, and one must not see another's defect.
    std::thread_local! {
        static SEED: Cell<Option<Defect>> = const { Cell::new(None) };
    }

    macro_rules! defects {
        ($($module:literal: $($defect:ident, $what:literal;)*)*) => {
            /// A way in which the flow can be wrong.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub enum Defect {
                $($(#[doc = $what] $defect,)*)*
            }

            impl Defect {
                /// All defects that can be seeded.
                pub const ALL: &[Defect] = &[$($(Defect::$defect,)*)*];

                /// Returns the module in which it is seeded.
                pub const fn module(self) -> &'static str {
                    match self {
                        $($(Defect::$defect => $module,)*)*
                    }
                }

                /// Returns a sentence that says what the defect does.
                pub const fn what(self) -> &'static str {
                    match self {
                        $($(Defect::$defect => $what,)*)*
                    }
                }
            }
        };
    }

    defects! {
        "calls":
        UnsettledWait, "after a wait inside a gate no thread is chosen";
        UnsettledSignal, "after a signal to a more urgent thread the signaller goes on";
        "faults":
        StaleFault, "who is in a component that is gone faults in it";
        "interrupts":
        LostInterrupt, "an interrupt that wakes nobody at once wakes nobody";
        "leave":
        UnarmedWake, "a signal's short way leaves the timer as it is";
        UnarmedTimer, "the timer stays set to what was due before";
        LostFailure, "a call whose callee has faulted has no error";
        HalfRestored, "an interrupt lets a thread go on in a component that is to be put back";
        "passage":
        OwnWords, "who gets a gate that is handed on enters with the words of who returns";
        UnsettledReturn, "who hands a gate on to a more urgent thread goes on";
        LostReturn, "a return that hands a gate on keeps no words for the caller";
    }

    impl Defect {
        /// Runs something on a flow that is wrong in this way.
        pub fn during<T>(self, run: impl FnOnce() -> T) -> T {
            // Put back and not cleared, so that one run may contain another.
            let before = SEED.replace(Some(self));
            let answer = run();
            SEED.set(before);
            answer
        }

        pub(crate) fn is_seeded(self) -> bool {
            SEED.get() == Some(self)
        }
    }
}

#[cfg(feature = "mutations")]
pub use seeds::Defect;
