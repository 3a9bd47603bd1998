//! The way in which a method's arguments travel.
//!
//! A method whose parameters are all scalars that go in, and that returns at most one
//! scalar, is *plain*: C already passes its arguments in the registers in which a
//! message's first words travel, so its stubs are a few instructions. The registers
//! that it does not use are cleared, lest one component's leftovers reach another, and a
//! received value is brought into the form that C expects of it, lest a hostile caller's
//! reach the compiler's assumptions. Everything else is packed into a message.

use super::ctype::{Scalar, Types};
use super::parameter::{View, sum};
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
    /// `true` if it returns a text.
    pub(crate) returns_text: bool,
    /// The parameters as C declares them.
    pub(crate) declaration: String,
    pub(crate) parameters: Vec<View>,
    /// The parameters' names as the callee's code is called.
    pub(crate) arguments: String,
    /// `true` if any value goes in, or out.
    pub(crate) has_in: bool,
    pub(crate) has_out: bool,
    /// Both messages' lengths as C expressions of words, parts of unknown length counted at their
    /// least.
    pub(crate) words_in: String,
    pub(crate) words_out: String,
    /// Set for a plain method.
    pub(crate) plain: Option<Plain>,
    /// `true` if all of its values have a fixed length, and it is not plain: then each has a fixed
    /// place.
    pub(crate) fixed: bool,
    /// Set for a method that can be written in Rust.
    pub(crate) rust: Option<Rust>,
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
