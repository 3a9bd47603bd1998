//! One small vocabulary for the instructions of all processors.
//!
//! Every analysis behind the decoders is written once, against this language.
//! An [`Instruction`] is what one machine instruction does: effects on
//! registers and memory in order, then where control goes. Registers are
//! numbered by the decoder; a register that always reads zero is written as a
//! constant, so no analysis has to know of it.
//!
//! Arithmetic has a width: an operation of width 32 uses the low 32 bits of its
//! operands and sign-extends its result to the register, which is what RV64's
//! `W` instructions do and, on a processor of 32 bits, all of them. What an
//! analysis need not know the value of (status registers, floating point) is an
//! [`Effect::Unknown`]: any value is then possible, and that is sound.

use crate::float::Float;

/// A register, numbered by the decoder of the processor; a load into register 0 is lost.
///
/// Besides the processor's own there are registers for its condition flags and
/// for what an instruction needs between two of its effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(u8);

/// Registers that there may be, those of decoders' own included.
pub const REGISTERS: usize = 96;

impl Register {
    /// The register that loses every value written to it: RISC-V's register that always reads 0,
    /// and the target of a result that is not kept.
    pub const LOST: Register = Register(0);

    /// Returns the register with a number.
    ///
    /// # Panics
    /// When it is none of the [`REGISTERS`]: a decoder that needs more of them must say so there.
    pub const fn new(number: u8) -> Self {
        assert!((number as usize) < REGISTERS, "a register's number is out of range");
        Self(number)
    }

    /// Returns the number of the register.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns its place in an array of [`REGISTERS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value that an operation reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register's value.
    Register(Register),
    /// A constant, already extended to 64 bits.
    Constant(u64),
}

/// The number of low bits that an operation works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// A width of 8 bits.
    Byte,
    /// A width of 16 bits.
    Half,
    /// A width of 32 bits.
    Word,
    /// A width of 64 bits.
    Double,
}

impl Width {
    /// Returns the width in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Width::Byte => 1,
            Width::Half => 2,
            Width::Word => 4,
            Width::Double => 8,
        }
    }

    /// Returns the width in bits.
    pub fn bits(self) -> u32 {
        self.bytes() as u32 * 8
    }
}

/// Operations of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binary {
    /// The sum of both.
    Add,
    /// The difference of both.
    Subtract,
    /// The bitwise and.
    And,
    /// The bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift towards the high end; the amount counts modulo the width.
    ShiftLeft,
    /// Shift towards the low end, zeros come in.
    ShiftRight,
    /// Shift towards the low end, the sign comes in.
    ShiftRightSigned,
    /// 1 where left < right as signed numbers, else 0.
    LessSigned,
    /// 1 where left < right as unsigned numbers, else 0.
    LessUnsigned,
    /// Low half of the product.
    Multiply,
    /// High half of the product, both signed.
    MultiplyHighSigned,
    /// High half of the product, left signed, right unsigned.
    MultiplyHighMixed,
    /// High half of the product, both unsigned.
    MultiplyHighUnsigned,
    /// Quotient towards zero; division by zero gives all ones.
    DivideSigned,
    /// Quotient; division by zero gives all ones.
    DivideUnsigned,
    /// Remainder with the sign of the dividend; by zero gives the dividend.
    RemainderSigned,
    /// Remainder; by zero gives the dividend.
    RemainderUnsigned,
    /// Zeros above the highest one of the left operand; the right one is not used.
    LeadingZeros,
    /// The left operand's bits in opposite order; the right one is not used.
    ReverseBits,
    /// The left operand's bytes in opposite order; the right one is not used.
    ReverseBytes,
}

/// A place in memory: a base and a constant distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    /// The value that the distance counts from.
    pub base: Operand,
    /// Signed distance in bytes.
    pub offset: i64,
}

/// One effect of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// `target = left operation right`.
    Compute {
        /// The register that gets the result.
        target: Register,
        /// The operation that computes it.
        operation: Binary,
        /// The first operand.
        left: Operand,
        /// The second operand.
        right: Operand,
        /// The width of the operation; the result is sign-extended from there.
        width: Width,
    },
    /// Read memory into a register.
    Load {
        /// The register that gets the value.
        target: Register,
        /// The address to read from.
        address: Address,
        /// The width of the value.
        width: Width,
        /// `true` if it is extended by its sign, else by zeros.
        signed: bool,
    },
    /// Write a value to memory.
    Store {
        /// The address to write to.
        address: Address,
        /// The value to write.
        value: Operand,
        /// The width of the part that is written, from the low end.
        width: Width,
    },
    /// Read and write memory in one step; the register gets the old value.
    Atomic {
        /// The register that gets the old value.
        target: Option<Register>,
        /// The address of the word.
        address: Address,
        /// The width of the word.
        width: Width,
    },
    /// The register gets a value that no analysis knows.
    Unknown {
        /// The register that gets the value.
        target: Register,
    },
    /// The number goes where no analysis follows it, perhaps with other numbers.
    Hide {
        /// The number that is given.
        value: Operand,
    },
}

impl Effect {
    /// Iterates over the values that it reads, without the contents of memory.
    pub fn operands(&self) -> impl Iterator<Item = Operand> {
        let (one, other) = match *self {
            Effect::Compute { left, right, .. } => (Some(left), Some(right)),
            Effect::Load { address, .. } | Effect::Atomic { address, .. } => {
                (Some(address.base), None)
            }
            Effect::Store { address, value, .. } => (Some(address.base), Some(value)),
            Effect::Hide { value } => (Some(value), None),
            Effect::Unknown { .. } => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// Returns the register that it changes, if one.
    pub fn target(&self) -> Option<Register> {
        match *self {
            Effect::Compute { target, .. }
            | Effect::Load { target, .. }
            | Effect::Unknown { target } => Some(target),
            Effect::Atomic { target, .. } => target,
            Effect::Store { .. } | Effect::Hide { .. } => None,
        }
    }
}

/// Comparisons that branches make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Both are equal.
    Equal,
    /// Both are not equal.
    NotEqual,
    /// The first is less, signed.
    LessSigned,
    /// Greater or equal, signed.
    NotLessSigned,
    /// The first is less, unsigned.
    LessUnsigned,
    /// Greater or equal, unsigned.
    NotLessUnsigned,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Equal,
        Self::NotEqual,
        Self::LessSigned,
        Self::NotLessSigned,
        Self::LessUnsigned,
        Self::NotLessUnsigned,
    ];

    /// Returns `true` if two numbers satisfy it: what tests hold the analysis against.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::LessSigned => left < right,
            Self::NotLessSigned => left >= right,
            Self::LessUnsigned => (left as u64) < right as u64,
            Self::NotLessUnsigned => left as u64 >= right as u64,
        }
    }
}

impl Comparison {
    /// Returns the comparison that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::LessSigned => Comparison::NotLessSigned,
            Comparison::NotLessSigned => Comparison::LessSigned,
            Comparison::LessUnsigned => Comparison::NotLessUnsigned,
            Comparison::NotLessUnsigned => Comparison::LessUnsigned,
        }
    }
}

/// The target of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// A fixed address.
    Fixed(u64),
    /// Computed: base plus offset, the lowest bit cleared.
    Computed(Address),
}

/// The place where control goes after an instruction's effects; operands are read after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the target.
    Jump(Target),
    /// To the target when the comparison holds, else to the next instruction.
    Branch {
        /// The comparison that is made.
        comparison: Comparison,
        /// The first operand.
        left: Operand,
        /// The second operand.
        right: Operand,
        /// The target when it holds.
        target: u64,
    },
    /// To the target, with the address of the next instruction in `link`.
    Call {
        /// The target of the jump.
        target: Target,
        /// The register that keeps the return address.
        link: Register,
    },
    /// Back to the address in the register.
    Return {
        /// The register that kept the return address.
        link: Register,
    },
    /// Into the system by a call.
    SystemCall,
    /// Back from a trap handler.
    TrapReturn,
    /// Waits for an interrupt, then goes on.
    WaitForInterrupt,
    /// Raises an exception on purpose.
    Breakpoint,
}

/// The kind of work of an instruction; machine descriptions give it a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Additions, logic, comparisons, moves.
    Arithmetic,
    /// Shifts of all kinds.
    Shift,
    /// Products of integers.
    Multiply,
    /// Quotients and remainders.
    Divide,
    /// Floating point and vectors, but quotients and roots.
    Float,
    /// Quotients and roots of floating-point numbers.
    FloatDivide,
    /// Reads of memory.
    Load,
    /// Writes of memory.
    Store,
    /// Read-modify-write, load-reserved, store-conditional.
    Atomic,
    /// Branches with a condition.
    Branch,
    /// Unconditional jumps to a fixed address.
    Jump,
    /// Jumps to a computed address.
    IndirectJump,
    /// Control and status registers.
    Status,
    /// Fences, cache and translation maintenance.
    Fence,
    /// System calls, trap returns, waiting.
    System,
}

/// A condition on which all that an instruction does depends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The comparison that is made.
    pub comparison: Comparison,
    /// The first operand.
    pub left: Operand,
    /// The second operand.
    pub right: Operand,
    /// The effects when it does not hold; control then goes to the next instruction.
    pub otherwise: Vec<Effect>,
}

/// The meaning of one machine instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The address of the instruction.
    pub address: u64,
    /// Its length in bytes.
    pub size: u8,
    /// Its name as assemblers write it.
    pub mnemonic: &'static str,
    /// Kind of work.
    pub class: Class,
    /// Effects, in order.
    pub effects: Vec<Effect>,
    /// The place where control goes.
    pub flow: Flow,
    /// The condition of effects and flow, if there is one.
    pub guard: Option<Guard>,
    /// Operands that compare as those of the guard or the branch do, whatever they are.
    ///
    /// They decide nothing new, but teach of other registers: the same numbers,
    /// seen with another width.
    pub echo: Option<(Operand, Operand)>,
    /// The effect on floating-point numbers, if there is one, where its decoder tells.
    pub float: Option<Box<Float>>,
}

impl Instruction {
    /// Returns `true` if it may be the only one after which control does not go on in order.
    pub fn ends_block(&self) -> bool {
        self.flow != Flow::Next || self.guard.is_some()
    }

    /// Returns `true` if an effect or a branch of it reads a register.
    pub fn reads(&self, register: Register) -> bool {
        let otherwise = self.guard.iter().flat_map(|guard| &guard.otherwise);
        let branches = match self.flow {
            Flow::Branch { left, right, .. } => vec![left, right],
            Flow::Jump(Target::Computed(address)) => vec![address.base],
            Flow::Call { target: Target::Computed(address), .. } => vec![address.base],
            _ => Vec::new(),
        };
        let guards = self.guard.iter().flat_map(|guard| [guard.left, guard.right]);
        let effects = self.effects.iter().chain(otherwise).flat_map(Effect::operands);
        effects.chain(branches).chain(guards).any(|operand| operand == Operand::Register(register))
    }

    /// Returns `true` if it jumps or calls to where a register says.
    pub fn jumps_anywhere(&self) -> bool {
        matches!(
            self.flow,
            Flow::Jump(Target::Computed(_)) | Flow::Call { target: Target::Computed(_), .. }
        )
    }

    /// Returns the address right behind it.
    pub fn next_address(&self) -> u64 {
        self.address.wrapping_add(u64::from(self.size))
    }
}
