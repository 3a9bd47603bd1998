//! The input of code generation: signatures, headers, locks, types.
//!
//! Analyses look here only for how messages travel. A method's signature belongs to the procedure
//! type, not to each gate of that type, so it is kept once, in [`Procedure`]: method `k` of a gate
//! is method `k` of the procedure that its interface names. Types are those of CAmkES's interface
//! language; what a C header declares is known by its name only, and its size is the compiler's to
//! say.

use crate::named::named;
use crate::{Origin, Sourced};

/// A procedure type.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Procedure {
    /// The name that the description gives.
    pub name: String,
    /// Its methods in order of declaration.
    pub methods: Vec<Signature>,
    /// C headers that declare its types.
    pub headers: Vec<Header>,
}

/// The parameters and the result of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The method's name.
    pub name: String,
    /// The type that it returns; `None`: nothing.
    pub returns: Option<DataType>,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// The place of its declaration.
    pub origin: Origin,
}

/// The most words of a message that travel in registers.
const REGISTER_WORDS: usize = 6;

/// The most words of a message, each way.
const MOST_WORDS: usize = 120;

/// The way in which a method's arguments and results travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// As they are.
    Registers,
    /// Packed, copied and unpacked.
    Packed {
        /// The most words that it can be, both ways together.
        words: u32,
    },
    /// Packed, with values on a heap or of types that only a header knows.
    Unknown,
}

impl Parameter {
    /// Returns the most words that a packed value takes; `None`: unknown.
    fn packed_words(&self) -> Option<usize> {
        let text = self.type_ == DataType::String;
        let scalar = self.type_.scalar_words();
        match (self.array, text, self.direction.is_out()) {
            (false, false, _) => scalar,
            // The receiver looks at them where they lie, and their length is known at run time
            // only.
            (false, true, false) => Some(MOST_WORDS),
            (true, false, false) => scalar.map(|_| MOST_WORDS),
            _ => None,
        }
    }
}

impl Signature {
    /// Returns the way in which arguments and results travel, whatever the machine's word.
    pub fn message(&self) -> Message {
        if self.travels_in_registers() {
            return Message::Registers;
        }
        let words = |way: fn(Direction) -> bool| {
            let parameters = self.parameters.iter().filter(|p| way(p.direction));
            parameters.map(Parameter::packed_words).sum::<Option<usize>>()
        };
        let returned = self.returns.as_ref().map_or(Some(0), DataType::scalar_words);
        let (given, back) = (words(Direction::is_in), words(Direction::is_out));
        match (given, back, returned) {
            (Some(given), Some(back), Some(returned)) => {
                let words = given.min(MOST_WORDS) + (back + returned).min(MOST_WORDS);
                Message::Packed { words: words as u32 }
            }
            _ => Message::Unknown,
        }
    }

    /// Returns `true` if arguments and result travel in registers, whatever the machine's word:
    /// scalars that go in, six words at most, and no more than one scalar that comes back.
    pub fn travels_in_registers(&self) -> bool {
        let words = |p: &Parameter| {
            (p.direction == Direction::In && !p.array).then(|| p.type_.scalar_words())?
        };
        let given: Option<usize> = self.parameters.iter().map(words).sum();
        let returned = self.returns.as_ref().map_or(Some(0), DataType::scalar_words);
        given.is_some_and(|words| words <= REGISTER_WORDS) && returned.is_some()
    }
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name that the description gives.
    pub name: String,
    /// The direction of its value.
    pub direction: Direction,
    /// Its type, of one element where it is an array.
    pub type_: DataType,
    /// `true` if it is an array, whose length goes with it.
    pub array: bool,
    /// The place of its declaration.
    pub origin: Origin,
}

/// The direction of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the callee.
    In,
    /// To the caller.
    Out,
    /// The value goes in both directions.
    InOut,
    /// To the callee, whose code gets a pointer to it.
    RefIn,
}

impl Direction {
    /// Returns `true` if a value goes to the callee.
    pub fn is_in(self) -> bool {
        self != Direction::Out
    }

    /// Returns `true` if a value comes back.
    pub fn is_out(self) -> bool {
        matches!(self, Direction::Out | Direction::InOut)
    }
}

/// A data type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataType {
    /// C's `int`.
    Int,
    /// C's `unsigned int`.
    UnsignedInt,
    /// The type `int64_t`.
    Int64,
    /// The type `uint64_t`.
    UnsignedInt64,
    /// C's `char`.
    Char,
    /// C's `signed char`.
    SignedChar,
    /// C's `unsigned char`.
    UnsignedChar,
    /// Text that ends with a zero byte.
    String,
    /// A struct, in a description ([`System::structs`]) or else in a header.
    Struct(String),
    /// A struct in place.
    Inline(Vec<Field>),
    /// A C type, for example `uint32_t` or one that a header declares.
    Named(String),
}

impl DataType {
    /// Words of a scalar on the narrowest machine; `None` for what is no scalar, or unknown.
    fn scalar_words(&self) -> Option<usize> {
        match self {
            DataType::Int | DataType::UnsignedInt => Some(1),
            DataType::Char | DataType::SignedChar | DataType::UnsignedChar => Some(1),
            DataType::Int64 | DataType::UnsignedInt64 => Some(2),
            DataType::String | DataType::Struct(_) | DataType::Inline(_) => None,
            DataType::Named(name) => match name.as_str() {
                "boolean" | "bool" | "character" | "char" | "int" | "unsigned" | "float" => Some(1),
                "int8_t" | "uint8_t" | "int16_t" | "uint16_t" | "int32_t" | "uint32_t" => Some(1),
                "size_t" | "ssize_t" | "uintptr_t" | "intptr_t" | "seL4_Word" | "seL4_CPtr" => {
                    Some(1)
                }
                "int64_t" | "uint64_t" | "double" | "real" => Some(2),
                _ => None,
            },
        }
    }
}

/// A field of a struct, or a declared attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name that the description gives.
    pub name: String,
    /// Its type, of one element where it is an array.
    pub type_: DataType,
    /// `true` if it is an array.
    pub array: bool,
}

/// A struct that the description declares.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Struct {
    /// The name that the description gives.
    pub name: String,
    /// Its fields in order.
    pub fields: Vec<Field>,
}

/// A C header that a description includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name, without quotes or angle brackets.
    pub path: String,
    /// `true` if it stood between angle brackets.
    pub system: bool,
    /// The `include` in the description.
    pub origin: Origin,
}

/// The sources and settings from which the code of a component instance is made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// C headers that it includes.
    pub headers: Vec<Header>,
    /// Its mutexes and semaphores in order of declaration.
    pub locks: Vec<Lock>,
    /// The types of the attributes that it declares, in order of names.
    pub attributes: Vec<Field>,
}

/// `has mutex m;` and its relatives: a lock among a component's own threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The name that the description gives.
    pub name: String,
    /// The kind of lock.
    pub kind: LockKind,
    /// A semaphore's first value; 1 for a mutex.
    pub initial: u32,
    /// The way in which a mutex is locked; pessimistically, where nothing else is said.
    pub locking: Sourced<Locking>,
    /// The core whose tasks wait for a semaphore, where it is said.
    pub core: Option<Sourced<u32>>,
    /// The place of its declaration.
    pub origin: Origin,
}

/// A kind of lock with which a component may lock its own threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// One holder, which inherits from the threads that wait.
    Mutex,
    /// A count; a thread that finds 0 waits.
    Semaphore,
    /// A semaphore that counts to 1.
    BinarySemaphore,
}

named! {
    /// The way in which a free mutex is locked.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Locking {
        /// By a call of the kernel's.
        #[default]
        Pessimistic = "pessimistic",
        /// By a word in the component's memory; the kernel is called only if a thread holds it.
        Optimistic = "optimistic",
    }
}

impl Lock {
    /// Returns a mutex with no description behind it, locked pessimistically.
    pub fn mutex(name: String) -> Lock {
        let origin = Origin::NONE;
        let locking = Sourced { value: Locking::default(), origin };
        Lock { name, kind: LockKind::Mutex, initial: 1, locking, core: None, origin }
    }

    /// Returns `true` if it is a word in its component's memory.
    pub fn is_word(&self) -> bool {
        self.kind == LockKind::Mutex && self.locking.value == Locking::Optimistic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(direction: Direction, type_: DataType, array: bool) -> Parameter {
        Parameter { name: "x".to_owned(), direction, type_, array, origin: Origin::NONE }
    }

    fn message(parameters: &[Parameter], returns: Option<DataType>) -> Message {
        let name = "go".to_owned();
        Signature { name, returns, parameters: parameters.to_vec(), origin: Origin::NONE }.message()
    }

    #[test]
    fn messages_have_a_largest_size_unless_they_end_on_a_heap() {
        use DataType::{Int, String, UnsignedInt64};
        use Direction::{In, InOut, Out, RefIn};
        let scalar = |direction| parameter(direction, Int, false);
        assert_eq!(message(&[scalar(In), scalar(In)], Some(Int)), Message::Registers);
        assert_eq!(message(&vec![scalar(In); 7], None), Message::Packed { words: 7 });
        assert_eq!(
            message(&[scalar(InOut), scalar(Out)], Some(UnsignedInt64)),
            Message::Packed { words: 5 }
        );
        let (text, array) = (parameter(In, String, false), parameter(RefIn, Int, true));
        assert_eq!(
            message(&[text.clone(), array, scalar(In)], None),
            Message::Packed { words: 120 }
        );
        assert_eq!(message(&[text, scalar(Out)], None), Message::Packed { words: 121 });
        let on_heap = [
            parameter(Out, String, false),
            parameter(InOut, Int, true),
            parameter(In, String, true),
        ];
        let of_header = parameter(In, DataType::Named("block_t".to_owned()), false);
        for one in on_heap.into_iter().chain([of_header]) {
            assert_eq!(message(std::slice::from_ref(&one), None), Message::Unknown, "{one:?}");
        }
        assert_eq!(message(&[], Some(String)), Message::Unknown);
    }
}
