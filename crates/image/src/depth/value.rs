//! The known content of a register.

use fusee_isa::language::{Binary, Width};

/// The known content of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Unknown,
    /// A distance from the stack pointer at entry.
    Stack(i64),
    Constant(u64),
    /// Unsigned, no more than that.
    UpTo(u64),
    /// A place in a table, by its first and its last possible address.
    Within {
        first: u64,
        last: u64,
    },
    /// Read from a constant table, and where the entries may be.
    Entry {
        table: Table,
    },
    /// The same, added to a base.
    Offset {
        table: Table,
        base: u64,
    },
}

/// A table in memory that never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    /// Its first entry's address.
    pub(super) first: u64,
    /// Its last entry's address.
    pub(super) last: u64,
    /// Bytes of an entry.
    pub(super) bytes: u64,
}

impl Value {
    /// Returns the value that is known where two paths meet.
    pub(super) fn join(self, other: Value) -> Value {
        if self == other { self } else { Value::Unknown }
    }

    /// Returns the result of an operation.
    pub(super) fn compute(operation: Binary, left: Value, right: Value, width: Width) -> Value {
        use Value::*;
        match (operation, left, right) {
            (_, Constant(l), Constant(r)) => constant(operation, l, r, width),
            (Binary::Add, Stack(distance), Constant(c))
            | (Binary::Add, Constant(c), Stack(distance)) => Stack(distance.wrapping_add(c as i64)),
            (Binary::Subtract, Stack(distance), Constant(c)) => {
                Stack(distance.wrapping_sub(c as i64))
            }
            (Binary::And, UpTo(most), Constant(mask))
            | (Binary::And, Constant(mask), UpTo(most)) => UpTo(most.min(mask)),
            // A mask whose sign bit is set bounds nothing.
            (Binary::And, _, Constant(mask)) | (Binary::And, Constant(mask), _)
                if mask >> 31 == 0 =>
            {
                UpTo(mask)
            }
            (Binary::ShiftLeft, UpTo(most), Constant(by)) => match most.checked_mul(1 << (by % 64))
            {
                Some(most) if width == Width::Double || most >> 31 == 0 => UpTo(most),
                _ => Unknown,
            },
            (Binary::ShiftRight, UpTo(most), Constant(by)) => UpTo(most >> (by % 64)),
            (Binary::Add, Constant(first), UpTo(most))
            | (Binary::Add, UpTo(most), Constant(first)) => {
                first.checked_add(most).map_or(Unknown, |last| Within { first, last })
            }
            (Binary::Add, Within { first, last }, Constant(c))
            | (Binary::Add, Constant(c), Within { first, last }) => {
                Within { first: first.wrapping_add(c), last: last.wrapping_add(c) }
            }
            (Binary::Add, Entry { table }, Constant(base))
            | (Binary::Add, Constant(base), Entry { table }) => Offset { table, base },
            _ => Unknown,
        }
    }
}

fn constant(operation: Binary, left: u64, right: u64, width: Width) -> Value {
    let result = match operation {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::ShiftLeft => left.wrapping_shl((right % u64::from(width.bits())) as u32),
        _ => return Value::Unknown,
    };
    let extended = match width {
        Width::Byte => i64::from(result as i8) as u64,
        Width::Half => i64::from(result as i16) as u64,
        Width::Word => i64::from(result as i32) as u64,
        Width::Double => result,
    };
    Value::Constant(extended)
}
