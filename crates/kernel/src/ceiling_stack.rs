//! A core's record of held gates that exclude others, as plain state.

use core::fmt::Debug;
use core::hash::Hash;

use crate::{GateIndex, Protocol};

/// A core's record of held gates that exclude threads from more gates than themselves.
pub trait HeldCeilings: Copy + Debug + Eq + Hash + 'static {
    /// A gate's place among them.
    type Place: Copy + Debug + Eq + Hash;

    /// None is held.
    const NONE_HELD: Self;
    /// The place of a gate that excludes no thread from other gates.
    const APART: Self::Place;

    /// Returns the place of a gate of this protocol while no thread holds it.
    fn place(protocol: Protocol) -> Self::Place;

    /// Returns `true` if a gate with this place excludes threads from more gates than itself.
    fn bars(place: &Self::Place) -> bool;
}

/// Under this policy no gate bars others from more than itself.
impl HeldCeilings for () {
    type Place = ();

    const NONE_HELD: () = ();
    // No size, so gates of kernels without ceilings are no larger for it.
    const APART: () = ();

    #[inline(always)]
    fn place(_: Protocol) {}

    #[inline(always)]
    fn bars((): &()) -> bool {
        false
    }
}

/// The held gates of a core, by the topmost one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CeilingStack {
    /// The gate that was entered last; none: no such gate is held.
    pub top: GateIndex,
}

/// A gate's place in the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CeilingPlace {
    /// Its own ceiling, as the tables say; none: it has another protocol.
    pub ceiling: Option<u8>,
    /// While it is held, the highest ceiling of those up to it.
    pub highest: u8,
    /// The gate entered after it.
    pub above: GateIndex,
    /// The gate entered before it.
    pub below: GateIndex,
}

impl HeldCeilings for CeilingStack {
    type Place = CeilingPlace;

    const NONE_HELD: Self = CeilingStack { top: GateIndex::NONE };
    const APART: CeilingPlace =
        CeilingPlace { ceiling: None, highest: 0, above: GateIndex::NONE, below: GateIndex::NONE };

    fn place(protocol: Protocol) -> CeilingPlace {
        let ceiling = match protocol {
            // Other ceilings bar no thread from a further gate: they only raise who holds the gate.
            Protocol::Ceiling { ceiling } => Some(ceiling),
            _ => None,
        };
        CeilingPlace { ceiling, ..Self::APART }
    }

    #[inline(always)]
    fn bars(place: &CeilingPlace) -> bool {
        place.ceiling.is_some()
    }
}
