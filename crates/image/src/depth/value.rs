//! What is known of a register.

use fusee_wcet::language::{Binary, Width};

/// What is known of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Unknown,
    /// That far from the stack pointer at entry.
    Stack(i64),
    Constant(u64),
    /// A constant plus something unknown: a place in a table that starts there.
    Near(u64),
    /// Read from a constant table of entries of that many bytes.
    Entry {
        table: u64,
        bytes: u64,
    },
    /// The same, added to a base.
    Offset {
        table: u64,
        bytes: u64,
        base: u64,
    },
}

impl Value {
    /// What is known where two paths meet.
    pub(super) fn join(self, other: Value) -> Value {
        if self == other { self } else { Value::Unknown }
    }

    /// The result of an operation.
    pub(super) fn compute(operation: Binary, left: Value, right: Value, width: Width) -> Value {
        use Value::*;
        match (operation, left, right) {
            (_, Constant(l), Constant(r)) => constant(operation, l, r, width),
            (Binary::Add, Stack(distance), Constant(c)) | (Binary::Add, Constant(c), Stack(distance)) => {
                Stack(distance.wrapping_add(c as i64))
            }
            (Binary::Subtract, Stack(distance), Constant(c)) => Stack(distance.wrapping_sub(c as i64)),
            (Binary::Add, Near(table), Constant(c)) | (Binary::Add, Constant(c), Near(table)) => {
                Near(table.wrapping_add(c))
            }
            (Binary::Add, Entry { table, bytes }, Constant(base))
            | (Binary::Add, Constant(base), Entry { table, bytes }) => Offset { table, bytes, base },
            // No table starts in the first pages, and small constants are counters.
            (Binary::Add, Constant(c), Unknown) | (Binary::Add, Unknown, Constant(c)) if c >= 0x1000 => Near(c),
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
