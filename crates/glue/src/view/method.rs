//! How a method's arguments travel.
//!
//! A method whose parameters are all scalars that go in, and that returns at most one
//! scalar, is *plain*: C already passes its arguments in the registers in which a
//! message's first words travel, so its stubs are a few instructions. The registers
//! that it does not use are cleared, lest one component's leftovers reach another, and a
//! received value is brought into the form that C expects of it, lest a hostile caller's
//! reach the compiler's assumptions. Everything else is packed into a message.

use super::ctype::{Scalar, Types};
use super::rust::{self, Rust};
use fusee_image_format::abi::REGISTER_WORDS;
use fusee_model::{DataType, Direction, Parameter, Signature};
use serde::Serialize;

/// A method of a procedure interface.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// Its number at the gate.
    pub(crate) index: usize,
    /// The C type that it returns: `void` for nothing.
    pub(crate) returns: String,
    /// Whether it returns a text.
    pub(crate) returns_text: bool,
    /// The parameters as C declares them.
    pub(crate) declaration: String,
    pub(crate) parameters: Vec<View>,
    /// The parameters' names as the callee's code is called.
    pub(crate) arguments: String,
    /// Whether any value goes in, or out.
    pub(crate) has_in: bool,
    pub(crate) has_out: bool,
    /// Both messages' lengths as C expressions of words, parts of unknown length counted at their
    /// least.
    pub(crate) words_in: String,
    pub(crate) words_out: String,
    /// Set for a plain method.
    pub(crate) plain: Option<Plain>,
    /// Whether all of its values have a fixed length, and it is not plain: then each has a fixed
    /// place.
    pub(crate) fixed: bool,
    /// Set for a method that can be written in Rust.
    pub(crate) rust: Option<Rust>,
}

/// A parameter as packed into messages.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct View {
    pub(crate) name: String,
    /// The C type of a value or element.
    pub(crate) c: String,
    /// `value`, `text`, `array` or `texts`.
    pub(crate) shape: &'static str,
    /// `in`, `out`, `inout` or `refin`.
    pub(crate) direction: &'static str,
    pub(crate) goes_in: bool,
    pub(crate) goes_out: bool,
    /// Its place in each message as a C expression of words, where all that is before it has a
    /// fixed length.
    pub(crate) at_in: String,
    pub(crate) at_out: String,
}

/// A plain method's registers.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plain {
    /// Clears the registers that carry no argument.
    pub(crate) clear_in: Vec<String>,
    /// Makes the arguments canonical.
    pub(crate) check_in: Vec<String>,
    /// Clears the registers that carry no result.
    pub(crate) clear_out: Vec<String>,
    /// Makes the result canonical.
    pub(crate) check_out: Vec<String>,
}

impl Method {
    /// A method without parameters and result, as generated systems have.
    pub(crate) fn bare(name: &str, index: usize, types: Types<'_>) -> Self {
        let signature = Signature {
            name: name.into(),
            returns: None,
            parameters: Vec::new(),
            origin: fusee_model::Origin::NONE,
        };
        Self::of(&signature, index, types)
    }

    pub(crate) fn of(signature: &Signature, index: usize, types: Types<'_>) -> Self {
        let mut parameters: Vec<View> =
            signature.parameters.iter().map(|p| View::of(p, types)).collect();
        let declared: Vec<String> = parameters.iter().map(View::declared).collect();
        let arguments: Vec<String> = parameters.iter().map(View::argument).collect();
        let returns = signature.returns.as_ref().map_or("void".into(), |type_| types.c(type_));
        let returns_text = signature.returns == Some(DataType::String);
        let returned = match (returns.as_str(), returns_text) {
            ("void", _) => None,
            (_, true) => Some("1".to_owned()),
            (c, false) => Some(format!("FUSEE_WORDS(sizeof({c}))")),
        };
        View::place(&mut parameters, returned.clone());
        let plain = Plain::of(signature, types);
        let fixed =
            plain.is_none() && !returns_text && parameters.iter().all(|p| p.shape == "value");
        Method {
            name: signature.name.clone(),
            index,
            returns_text,
            declaration: if declared.is_empty() { "void".into() } else { declared.join(", ") },
            arguments: arguments.join(", "),
            has_in: parameters.iter().any(|p| p.goes_in),
            has_out: returned.is_some() || parameters.iter().any(|p| p.goes_out),
            words_in: sum(parameters.iter().filter(|p| p.goes_in).map(View::words)),
            words_out: sum(returned
                .into_iter()
                .chain(parameters.iter().filter(|p| p.goes_out).map(View::words))),
            plain,
            fixed,
            rust: rust::of(&parameters, &returns),
            returns,
            parameters,
        }
    }
}

fn sum(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "0".into() } else { parts.join(" + ") }
}

impl View {
    fn of(parameter: &Parameter, types: Types<'_>) -> Self {
        let text = parameter.type_ == DataType::String;
        View {
            name: parameter.name.clone(),
            c: types.c(&parameter.type_),
            shape: match (parameter.array, text) {
                (false, false) => "value",
                (false, true) => "text",
                (true, false) => "array",
                (true, true) => "texts",
            },
            direction: match parameter.direction {
                Direction::In => "in",
                Direction::Out => "out",
                Direction::InOut => "inout",
                Direction::RefIn => "refin",
            },
            goes_in: parameter.direction.is_in(),
            goes_out: parameter.direction.is_out(),
            at_in: String::new(),
            at_out: String::new(),
        }
    }

    /// Gives each its place: behind those before it that travel the same way, and behind the
    /// result.
    fn place(parameters: &mut [View], returned: Option<String>) {
        let (mut ahead_in, mut ahead_out) = (Vec::new(), Vec::from_iter(returned));
        for parameter in parameters {
            parameter.at_in = sum(ahead_in.iter().cloned());
            parameter.at_out = sum(ahead_out.iter().cloned());
            if parameter.goes_in {
                ahead_in.push(parameter.words());
            }
            if parameter.goes_out {
                ahead_out.push(parameter.words());
            }
        }
    }

    /// As CAmkES declares it.
    fn declared(&self) -> String {
        let View { name, c, .. } = self;
        match (self.shape, self.direction) {
            ("value", "in") => format!("{c} {name}"),
            ("value", "refin") => format!("const {c} *{name}"),
            ("value", _) => format!("{c} *{name}"),
            ("text", "in") => format!("const char *{name}"),
            ("text", _) => format!("char **{name}"),
            ("array", "in") => format!("size_t {name}_sz, const {c} *{name}"),
            ("array", "refin") => format!("const size_t *{name}_sz, {c} **{name}"),
            ("array", _) => format!("size_t *{name}_sz, {c} **{name}"),
            (_, "in") => format!("size_t {name}_sz, char **{name}"),
            (_, "refin") => format!("const size_t *{name}_sz, char ***{name}"),
            _ => format!("size_t *{name}_sz, char ***{name}"),
        }
    }

    /// As the server's stub passes it on.
    fn argument(&self) -> String {
        let name = &self.name;
        match (self.shape, self.direction) {
            ("value" | "text", "in") | ("value", "refin") => name.clone(),
            ("value" | "text", _) => format!("&{name}"),
            (_, "in") => format!("{name}_sz, {name}"),
            _ => format!("&{name}_sz, &{name}"),
        }
    }

    fn words(&self) -> String {
        match self.shape {
            "value" => format!("FUSEE_WORDS(sizeof({}))", self.c),
            _ => "1".into(),
        }
    }
}

impl Plain {
    fn of(signature: &Signature, types: Types<'_>) -> Option<Self> {
        let scalar = |p: &Parameter| {
            let plain = p.direction == Direction::In && !p.array;
            plain.then(|| types.scalar(&p.type_)).flatten()
        };
        let arguments: Vec<Scalar> =
            signature.parameters.iter().map(scalar).collect::<Option<_>>()?;
        let result = match &signature.returns {
            None => None,
            Some(type_) => Some(types.scalar(type_)?),
        };
        let used: usize = arguments.iter().map(|scalar| scalar.words as usize).sum();
        let returned = result.map_or(0, |scalar| scalar.words as usize);
        let check = |scalars: &[Scalar]| canonical(scalars, types.word * 8);
        (used <= REGISTER_WORDS).then(|| Plain {
            clear_in: clear(used),
            check_in: check(&arguments),
            clear_out: clear(returned),
            check_out: check(result.as_slice()),
        })
    }
}

fn clear(from: usize) -> Vec<String> {
    (from..REGISTER_WORDS).map(|register| format!("li a{register}, 0")).collect()
}

fn canonical(scalars: &[Scalar], bits: u32) -> Vec<String> {
    let mut register = 0;
    let mut lines = Vec::new();
    for scalar in scalars {
        let name = format!("a{register}");
        let written = |line: &&str| line.replace("{r}", &name).replace("{w}", &bits.to_string());
        lines.extend(scalar.canonical.iter().map(written));
        register += scalar.words;
    }
    lines
}
