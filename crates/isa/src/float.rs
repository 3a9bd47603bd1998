//! The effects of instructions on floating-point numbers.
//!
//! It is for whoever executes them on numbers. Effects tell what such instructions
//! do to memory and to general registers where no floating-point number is known.
//! This tells the numbers as well: those of IEEE 754-2008, with RISC-V's choices
//! where that leaves some open (F and D, version 2.2).

/// A format of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// binary32; in a register of 64 bits, all bits above it are set.
    Single,
    /// The format binary64.
    Double,
}

/// The rounding of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest number, halves to the even one.
    Nearest,
    /// The result is rounded towards 0.
    Zero,
    /// Towards the lesser number.
    Down,
    /// Towards the greater number.
    Up,
    /// To the nearest number, halves away from 0.
    NearestAway,
    /// As the rounding mode says.
    Dynamic,
}

/// Whole numbers in a general register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// The low 32 bits, signed.
    Word,
    /// The low 32 bits, unsigned; in a wider register they stand as if they were signed.
    UnsignedWord,
    /// 64 bits, signed.
    Double,
    /// 64 bits, unsigned.
    UnsignedDouble,
}

/// The kind of operation. Registers are floating-point ones where nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// The target gets what is in memory where the first effect loads.
    Load,
    /// Memory gets the first source where the first effect on memory stores.
    Store,
    /// Sum of the first two sources.
    Add,
    /// The difference of both.
    Subtract,
    /// The product of both.
    Multiply,
    /// The quotient of both.
    Divide,
    /// Root of the first source.
    SquareRoot,
    /// Product of the first two sources, and a sum with the third, rounded once.
    MultiplyAdd {
        /// `true` if the product's sign is changed before.
        negates_product: bool,
        /// `true` if the third one's sign is changed before.
        negates_addend: bool,
    },
    /// The first source with the second one's sign.
    Sign,
    /// With the opposite sign.
    OppositeSign,
    /// With its own sign changed where the second one has one.
    ExclusiveSign,
    /// The lesser one.
    Least,
    /// The greater one.
    Greatest,
    /// A general register gets 1 where the first source is less than the second, or the same, else
    /// 0.
    LessOrEqual,
    /// The same where it is less.
    Less,
    /// The same where it is the same.
    Equal,
    /// The flags of ARM processors are set: less, the same, greater, or not in order.
    Compare,
    /// A general register gets the kind of the first source, one bit for each.
    Classify,
    /// A general register gets the bits of the first source.
    ToBits,
    /// Gets the bits of a general register.
    FromBits,
    /// A general register gets the first source as a whole number.
    ToWhole(Whole),
    /// Gets the whole number of a general register.
    FromWhole(Whole),
    /// Gets a number of another format.
    FromFormat(Format),
    /// The rounding mode changes.
    SetRounding,
}

/// The registers that floating-point numbers are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bank {
    /// Registers of their own, which the language has not; what is in a register of 64 bits and
    /// of a single number has ones above it.
    Own,
    /// Lower halves of vectors, which are registers of the language; zeros are above a number.
    Lanes,
}

/// The effect of an instruction on floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Float {
    /// The kind of operation.
    pub operation: Operation,
    /// The format of the result, or of the sources where the result is in a general register.
    pub format: Format,
    /// The rounding of the result.
    pub rounding: Rounding,
    /// The number of the register for the result.
    pub target: u8,
    /// The numbers of the registers that are read: those of the language where these are lanes,
    /// and 0 for a zero.
    pub sources: [u8; 3],
    /// The registers that are meant.
    pub bank: Bank,
}
