//! Floating-point numbers, calculated as RISC-V says: F and D, version 2.2.
//!
//! The host's own numbers are those of IEEE 754-2008, rounded to the nearest; what
//! that leaves open is decided here (which NaN there is, what it becomes as a whole
//! number). Where another rounding could matter nothing is said.
//!
//! Single numbers are calculated as double ones and rounded again, which changes no
//! sum, difference, product, quotient or root: a double number has more than twice
//! as many digits (Figueroa, When is double rounding innocuous?, 1995). It would
//! change what is multiplied and added at once.

use std::cmp::Ordering;

use fusee_isa::float::{Float, Format, Operation, Rounding, Whole};

/// The bits above a single number in a register.
const BOX: u64 = 0xffff_ffff_0000_0000;

/// The bits of a format.
struct Layout {
    sign: u64,
    exponent: u64,
    /// The highest bit below the exponent, which a NaN has that does not signal.
    quiet: u64,
}

const SINGLE: Layout = Layout { sign: 1 << 31, exponent: 0x7f80_0000, quiet: 1 << 22 };
const DOUBLE: Layout = Layout { sign: 1 << 63, exponent: 0x7ff << 52, quiet: 1 << 51 };

fn layout(format: Format) -> Layout {
    match format {
        Format::Single => SINGLE,
        Format::Double => DOUBLE,
    }
}

impl Layout {
    /// Returns the one NaN that results are.
    fn nan(&self) -> u64 {
        self.exponent | self.quiet
    }

    fn is_nan(&self, bits: u64) -> bool {
        // Infinity has the exponent of a NaN and no fraction, so a NaN is greater.
        bits & !self.sign > self.exponent
    }

    /// Returns `true` for a zero, infinity, and a number above the least normal one, to which what
    /// is less may have been rounded.
    fn is_plain(&self, bits: u64) -> bool {
        let (number, least) = (bits & !self.sign, self.quiet << 1);
        number == 0 || number > least && !self.is_nan(bits)
    }
}

/// Returns the bits that the target gets, for those of the sources; nothing where they are not
/// known.
///
/// `nearest` tells whether the rounding mode is known to be the nearest number.
pub fn result(float: &Float, sources: [u64; 3], nearest: bool) -> Option<u64> {
    let Float { operation, format, .. } = *float;
    let rounding = match float.rounding {
        Rounding::Dynamic if nearest => Rounding::Nearest,
        other => other,
    };
    let bits = sources.map(|register| bits(register, format));
    // Single numbers are all double ones as well, so one type calculates both.
    let numbers = bits.map(|bits| number(bits, format));
    match operation {
        Operation::Sign | Operation::OppositeSign | Operation::ExclusiveSign => {
            Some(register(with_sign(operation, bits, layout(format).sign), format))
        }
        Operation::Least | Operation::Greatest => {
            Some(register(chosen(operation, bits, format), format))
        }
        // A comparison with a NaN is false, on the host as on RISC-V.
        Operation::LessOrEqual => Some((numbers[0] <= numbers[1]).into()),
        Operation::Less => Some((numbers[0] < numbers[1]).into()),
        Operation::Equal => Some((numbers[0] == numbers[1]).into()),
        Operation::Compare => Some(flags(numbers[0], numbers[1])),
        Operation::Classify => Some(1 << class(bits[0], &layout(format))),
        // Bits are moved as they are, also those that are out of their box.
        Operation::ToBits => Some(as_kept(sources[0], format)),
        Operation::FromBits => Some(register(sources[0], format)),
        Operation::ToWhole(whole) => to_whole(numbers[0], whole, rounding),
        Operation::FromFormat(from) => {
            let number = number(self::bits(sources[0], from), from);
            // To a wider format nothing is rounded, whatever the mode.
            (rounding == Rounding::Nearest || format == Format::Double)
                .then(|| rounded(number, format))
        }
        // Every whole number of 32 bits is a double one.
        Operation::FromWhole(whole) => {
            let is_exact =
                format == Format::Double && matches!(whole, Whole::Word | Whole::UnsignedWord);
            (rounding == Rounding::Nearest || is_exact)
                .then(|| from_whole(sources[0], whole, format))
        }
        // The host cannot round in another way.
        _ if rounding != Rounding::Nearest => None,
        Operation::MultiplyAdd { negates_product, negates_addend } => {
            let product = if negates_product { -numbers[0] } else { numbers[0] };
            let addend = if negates_addend { -numbers[2] } else { numbers[2] };
            Some(multiplied_added([product, numbers[1], addend], format))
        }
        _ => calculated(operation, numbers).map(|number| rounded(number, format)),
    }
}

/// Returns the same where numbers are halves of vectors, with zeros above them.
///
/// Nothing is said of numbers that are none and of those up to the least normal one: what becomes
/// of them, a control register decides.
pub fn lane_result(float: &Float, sources: [u64; 3], nearest: bool) -> Option<u64> {
    let Float { operation, format, .. } = *float;
    let from = match operation {
        Operation::FromBits | Operation::FromWhole(_) => None,
        Operation::FromFormat(from) => Some(from),
        _ => Some(format),
    };
    // Halves of vectors have zeros above single numbers, which would be no box, and so a NaN.
    let in_box = |source: u64, format| match format {
        Format::Single => register(source & !BOX, format),
        Format::Double => source,
    };
    let sources = match from {
        Some(format) => sources.map(|source| in_box(source, format)),
        None => sources,
    };
    let moves = matches!(operation, Operation::ToBits | Operation::FromBits);
    let plain = |register: u64, format| layout(format).is_plain(bits(register, format));
    if !moves && from.is_some_and(|format| !sources.iter().all(|&one| plain(one, format))) {
        return None;
    }
    let found = result(float, sources, nearest)?;
    match operation {
        Operation::ToBits | Operation::ToWhole(_) | Operation::Compare => Some(found),
        _ => (moves || plain(found, format)).then(|| bits(found, format)),
    }
}

/// Returns the four flags of a comparison: less, the same, carry, out of order.
fn flags(left: f64, right: f64) -> u64 {
    match left.partial_cmp(&right) {
        Some(Ordering::Less) => 0b1000,
        Some(Ordering::Equal) => 0b0110,
        Some(Ordering::Greater) => 0b0010,
        None => 0b0011,
    }
}

/// Returns the bits of a register's number: what is not in its box is a NaN.
fn bits(register: u64, format: Format) -> u64 {
    match format {
        Format::Single if register & BOX != BOX => SINGLE.nan(),
        Format::Single => register & !BOX,
        Format::Double => register,
    }
}

/// Returns the register of a number's bits.
pub(crate) fn register(bits: u64, format: Format) -> u64 {
    match format {
        Format::Single => bits | BOX,
        Format::Double => bits,
    }
}

/// Returns the general register of a number's bits; 32 of them stand as if they were signed.
pub(crate) fn as_kept(bits: u64, format: Format) -> u64 {
    match format {
        Format::Single => i64::from(bits as i32) as u64,
        Format::Double => bits,
    }
}

fn number(bits: u64, format: Format) -> f64 {
    match format {
        Format::Single => f32::from_bits(bits as u32).into(),
        Format::Double => f64::from_bits(bits),
    }
}

/// Returns the register of a result.
fn rounded(number: f64, format: Format) -> u64 {
    let bits = match format {
        // RISC-V gives one NaN whatever the operands were; hosts hand on one of them.
        _ if number.is_nan() => layout(format).nan(),
        Format::Single => (number as f32).to_bits().into(),
        Format::Double => number.to_bits(),
    };
    register(bits, format)
}

fn calculated(operation: Operation, [left, right, _]: [f64; 3]) -> Option<f64> {
    Some(match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide => left / right,
        Operation::SquareRoot => left.sqrt(),
        _ => return None,
    })
}

fn multiplied_added([left, right, addend]: [f64; 3], format: Format) -> u64 {
    let number = match format {
        // Rounded twice, the sum could come out otherwise, so the single
        // operation of the host is used.
        Format::Single => (left as f32).mul_add(right as f32, addend as f32).into(),
        Format::Double => left.mul_add(right, addend),
    };
    rounded(number, format)
}

fn with_sign(operation: Operation, [left, right, _]: [u64; 3], sign: u64) -> u64 {
    let new = match operation {
        Operation::OppositeSign => !right,
        Operation::ExclusiveSign => left ^ right,
        _ => right,
    };
    left & !sign | new & sign
}

/// Returns the lesser or the greater number, -0 before 0; a NaN only where there is nothing else.
fn chosen(operation: Operation, [left, right, _]: [u64; 3], format: Format) -> u64 {
    let layout = layout(format);
    match (layout.is_nan(left), layout.is_nan(right)) {
        (true, true) => return layout.nan(),
        (true, false) => return right,
        (false, true) => return left,
        (false, false) => {}
    }
    // Of two zeros the negative one counts as less, which only the total order of the host tells.
    let is_less = number(left, format).total_cmp(&number(right, format)).is_lt();
    if is_less == (operation == Operation::Least) { left } else { right }
}

/// Returns the kind of a number: the bit that classifying sets.
fn class(bits: u64, layout: &Layout) -> u32 {
    let (is_negative, exponent) = (bits & layout.sign != 0, bits & layout.exponent);
    let fraction = bits & !(layout.sign | layout.exponent);
    let from_zero = match (exponent, fraction) {
        (exponent, 0) if exponent == layout.exponent => 3,
        (exponent, _) if exponent == layout.exponent => {
            return if bits & layout.quiet == 0 { 8 } else { 9 };
        }
        (0, 0) => 0,
        (0, _) => 1,
        _ => 2,
    };
    // The kinds are numbered from minus infinity up, so both zeros are in the middle.
    if is_negative { 3 - from_zero } else { 4 + from_zero }
}

/// Returns the whole number of a number: the last one on its side where it is beyond, the greatest
/// one of what is none.
fn to_whole(number: f64, whole: Whole, rounding: Rounding) -> Option<u64> {
    let near = match rounding {
        Rounding::Nearest => number.round_ties_even(),
        Rounding::Zero => number.trunc(),
        Rounding::Down => number.floor(),
        Rounding::Up => number.ceil(),
        Rounding::NearestAway => number.round(),
        // The mode is in a register and may be any.
        Rounding::Dynamic => return None,
    };
    // The host takes the last one on its side as well, and 0 for what is none.
    let near = if near.is_nan() { f64::INFINITY } else { near };
    Some(match whole {
        Whole::Word => i64::from(near as i32) as u64,
        // Registers keep words with their sign extended, also those without one.
        Whole::UnsignedWord => i64::from(near as u32 as i32) as u64,
        Whole::Double => near as i64 as u64,
        Whole::UnsignedDouble => near as u64,
    })
}

fn from_whole(register: u64, whole: Whole, format: Format) -> u64 {
    let signed = match whole {
        Whole::Word => Some(i64::from(register as i32)),
        Whole::UnsignedWord => Some(i64::from(register as u32)),
        Whole::Double => Some(register as i64),
        Whole::UnsignedDouble => None,
    };
    // Rounded once: not to a double number first.
    let number = match (format, signed) {
        (Format::Single, Some(signed)) => (signed as f32).into(),
        (Format::Single, None) => (register as f32).into(),
        (Format::Double, Some(signed)) => signed as f64,
        (Format::Double, None) => register as f64,
    };
    rounded(number, format)
}
