//! Data processing, and what shares its encodings.

use super::operand::Carry;
use super::{
    COUNTER, Decoder, FLAGS, LINK, LINK_NUMBER, Meaning, TEMPORARY, general, register, word,
};
use crate::emit::{Emit, constant};
use crate::language::{Address, Binary, Class, Flow, Operand, Register, Target, Width};

/// The operations of data processing, in the order of their opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    And,
    Xor,
    Subtract,
    ReverseSubtract,
    Add,
    AddWithCarry,
    SubtractWithCarry,
    ReverseSubtractWithCarry,
    Test,
    TestEquivalence,
    Compare,
    CompareNegative,
    Or,
    Move,
    BitClear,
    MoveNot,
}

impl Operation {
    /// All of them, by opcode.
    const ALL: [Self; 16] = [
        Self::And,
        Self::Xor,
        Self::Subtract,
        Self::ReverseSubtract,
        Self::Add,
        Self::AddWithCarry,
        Self::SubtractWithCarry,
        Self::ReverseSubtractWithCarry,
        Self::Test,
        Self::TestEquivalence,
        Self::Compare,
        Self::CompareNegative,
        Self::Or,
        Self::Move,
        Self::BitClear,
        Self::MoveNot,
    ];

    /// Returns the assemblers' name of it.
    fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Xor => "eor",
            Self::Subtract => "sub",
            Self::ReverseSubtract => "rsb",
            Self::Add => "add",
            Self::AddWithCarry => "adc",
            Self::SubtractWithCarry => "sbc",
            Self::ReverseSubtractWithCarry => "rsc",
            Self::Test => "tst",
            Self::TestEquivalence => "teq",
            Self::Compare => "cmp",
            Self::CompareNegative => "cmn",
            Self::Or => "orr",
            Self::Move => "mov",
            Self::BitClear => "bic",
            Self::MoveNot => "mvn",
        }
    }

    /// Returns `true` if it only leaves flags.
    fn is_test(self) -> bool {
        matches!(self, Self::Test | Self::TestEquivalence | Self::Compare | Self::CompareNegative)
    }

    /// Returns `true` if it works bit by bit, so that its carry is the shifter's.
    fn is_logical(self) -> bool {
        match self {
            Self::And | Self::Xor | Self::Test | Self::TestEquivalence => true,
            Self::Or | Self::Move | Self::BitClear | Self::MoveNot => true,
            Self::Subtract | Self::ReverseSubtract | Self::Compare => false,
            Self::Add | Self::CompareNegative | Self::AddWithCarry => false,
            Self::SubtractWithCarry | Self::ReverseSubtractWithCarry => false,
        }
    }
}

/// Returns a jump to where the address in the first temporary register points.
pub(super) fn jump_to_result() -> Flow {
    Flow::Jump(Target::Computed(Address { base: register(TEMPORARY[0]), offset: 0 }))
}

impl Decoder {
    pub(super) fn data_or_others(&self) -> Option<Meaning> {
        let (immediate, low) = (self.bit(25), self.bits(4, 4));
        if !immediate && low & 9 == 9 {
            return match (self.bits(5, 2), self.bit(24)) {
                (0, false) => self.multiply(),
                (0, true) => self.exclusive(),
                _ => self.narrow(),
            };
        }
        if self.bits(23, 2) == 2 && !self.bit(20) {
            return if immediate { self.constants_and_hints() } else { self.miscellaneous() };
        }
        self.data()
    }

    fn data(&self) -> Option<Meaning> {
        let operation = Operation::ALL[self.bits(21, 4) as usize];
        let (target, flags) = (self.number(12), self.bit(20));
        let mut emit = Emit::default();
        let (tests, logical) = (operation.is_test(), operation.is_logical());
        // An instruction that writes the program counter and the flags returns from an exception.
        if flags && target == COUNTER && !tests {
            return Some(Meaning::flow(operation.name(), Class::System, Flow::TrapReturn));
        }
        let (second, carry) = self.second_operand(&mut emit, flags && logical);
        let first = self.read(self.number(16));
        if target == COUNTER && !tests {
            return Some(self.jump(emit, operation, (first, second)));
        }
        if !flags {
            self.result(&mut emit, operation, (first, second), general(target));
            return Some(Meaning::new(operation.name(), Class::Arithmetic, emit));
        }
        if logical {
            self.result(&mut emit, operation, (first, second), TEMPORARY[0]);
            self.logical_flags(&mut emit, carry);
            if !tests {
                emit.put(general(target), register(TEMPORARY[0]));
            }
        } else {
            self.sum_with_flags(&mut emit, operation, (first, second));
            if !tests {
                emit.put(general(target), register(FLAGS.negative()));
            }
        }
        Some(Meaning::new(operation.name(), Class::Arithmetic, emit))
    }

    /// Returns a result that goes to the program counter.
    fn jump(&self, mut emit: Emit, operation: Operation, operands: (Operand, Operand)) -> Meaning {
        if operation == Operation::Move && operands.1 == register(LINK) {
            return Meaning::flow("mov", Class::IndirectJump, Flow::Return { link: LINK });
        }
        self.result(&mut emit, operation, operands, TEMPORARY[0]);
        Meaning {
            flow: jump_to_result(),
            ..Meaning::new(operation.name(), Class::IndirectJump, emit)
        }
    }

    /// The result of an operation without its flags.
    fn result(
        &self,
        emit: &mut Emit,
        operation: Operation,
        operands: (Operand, Operand),
        target: Register,
    ) {
        let (first, second) = operands;
        match operation {
            Operation::And | Operation::Test => emit.binary(target, Binary::And, first, second),
            Operation::Xor | Operation::TestEquivalence => {
                emit.binary(target, Binary::Xor, first, second);
            }
            Operation::Subtract | Operation::Compare => {
                emit.binary(target, Binary::Subtract, first, second);
            }
            Operation::ReverseSubtract => emit.binary(target, Binary::Subtract, second, first),
            Operation::Add | Operation::CompareNegative => {
                emit.binary(target, Binary::Add, first, second);
            }
            Operation::AddWithCarry
            | Operation::SubtractWithCarry
            | Operation::ReverseSubtractWithCarry => {
                self.with_carry(emit, operation, operands, target);
            }
            Operation::Or => emit.binary(target, Binary::Or, first, second),
            Operation::Move => emit.put(target, second),
            Operation::BitClear => {
                emit.binary(TEMPORARY[0], Binary::Xor, second, constant(-1));
                emit.binary(target, Binary::And, first, register(TEMPORARY[0]));
            }
            Operation::MoveNot => emit.binary(target, Binary::Xor, second, constant(-1)),
        }
    }

    /// Returns the operands of a sum with carry that is as good as the operation; the second one
    /// may be inverted.
    fn summands(
        emit: &mut Emit,
        operation: Operation,
        (first, second): (Operand, Operand),
    ) -> (Operand, Operand) {
        let (plain, inverted) = match operation {
            Operation::AddWithCarry => return (first, second),
            Operation::SubtractWithCarry => (first, second),
            _ => (second, first),
        };
        emit.binary(TEMPORARY[3], Binary::Xor, inverted, constant(-1));
        (plain, register(TEMPORARY[3]))
    }

    /// Returns a sum with carry; gives what was added besides the carry.
    fn with_carry(
        &self,
        emit: &mut Emit,
        operation: Operation,
        operands: (Operand, Operand),
        target: Register,
    ) -> (Operand, Operand) {
        let (left, right) = Self::summands(emit, operation, operands);
        FLAGS.carry(emit, TEMPORARY[2]);
        emit.binary(TEMPORARY[4], Binary::Add, left, right);
        emit.binary(target, Binary::Add, register(TEMPORARY[4]), register(TEMPORARY[2]));
        (left, right)
    }

    /// The flags of a sum or difference; the result is left with that of its sign.
    fn sum_with_flags(&self, emit: &mut Emit, operation: Operation, operands: (Operand, Operand)) {
        let (first, second) = operands;
        let difference = |emit: &mut Emit, left, right| {
            FLAGS.difference(emit, (left, right), (left, right), Width::Word)
        };
        match (operation, second) {
            (Operation::Subtract | Operation::Compare, _) => difference(emit, first, second),
            (Operation::ReverseSubtract, _) => difference(emit, second, first),
            (Operation::Add | Operation::CompareNegative, Operand::Constant(0)) => {
                FLAGS.result(emit, first);
            }
            // The sum with a number is the difference from its opposite, also in the flags.
            (Operation::Add | Operation::CompareNegative, Operand::Constant(number))
                if number as i32 != i32::MIN =>
            {
                difference(emit, first, word((number as u32).wrapping_neg()));
            }
            (Operation::Add | Operation::CompareNegative, _) => {
                let sum = register(TEMPORARY[2]);
                emit.binary(TEMPORARY[2], Binary::Add, first, second);
                FLAGS.sum(emit, (first, second), sum, sum);
            }
            _ => {
                let summands = self.with_carry(emit, operation, operands, TEMPORARY[2]);
                FLAGS.sum(emit, summands, register(TEMPORARY[4]), register(TEMPORARY[2]));
            }
        }
    }

    /// The flags of the result in the first temporary register; the overflow stays.
    pub(super) fn logical_flags(&self, emit: &mut Emit, carry: Carry) {
        let bit = match carry {
            Carry::Bit(bit) => bit,
            Carry::Same => {
                FLAGS.carry(emit, TEMPORARY[1]);
                register(TEMPORARY[1])
            }
            Carry::Unknown => {
                emit.unknown(TEMPORARY[1]);
                emit.binary(TEMPORARY[1], Binary::And, register(TEMPORARY[1]), constant(1));
                register(TEMPORARY[1])
            }
        };
        FLAGS.with_carry(emit, register(TEMPORARY[0]), bit);
    }

    fn constants_and_hints(&self) -> Option<Meaning> {
        let number = self.bits(16, 4) << 12 | self.bits(0, 12);
        let target = self.number(12);
        let mut emit = Emit::default();
        match self.bits(21, 2) {
            0 | 2 if target == COUNTER => None,
            0 => {
                emit.put(general(target), word(number));
                Some(Meaning::new("movw", Class::Arithmetic, emit))
            }
            2 => {
                let low = TEMPORARY[0];
                emit.binary(low, Binary::And, register(general(target)), constant(0xffff));
                emit.binary(general(target), Binary::Or, register(low), word(number << 16));
                Some(Meaning::new("movt", Class::Arithmetic, emit))
            }
            1 if self.bits(16, 4) == 0 => Some(match self.bits(0, 8) {
                2 => Meaning::flow("wfe", Class::System, Flow::WaitForInterrupt),
                3 => Meaning::flow("wfi", Class::System, Flow::WaitForInterrupt),
                _ => Meaning::new("hint", Class::Arithmetic, emit),
            }),
            _ => Some(self.write_status()),
        }
    }

    fn miscellaneous(&self) -> Option<Meaning> {
        let (operation, from) = (self.bits(21, 2), self.number(0));
        let through = || Target::Computed(Address { base: self.read(from), offset: 0 });
        match (self.bits(4, 4), operation) {
            (0, 0 | 2) => Some(self.read_status()),
            (0, _) => Some(self.write_status()),
            (1 | 2, 1) if from == LINK_NUMBER => {
                Some(Meaning::flow("bx", Class::IndirectJump, Flow::Return { link: LINK }))
            }
            (1 | 2, 1) => Some(Meaning::flow("bx", Class::IndirectJump, Flow::Jump(through()))),
            (1, 3) => {
                let mut emit = Emit::default();
                emit.binary(
                    general(self.target()?),
                    Binary::LeadingZeros,
                    self.read(from),
                    constant(0),
                );
                Some(Meaning::new("clz", Class::Arithmetic, emit))
            }
            (3, 1) => Some(self.call_register(from)),
            (5, _) => self.opaque("qadd", 12),
            (7, 1) => Some(Meaning::flow("bkpt", Class::System, Flow::Breakpoint)),
            (7, 2 | 3) => Some(Meaning::flow("smc", Class::System, Flow::SystemCall)),
            (low, _) if low & 9 == 8 => self.multiply_halves(),
            _ => None,
        }
    }

    /// Returns the register of bit 12 where it is not the program counter.
    pub(super) fn target(&self) -> Option<u8> {
        Some(self.number(12)).filter(|&number| number != COUNTER)
    }

    /// Returns an instruction that gives a register, whose number starts at a bit, an unknown
    /// value.
    pub(super) fn opaque(&self, mnemonic: &'static str, low: u32) -> Option<Meaning> {
        let mut emit = Emit::default();
        let target = Some(self.number(low)).filter(|&number| number != COUNTER)?;
        for operand in [0, 8] {
            emit.hide(self.read(self.number(operand)));
        }
        if low == 12 {
            emit.hide(self.read(self.number(16)));
        }
        emit.unknown(general(target));
        Some(Meaning::new(mnemonic, Class::Arithmetic, emit))
    }

    /// Returns a call to the address in a register, which may be the one for the return address.
    fn call_register(&self, from: u8) -> Meaning {
        let mut emit = Emit::default();
        let mut base = self.read(from);
        if from == LINK_NUMBER {
            emit.put(TEMPORARY[0], base);
            base = register(TEMPORARY[0]);
        }
        let target = Target::Computed(Address { base, offset: 0 });
        Meaning {
            flow: Flow::Call { target, link: LINK },
            ..Meaning::new("blx", Class::IndirectJump, emit)
        }
    }
}
