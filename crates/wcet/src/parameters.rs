//! The values of a function's arguments, by their types.
//!
//! A `char` arrives in a whole register, and calling conventions say which
//! numbers it then is: it was extended by who called. A compiler relies on
//! that, so a function that iterates so often as a `char` says has a bound only
//! for who relies on it as well. Types come from debugging information. Where
//! that leaves open which register an argument is in (structures, floating
//! point, a function that the compiler may have given another convention),
//! nothing is said of it and of what follows. AArch64's convention extends
//! nothing.

use gimli::{
    AttributeValue, DwAt, EndianRcSlice, LittleEndian, Reader, Unit, UnitOffset, constants as dw,
};

use crate::execute::Held;
use crate::lines;
use crate::program::Program;
use crate::value::Range;
use fusee_isa::language::{Register, Width};
use fusee_isa::{Architecture, a32};

type Slice = EndianRcSlice<LittleEndian>;
type Dwarf = gimli::Dwarf<Slice>;

/// Types and origins lead to others; no argument needs more than this.
const DEPTH: usize = 16;
/// The bytes of a `double`; the convention of RV32 returns longer numbers through an argument.
const FLOATING: u64 = 8;

/// A scalar type: its size in bytes and its encoding; none for addresses.
#[derive(Debug, Clone, Copy)]
struct Scalar {
    bytes: u64,
    encoding: Option<gimli::DwAte>,
}

/// Returns what registers hold at a function's entry, by its types in an ELF file.
pub fn held(file: &[u8], program: &Program, entry: u64) -> Vec<Held> {
    let registers: Vec<(Register, String)> = match program.architecture() {
        Architecture::Riscv(_) => {
            (0..8).map(|n| (Register::new(10 + n), format!("a{n}"))).collect()
        }
        Architecture::A32 => (0..4).map(|n| (a32::general(n), format!("r{n}"))).collect(),
        // Here the callee extends what it needs, so the upper half of a register may be anything.
        Architecture::Aarch64 => return Vec::new(),
    };
    let Some(dwarf) = lines::dwarf(file) else { return Vec::new() };
    let parameters = parameters(&dwarf, entry).unwrap_or_default();
    let width = program.register_width();
    let fits = |(_, scalar): &(String, Option<Scalar>)| {
        scalar.is_some_and(|one| one.bytes <= width.bytes())
    };
    // From a wider argument on, its alignment decides which registers the next ones are in.
    let arrived = parameters.into_iter().take_while(fits).zip(registers);
    let one =
        |((name, scalar), (register, its)): ((String, Option<Scalar>), (Register, String))| {
            let range = extended(scalar?, width)?;
            let (low, high) = (range.low(), range.high());
            let why = format!(
                "the argument `{name}` in `{its}` is from {low} to {high}, as its type and the \
             convention say"
            );
            Some(Held { register, range, why })
        };
    arrived.filter_map(one).collect()
}

/// Returns what a register holds of a narrower argument.
fn extended(scalar: Scalar, register: Width) -> Option<Range> {
    // What fills its register is not extended, and says nothing.
    let width = match scalar.bytes {
        1 => Width::Byte,
        2 => Width::Half,
        4 if register == Width::Double => Width::Word,
        _ => return None,
    };
    match scalar.encoding? {
        // RISC-V extends numbers of 32 bits by their highest bit, whether they have a sign or not.
        dw::DW_ATE_signed | dw::DW_ATE_unsigned if width == Width::Word => {
            Some(Range::of_width(width, true))
        }
        // The conventions say that a `bool` is 0 or 1 in all of its bits, and compilers rely on it.
        dw::DW_ATE_boolean if width == Width::Byte => Some(Range::BIT),
        dw::DW_ATE_signed | dw::DW_ATE_signed_char => Some(Range::of_width(width, true)),
        dw::DW_ATE_unsigned | dw::DW_ATE_unsigned_char => Some(Range::of_width(width, false)),
        _ => None,
    }
}

/// Returns the parameters of the function that begins at an address, with their types where these
/// are scalar.
fn parameters(dwarf: &Dwarf, entry: u64) -> Option<Vec<(String, Option<Scalar>)>> {
    let mut units = dwarf.units();
    while let Some(header) = units.next().ok()? {
        let unit = dwarf.unit(header).ok()?;
        let types = Types { dwarf, unit: &unit };
        let mut entries = unit.entries();
        let mut found = None;
        while let Some(one) = entries.next_dfs().ok()? {
            // What was inlined or declared has no code of its own, and no caller
            // that follows a convention.
            let low =
                one.attr_value(dw::DW_AT_low_pc).filter(|_| one.tag() == dw::DW_TAG_subprogram);
            let low = low.and_then(|low| dwarf.attr_address(&unit, low).ok().flatten());
            if low == Some(entry) {
                found = Some(one.offset());
                break;
            }
        }
        if let Some(function) = found {
            return types.of_function(function);
        }
    }
    None
}

/// The types of one unit.
struct Types<'d> {
    dwarf: &'d Dwarf,
    unit: &'d Unit<Slice>,
}

impl Types<'_> {
    /// Returns a function's parameters, if it is one that others call by the convention of C.
    fn of_function(&self, function: UnitOffset) -> Option<Vec<(String, Option<Scalar>)>> {
        // The compiler knows all callers of a function of one file, so it may pass
        // arguments in its own way.
        let external = matches!(
            self.attribute(function, dw::DW_AT_external),
            Some(AttributeValue::Flag(true))
        );
        let usual = match self.attribute(function, dw::DW_AT_calling_convention) {
            None => true,
            Some(AttributeValue::CallingConvention(convention)) => convention == dw::DW_CC_normal,
            Some(_) => false,
        };
        // A result that is no scalar may be returned through an argument of its own.
        let result = self.attribute(function, dw::DW_AT_type);
        let plain =
            result.is_none() || self.scalar_of(function).is_some() || self.is_floating(function);
        if !(external && usual && plain && self.is_like_c()) {
            return None;
        }
        let mut tree = self.unit.entries_tree(Some(function)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut parameters = Vec::new();
        // Parameters that were optimized away are listed here as well, so positions
        // are those of the source.
        while let Some(child) = children.next().ok()? {
            if child.entry().tag() == dw::DW_TAG_formal_parameter {
                let at = child.entry().offset();
                parameters.push((self.name(at), self.scalar_of(at)));
            }
        }
        Some(parameters)
    }

    fn is_like_c(&self) -> bool {
        let language = self.attribute(self.unit.header.root_offset(), dw::DW_AT_language);
        let known = [
            dw::DW_LANG_C89,
            dw::DW_LANG_C,
            dw::DW_LANG_C99,
            dw::DW_LANG_C11,
            dw::DW_LANG_C17,
            dw::DW_LANG_C_plus_plus,
            dw::DW_LANG_C_plus_plus_11,
            dw::DW_LANG_C_plus_plus_14,
            dw::DW_LANG_C_plus_plus_17,
        ];
        matches!(language, Some(AttributeValue::Language(language)) if known.contains(&language))
    }

    /// Returns an attribute, also of what an entry is an instance of.
    fn attribute(&self, at: UnitOffset, name: DwAt) -> Option<AttributeValue<Slice>> {
        let mut at = at;
        // Damaged information may lead round in circles.
        for _ in 0..DEPTH {
            let entry = self.unit.entry(at).ok()?;
            if let Some(value) = entry.attr_value(name) {
                return Some(value);
            }
            let origin = [dw::DW_AT_abstract_origin, dw::DW_AT_specification];
            match origin.into_iter().find_map(|name| entry.attr_value(name)) {
                Some(AttributeValue::UnitRef(next)) => at = next,
                _ => return None,
            }
        }
        None
    }

    fn name(&self, at: UnitOffset) -> String {
        let name = self.attribute(at, dw::DW_AT_name);
        let text = name.and_then(|name| self.dwarf.attr_string(self.unit, name).ok());
        text.and_then(|text| text.to_string().ok().map(|text| text.into_owned()))
            .unwrap_or_default()
    }

    /// Returns the type of what has one, without names and qualifiers.
    fn type_of(&self, at: UnitOffset) -> Option<UnitOffset> {
        let mut at = at;
        // Types may name each other round in circles, too.
        for _ in 0..DEPTH {
            let Some(AttributeValue::UnitRef(next)) = self.attribute(at, dw::DW_AT_type) else {
                return None;
            };
            at = next;
            match self.unit.entry(at).ok()?.tag() {
                dw::DW_TAG_typedef
                | dw::DW_TAG_const_type
                | dw::DW_TAG_volatile_type
                | dw::DW_TAG_restrict_type => {}
                _ => return Some(at),
            }
        }
        None
    }

    /// Returns the type of what has one, if it is a scalar in a register for whole numbers.
    fn scalar_of(&self, at: UnitOffset) -> Option<Scalar> {
        let at = self.type_of(at)?;
        match self.unit.entry(at).ok()?.tag() {
            dw::DW_TAG_base_type => self.base(at),
            // An address may be any number, but it takes a register, and so do
            // the arguments behind it.
            dw::DW_TAG_pointer_type | dw::DW_TAG_reference_type => {
                let bytes = self.unit.encoding().address_size.into();
                Some(Scalar { bytes, encoding: None })
            }
            dw::DW_TAG_enumeration_type => Some(Scalar { bytes: self.bytes(at)?, encoding: None }),
            _ => None,
        }
    }

    /// Returns whether the type of what has one is a floating-point number that is returned in
    /// registers under every convention.
    fn is_floating(&self, at: UnitOffset) -> bool {
        let kind = self.type_of(at).and_then(|at| {
            let encoding = self.attribute(at, dw::DW_AT_encoding)?;
            let floating = encoding == AttributeValue::Encoding(dw::DW_ATE_float);
            Some(floating && self.bytes(at)? <= FLOATING)
        });
        kind.unwrap_or(false)
    }

    fn base(&self, at: UnitOffset) -> Option<Scalar> {
        let Some(AttributeValue::Encoding(encoding)) = self.attribute(at, dw::DW_AT_encoding)
        else {
            return None;
        };
        let whole = [
            dw::DW_ATE_signed,
            dw::DW_ATE_signed_char,
            dw::DW_ATE_unsigned,
            dw::DW_ATE_unsigned_char,
            dw::DW_ATE_boolean,
        ];
        let bytes = self.bytes(at)?;
        whole.contains(&encoding).then_some(Scalar { bytes, encoding: Some(encoding) })
    }

    fn bytes(&self, at: UnitOffset) -> Option<u64> {
        self.attribute(at, dw::DW_AT_byte_size)?.udata_value()
    }
}
