//! Seeded defects, for the explorer's own tests.
//!
//! An explorer that has never found a defect proves nothing. With the feature `mutations` (off, and on only in the
//! explorer's tests) a kernel can be told to be wrong in one of these ways; without it the question is constantly
//! answered with no, and no trace of it reaches a build.

/// A way to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "mutations"), expect(unreachable_pub, reason = "exported for the explorer's tests only"))]
pub enum Mutation {
    /// A returning holder frees the gate and forgets who waits.
    LostHandOff,
    /// A return restores the base priority instead of deriving it anew.
    SavedPriority,
    /// Only the holder of the gate inherits, not whom the holder waits for.
    ShallowBoost,
    /// A waiter enters before its equals.
    LastInFirstOut,
    /// A fault leaves the gate held.
    LeakedGate,
    /// A thread runs in a component whose initial data have not been put back.
    HalfRestored,
    #[cfg_attr(not(feature = "mutations"), expect(dead_code, reason = "only tests ask for it"))]
    /// Nothing is done at once: not wrong, but without the short ways, to compare with.
    LongWays,
}

impl<S> crate::Kernel<'_, S> {
    /// Makes the kernel wrong.
    #[cfg(feature = "mutations")]
    pub fn mutate(&mut self, mutation: Mutation) {
        self.mutation = Some(mutation);
    }

    #[cfg(feature = "mutations")]
    pub(crate) fn is_mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    /// Whether operations take their short ways.
    #[cfg(feature = "mutations")]
    pub(crate) fn is_short(&self) -> bool {
        self.mutation.is_none()
    }

    /// Whether operations take their short ways.
    #[cfg(not(feature = "mutations"))]
    #[inline(always)]
    pub(crate) const fn is_short(&self) -> bool {
        true
    }

    #[cfg(not(feature = "mutations"))]
    #[inline(always)]
    pub(crate) const fn is_mutated(&self, _: Mutation) -> bool {
        false
    }
}
