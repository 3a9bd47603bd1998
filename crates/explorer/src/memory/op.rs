//! Operations of a core on memory and devices, and the order they must keep.

use std::sync::atomic::Ordering;

/// A word of memory, or the register behind a line to a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A word of main memory.
    Word(u8),
    /// A line that interrupts a core while it is 1.
    Line(u8),
}

/// The operations that a fence orders: reads and writes of memory, and outputs to devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fence {
    /// The operations before it that it orders.
    pub before: u8,
    /// The operations after it that it orders.
    pub after: u8,
}

/// Reads of memory.
pub(super) const R: u8 = 1;
/// Writes to memory.
pub(super) const W: u8 = 2;
/// Outputs to devices.
pub(super) const O: u8 = 4;

/// The new value that an atomic step makes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Adds a number.
    Add(u32),
    /// Subtracts a number.
    Sub(u32),
    /// Replaces the word.
    Swap(u32),
    /// Sets these bits.
    Or(u32),
    /// Clears all bits but these.
    And(u32),
}

impl Change {
    pub(super) fn of(self, value: u32) -> u32 {
        match self {
            Change::Add(more) => value.wrapping_add(more),
            Change::Sub(less) => value.wrapping_sub(less),
            Change::Swap(other) => other,
            Change::Or(bits) => value | bits,
            Change::And(bits) => value & bits,
        }
    }
}

/// One operation, as RISC-V has them: loads that acquire and stores that release are plain ones
/// beside a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// A load of a word.
    Load(Place),
    /// A store, or an output.
    Store(Place, u32),
    /// A load and a store in one step, perhaps ordered with other accesses to memory.
    Amo(Place, Change, Bits),
    /// A fence between operations.
    Fence(Fence),
    /// The core sleeps until this line interrupts it.
    Sleep(Place),
}

/// The order that an atomic operation has by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits {
    /// It comes before all accesses to memory behind it.
    pub acquires: bool,
    /// It comes after all accesses to memory before it.
    pub releases: bool,
}

impl Bits {
    /// The order of an operation that has none.
    pub(super) const NONE: Bits = Bits { acquires: false, releases: false };
}

impl Op {
    /// Returns the kind of access that a fence sees of it.
    fn kinds(self) -> u8 {
        match self {
            Op::Load(_) => R,
            Op::Store(Place::Word(_), _) => W,
            Op::Store(Place::Line(_), _) => O,
            Op::Amo(..) => R | W,
            Op::Fence(_) | Op::Sleep(_) => 0,
        }
    }

    pub(super) fn place(self) -> Option<Place> {
        match self {
            Op::Load(place) | Op::Store(place, _) | Op::Amo(place, ..) | Op::Sleep(place) => {
                Some(place)
            }
            Op::Fence(_) => None,
        }
    }

    /// Returns `true` if it answers something that is looked at.
    pub(super) fn answers(self) -> bool {
        matches!(self, Op::Load(_) | Op::Amo(_, Change::Add(_) | Change::Swap(_), _))
    }

    pub(super) fn writes(self) -> bool {
        matches!(self, Op::Store(..) | Op::Amo(..))
    }
}

/// Returns `true` if the operation at `earlier` is done before that at `later`, whatever the
/// machine: the preserved program order of RVWMO, but for dependencies.
pub(super) fn in_order(ops: &[Op], earlier: usize, later: usize) -> bool {
    let (one, other) = (ops[earlier], ops[later]);
    // Rules 1 to 3: a store stays behind accesses to its place, and what one core loads from one
    // place does not grow older. A load may be answered by a store before it, but not by an atomic
    // operation. A core does not fall asleep by an interrupt that it has withdrawn.
    let same = one.place().is_some() && one.place() == other.place();
    let between = &ops[earlier + 1..later];
    let free = match (one, other) {
        (Op::Store(..), Op::Load(_)) => true,
        (Op::Load(_), Op::Load(_)) => {
            between.iter().any(|op| op.writes() && op.place() == one.place())
        }
        _ => false,
    };
    if same && !free {
        return true;
    }
    // Rule 4.
    let orders = |op: &Op| match op {
        Op::Fence(fence) => fence.before & one.kinds() != 0 && fence.after & other.kinds() != 0,
        _ => false,
    };
    if between.iter().any(orders) {
        return true;
    }
    // Rules 5 to 7.
    let memory = |op: Op| op.kinds() & (R | W) != 0;
    let acquires = matches!(one, Op::Amo(_, _, bits) if bits.acquires) && memory(other);
    let releases = matches!(other, Op::Amo(_, _, bits) if bits.releases) && memory(one);
    acquires || releases
}

/// An order that is weaker than what is asked for, or a fence that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weakness {
    /// A load that should acquire does not.
    PlainLoad,
    /// A store that should release does not.
    PlainStore,
    /// Atomic operations acquire nothing.
    NoAcquire,
    /// Atomic operations release nothing.
    NoRelease,
    /// There is no fence between memory and devices.
    NoFenceBeforeDevices,
    /// There is no fence between devices and memory.
    NoFenceAfterDevices,
}

/// Returns the instructions that an operation and its order compile to.
pub(super) fn compiled(op: Op, order: Ordering, weakness: Option<Weakness>) -> Vec<Op> {
    let asked =
        |weak: Weakness, orders: &[Ordering]| weakness != Some(weak) && orders.contains(&order);
    match op {
        Op::Load(_) if asked(Weakness::PlainLoad, &[Ordering::Acquire]) => {
            vec![op, Op::Fence(Fence { before: R, after: R | W })]
        }
        Op::Store(..) if asked(Weakness::PlainStore, &[Ordering::Release]) => {
            vec![Op::Fence(Fence { before: R | W, after: W }), op]
        }
        Op::Amo(place, change, ..) => {
            let acquires = asked(Weakness::NoAcquire, &[Ordering::Acquire, Ordering::AcqRel]);
            let releases = asked(Weakness::NoRelease, &[Ordering::Release, Ordering::AcqRel]);
            vec![Op::Amo(place, change, Bits { acquires, releases })]
        }
        _ => vec![op],
    }
}
