//! The place at which a description says something.

/// Leads back to a place in the description; meaningless to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(pub u32);

impl Origin {
    /// Nothing in a description stands behind this, for example in generated systems.
    pub const NONE: Origin = Origin(u32::MAX);
}

/// A value together with the place that set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value that was set.
    pub value: T,
    /// The place that set it; the object's own origin for defaults.
    pub origin: Origin,
}
