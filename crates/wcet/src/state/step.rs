//! The effects of instructions on what is known.

mod deciding;

use super::State;
use crate::setting::Setting;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Address, Binary, Comparison, Effect, Operand, Register, Width};

/// A load with more possible places than this gives anything.
const PLACES: u64 = 1024;

/// A memory access of one instruction, for machines with caches and devices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Access {
    /// The place in question.
    pub address: Value,
    /// The width of the access.
    pub width: Width,
    /// True if it writes.
    pub write: bool,
    /// True if it reads and writes in one step.
    pub atomic: bool,
}

impl State {
    /// Returns where an address can point: numbers, or distances from what is not known.
    pub(crate) fn address(&self, address: Address, setting: Setting<'_>) -> Value {
        let offset = Value::number(Range::constant(address.offset));
        self.pointed(self.operand(address.base), offset, setting)
    }

    /// Returns where a base with an offset can point.
    pub(super) fn pointed(&self, base: Value, offset: Value, setting: Setting<'_>) -> Value {
        let sum = self.add(base, offset, setting.register_width());
        // A base of which nothing else is known says more than its numbers: accesses through it are
        // told apart by their distances.
        match sum.base {
            Base::Stack => sum,
            base if self.is_pointer(base) => sum,
            _ => Value::number(self.numbers(sum).zero_extended(setting.register_width())),
        }
    }

    /// Returns what a load gives, without remembering it.
    pub(crate) fn peek(
        &self,
        address: Value,
        width: Width,
        signed: bool,
        setting: Setting<'_>,
    ) -> Value {
        // Where fields are known apart, a number is put together from them, in whatever
        // widths they were stored.
        if self.has_invariant && address.base == Base::None && address.range.steps() < PLACES {
            return self.peek_plain(address, width, signed, setting);
        }
        self.memory.load(address, width, setting, &|cell: Option<Value>| {
            self.extended(cell, width, signed)
        })
    }

    /// Returns what a load from memory gives of which something always holds.
    fn peek_plain(
        &self,
        address: Value,
        width: Width,
        signed: bool,
        setting: Setting<'_>,
    ) -> Value {
        // What was stored last on the way is exactly there, and may have a name that says more.
        let own = address.range.as_constant().and_then(|at| self.memory.own(Base::None, at, width));
        if own.is_some() {
            return self.extended(own, width, signed);
        }
        let all = self.memory.numbers(address.range, width, setting, &|value| self.numbers(value));
        self.extended(Some(Value::number(all)), width, signed)
    }

    /// Returns the number that was stored on the way with a larger width, where all of it is in its
    /// low part: an argument that is kept as a whole register, and loaded as what it is.
    fn low_part(&self, place: Value, width: Width, signed: bool) -> Option<Value> {
        let at = place.range.as_constant().filter(|_| !self.has_invariant)?;
        let wider =
            [Width::Half, Width::Word, Width::Double].into_iter().filter(|one| *one > width);
        let cell = wider.into_iter().find_map(|wider| self.memory.own(place.base, at, wider))?;
        // A part of an address in the stack is no address, although the numbers fit.
        let is_address = cell.base == Base::Stack;
        (!is_address && self.extended(Some(cell), width, signed) == cell).then_some(cell)
    }

    /// Returns what a register gets from a cell; `None`: a cell of which nothing is known.
    fn extended(&self, cell: Option<Value>, width: Width, signed: bool) -> Value {
        let Some(cell) = cell else { return Value::number(Range::of_width(width, signed)) };
        let numbers = self.numbers(cell);
        let seen = if signed { numbers.truncated(width) } else { numbers.zero_extended(width) };
        // A narrow load keeps the name only if it cuts nothing off, or the name would
        // stand for another number.
        if cell.base != Base::None && (seen == numbers || Range::of_width(width, true) == self.all)
        {
            return cell;
        }
        Value::number(seen)
    }

    /// Applies one effect; says which memory it touched.
    pub(crate) fn apply(&mut self, effect: &Effect, setting: Setting<'_>) -> Option<Access> {
        match *effect {
            Effect::Compute { target, operation, left, right, width } => {
                let value = self.compute(operation, left, right, width);
                self.set(target, value);
                if let (Binary::Add, Operand::Register(from), Operand::Constant(0)) =
                    (operation, left, right)
                    // A copy of the low half is another number.
                    && Range::of_width(width, true) == self.all
                {
                    self.note_copy(target, from);
                }
                None
            }
            Effect::Load { target, address, width, signed } => {
                let place = self.address(address, setting);
                // The register that keeps nothing also stands for those of floating point and of
                // most vectors: an address that goes there is followed no further.
                let is_lane = setting.architecture().is_lane(target);
                if target == Register::LOST || is_lane {
                    self.memory.escape_from(place, width);
                }
                let value = self.load(place, (width, signed), setting);
                match (target, value.base) {
                    (Register::LOST, _) => {}
                    (_, Base::Stack) if is_lane => self.set(target, Value::number(self.all)),
                    _ if is_lane => self.set(target, Value::number(self.numbers(value))),
                    _ => self.set(target, value),
                }
                Some(Access { address: place, width, write: false, atomic: false })
            }
            Effect::Store { address, value, width } => {
                let address = self.address(address, setting);
                Some(self.store_at(address, value, width, setting))
            }
            Effect::Atomic { target, address, width } => {
                let address = self.address(address, setting);
                let old = self.peek(address, width, true, setting);
                // What was there may stay there, or become a part of what is there then.
                self.memory.escape_from(address, width);
                // What the operation makes of it is not calculated.
                self.store(address, Value::number(Range::of_width(width, true)), width, setting);
                if let Some(target) = target {
                    self.set(target, old);
                }
                Some(Access { address, width, write: true, atomic: true })
            }
            Effect::Unknown { target } => {
                // It gets a name later, where one helps.
                self.set(target, Value::number(self.all));
                None
            }
            Effect::Hide { value } => {
                // The number goes where nobody follows it, such as into a vector.
                if self.operand(value).base == Base::Stack {
                    self.memory.let_stack_escape();
                }
                None
            }
        }
    }

    /// Returns what a load gives, with a name by which more is learnt of it where one helps.
    ///
    /// What tells most is tried first: the fields of a word, the address that pieces make, the
    /// address of which it is a piece, and last that it is the same at the next load.
    fn load(
        &mut self,
        place: Value,
        (width, signed): (Width, bool),
        setting: Setting<'_>,
    ) -> Value {
        if let Some(number) = self.low_part(place, width, signed) {
            return number;
        }
        let value = self.peek(place, width, signed, setting);
        // An address in the stack that comes out as a mere number is followed no more, and any code
        // that has it may store to the stack.
        if value.base == Base::None {
            self.memory.escape_from(place, width);
        }
        // A word that is kept in fields is copied as one: by its name each of them is found again,
        // where the numbers of the whole word would tell nothing of any.
        let layout = self.layout(place, width, setting);
        if layout.len() > 1 {
            let word = self.named(value);
            self.keep_parts(word, layout, place, setting);
            return word;
        }
        // The same for fields that were stored on the way.
        let own = self.own_parts(place, value, width);
        if !own.is_empty() {
            let word = self.named(value);
            self.hold_parts(word, own);
            return word;
        }
        // All bytes of an address, copied one by one and now side by side, are the address again.
        if let Some(address) = self.put_together(place, width, setting) {
            return address;
        }
        // One of them says nothing, but it is remembered of which address it is.
        if let Some(piece) = self.piece_at(place, width, setting) {
            return self.name_piece(self.numbers(value), piece);
        }
        // The next load from here gives the same number: what a comparison tells of this one then
        // holds of that as well, as long as nothing else is stored.
        if place.range.as_constant().is_some() && self.is_worth_naming(place, value, width) {
            let number = self.named(value);
            self.store(place, number, width, setting);
            return number;
        }
        value
    }

    /// Records a store to a place, with the fields that it writes.
    pub(crate) fn store_at(
        &mut self,
        address: Value,
        value: Operand,
        width: Width,
        setting: Setting<'_>,
    ) -> Access {
        // The cell is written first, for the whole word, and its fields over it: what is known of a
        // field is more than what the word's numbers tell.
        let parts = self.parts_of(value, width);
        let piece = self.stored_piece(value, width);
        let value = piece.unwrap_or_else(|| self.stored(value, width));
        self.store(address, value, width, setting);
        // At one of several places nobody knows which cells the fields would be.
        for part in parts.iter().filter(|_| address.range.as_constant().is_some()) {
            let at = self.add(address, Value::constant(part.at), setting.register_width());
            self.store(at, Value::number(part.range), part.width, setting);
        }
        Access { address, width, write: true, atomic: false }
    }

    /// Returns whether what was loaded from one place is to be the same number at the next load.
    fn is_worth_naming(&self, address: Value, value: Value, width: Width) -> bool {
        // A constant stays what it is, also as a part of a wider cell that says more.
        let open = value.as_constant().is_none();
        // What devices hold changes by itself.
        let known = || self.numbers(value) != Range::of_width(width, true);
        open && (address.base == Base::Stack
            || self.has_invariant && address.base == Base::None && known())
    }

    /// Returns what a cell of this width keeps of an operand.
    fn stored(&mut self, operand: Operand, width: Width) -> Value {
        let mut value = self.operand(operand);
        if let Operand::Register(register) = operand {
            value = self.named(value);
            self.set(register, value);
        }
        // A narrow cell keeps a number only if all of it fits: what a load gives would be another
        // one. Half of an address in the stack is one that nobody follows.
        let narrow = Range::of_width(width, true);
        let whole = narrow == self.all;
        match value.base {
            _ if whole || narrow.includes(self.numbers(value)) => value,
            Base::Stack => {
                self.memory.let_stack_escape();
                Value::number(narrow)
            }
            _ => Value::number(self.numbers(value).truncated(width)),
        }
    }

    fn compute(&mut self, operation: Binary, left: Operand, right: Operand, width: Width) -> Value {
        // Sums are the same both ways round; the other operations move only their left side.
        let sides = match operation {
            Binary::Add => &[(left, right), (right, left)][..],
            Binary::Subtract | Binary::ShiftLeft | Binary::Multiply => &[(left, right)],
            _ => &[],
        };
        // A number that is moved or scaled by a constant stays tied to where it came from, so that
        // what is learnt of the one is learnt of the other; for that it needs a name. So does a
        // number of which nothing is known, as of a pointer, when a distance is added.
        for &(one, other) in sides {
            let by = self.operand(other);
            let moves = matches!(operation, Binary::Add | Binary::Subtract)
                // Of two numbers of which nothing is known, neither is known to be a distance.
                && by != Value::number(self.all);
            if let Operand::Register(register) = one
                && (by.as_constant().is_some()
                    || moves && self.get(register) == Value::number(self.all))
            {
                self.name_register(register);
            }
        }
        // So does one whose high bits are cleared that are zero anyway.
        if let (Binary::And, Operand::Register(register)) = (operation, left)
            && self.keeps(self.get(register), self.operand(right), width)
        {
            self.name_register(register);
        }
        let (l, r) = (self.operand(left), self.operand(right));
        let multiple = self.multiple(operation, (l, r), width);
        let result = multiple.unwrap_or_else(|| self.result(operation, (l, r), width));
        let cut = || distance(operation, r).and_then(|by| Some((l.base, l.range.shifted(by)?)));
        // A result of which only the width is known may be cut off. Then at least
        // it is remembered of what.
        let result = match result == Value::number(Range::of_width(width, true)) {
            true => cut().and_then(|sum| self.word_of(sum, width)).unwrap_or(result),
            false => result,
        };
        if self.lets_escape(operation, (l, r), (result, width)) {
            self.memory.let_stack_escape();
        }
        result
    }

    /// Returns whether a result depends on where the stack is, and does not show it.
    ///
    /// The low half of an address is not: nobody makes it an address again.
    fn lets_escape(
        &self,
        operation: Binary,
        (l, r): (Value, Value),
        (result, width): (Value, Width),
    ) -> bool {
        // An order, or the distance between two places in the stack, leads nobody back to it.
        let compares = matches!(operation, Binary::LessSigned | Binary::LessUnsigned);
        let distance = operation == Binary::Subtract && l.base == r.base;
        let half = operation == Binary::Add && r.as_constant() == Some(0) && !self.is_full(width);
        // A constant says nothing of where the stack is.
        let shown = result.base == Base::Stack || result.as_constant().is_some();
        (l.base == Base::Stack || r.base == Base::Stack) && !(shown || compares || distance || half)
    }

    fn result(&self, operation: Binary, (l, r): (Value, Value), width: Width) -> Value {
        match operation {
            Binary::Add => self.add(l, r, width),
            // What both have in common is gone, also from the low bits of a narrow difference.
            Binary::Subtract if l.base == r.base && l.base != Base::None => {
                Value::number(Range::compute(operation, l.range, r.range, width))
            }
            Binary::Subtract if r.base == Base::None => {
                let negative =
                    Range::compute(Binary::Subtract, Range::constant(0), r.range, Width::Double);
                self.add(l, Value::number(negative), width)
            }
            Binary::LessSigned => Value::number(self.bit(Comparison::LessSigned, l, r)),
            Binary::LessUnsigned => Value::number(self.bit(Comparison::LessUnsigned, l, r)),
            // A mask below 0 keeps the high bits, so the result is still an address close by.
            Binary::And if l.base == Base::Stack && self.numbers(r).high() < 0 => {
                self.aligned(l, r)
            }
            Binary::Or if l.base == Base::Stack && self.is_full(width) => {
                self.with_ones(l, r, width)
            }
            Binary::Or if r.base == Base::Stack && self.is_full(width) => {
                self.with_ones(r, l, width)
            }
            Binary::And if self.keeps(l, r, width) => l,
            _ => Value::number(Range::compute(operation, self.numbers(l), self.numbers(r), width)),
        }
    }

    /// Returns whether a mask of low ones leaves all that the numbers have.
    fn keeps(&self, numbers: Value, mask: Value, width: Width) -> bool {
        let low_ones = mask
            .as_constant()
            .filter(|mask| mask & mask.wrapping_add(1) == 0 && *mask <= i64::MAX as u64);
        let room = |mask: u64| {
            self.numbers(numbers).low() >= 0 && self.numbers(numbers).high() as u64 <= mask
        };
        self.is_full(width) && low_ones.is_some_and(room)
    }

    pub(super) fn is_full(&self, width: Width) -> bool {
        Range::of_width(width, true) == self.all
    }

    /// Returns a sum; it keeps its base where the operation does not cut numbers off.
    fn add(&self, left: Value, right: Value, width: Width) -> Value {
        // What is added to an address in the stack is a distance, whatever its name; so is what is
        // known a little, added to what is not known at all.
        let rank = |value: Value| match value.base {
            Base::Stack => 3,
            base if self.is_pointer(base) => 2,
            Base::Symbol(_) => 1,
            Base::None => 0,
        };
        let (based, offset) = if rank(left) < rank(right) { (right, left) } else { (left, right) };
        let is_distance = rank(based) > rank(offset).max(1);
        let offset = if is_distance { Value::number(self.numbers(offset)) } else { offset };
        let numbers = || {
            Value::number(Range::compute(
                Binary::Add,
                self.numbers(left),
                self.numbers(right),
                width,
            ))
        };
        if offset.base != Base::None || based.base == Base::None {
            return numbers();
        }
        // A distance that wraps around says nothing.
        let Some(range) = self.sum(based.range, offset.range) else { return numbers() };
        let value = Value { base: based.base, range };
        let fits = |offset: Range| {
            let sum = self.sum(self.numbers(based), offset);
            sum.is_some_and(|sum| Range::of_width(width, true).includes(sum))
        };
        if self.is_full(width) || fits(offset.range) {
            return value;
        }
        // What is cut off may be a whole turn: then the sum is one turn from where it was.
        let turned = |turns: i64| {
            offset.range.shifted(turns.checked_shl(width.bits())?).filter(|&range| fits(range))
        };
        match turned(1).or_else(|| turned(-1)).and_then(|offset| self.sum(based.range, offset)) {
            Some(range) => Value { base: based.base, range },
            None => numbers(),
        }
    }

    /// Alignment of a stack address: up to the mask's bytes are dropped, as many as it takes where
    /// that is known, because all bits that go are told by the alignment at entry.
    fn aligned(&self, stack: Value, mask: Value) -> Value {
        let known = |mask: i64| self.stack_alignment.cast_signed() % mask == 0;
        let tells = |mask: i64| !mask as u64 & !self.stack_alignment.wrapping_sub(1) == 0;
        match mask.as_constant().map(|mask| mask as i64) {
            Some(mask) if tells(mask) && stack.range.as_constant().is_some() => {
                Value { base: Base::Stack, range: Range::constant(stack.range.low() & mask) }
            }
            Some(mask) if mask < 0 && known(mask) => {
                let (low, high) = (stack.range.low() & mask, stack.range.high() & mask);
                Value {
                    base: Base::Stack,
                    range: Range::new(low.into(), high.into(), mask.unsigned_abs().into()),
                }
            }
            Some(mask) if mask < 0 && (!mask as u64).wrapping_add(1).is_power_of_two() => {
                // At most all bits of the mask are dropped, and it is not known how many were set.
                let low = i128::from(stack.range.low()) - i128::from(!mask);
                Value { base: Base::Stack, range: Range::new(low, stack.range.high().into(), 1) }
            }
            _ => Value::number(self.all),
        }
    }

    /// Returns a stack address with some of those low bits set that its alignment tells.
    fn with_ones(&self, stack: Value, ones: Value, width: Width) -> Value {
        let known = self.stack_alignment.wrapping_sub(1);
        let shifted =
            stack.range.as_constant().zip(ones.as_constant()).and_then(|(distance, ones)| {
                let low = distance as u64 & known;
                // Bits that the alignment does not tell may be set already,
                // and then nothing is added.
                (ones <= known).then(|| stack.range.shifted(((low | ones) - low) as i64)).flatten()
            });
        let bits = || {
            Value::number(Range::compute(
                Binary::Or,
                self.numbers(stack),
                self.numbers(ones),
                width,
            ))
        };
        shifted.map_or_else(bits, |range| Value { base: Base::Stack, range })
    }
}

/// Returns what an operation with a known number adds.
fn distance(operation: Binary, right: Value) -> Option<i64> {
    let number = right.as_constant()?.cast_signed();
    match operation {
        Binary::Add => Some(number),
        Binary::Subtract => number.checked_neg(),
        _ => None,
    }
}
