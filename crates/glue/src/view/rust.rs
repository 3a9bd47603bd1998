//! The form of a method in Rust.
//!
//! Both sides go through the C stubs, so each parameter has a Rust type, a C type, and a
//! way from one to the other. Texts and arrays that come back are handed over on the C
//! library's heap; `Text` and `List` of the runtime own them. What only a C header
//! declares has no Rust form; a component in Rust whose interfaces have such methods
//! cannot be built.

use super::parameter::View;
use serde::Serialize;

/// A method in Rust.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Rust {
    /// `topic: i32, text: &CStr`
    pub(crate) parameters: String,
    /// The same as C has them.
    pub(crate) raw: String,
    /// From Rust to C.
    pub(crate) to_c: String,
    /// From C to Rust.
    pub(crate) from_c: String,
    /// ` -> i32`, or nothing.
    pub(crate) returns: String,
    /// The same as C has it.
    pub(crate) raw_returns: String,
    /// The text around a call of C's, and around one of Rust's, to turn the result.
    pub(crate) result_from_c: (&'static str, &'static str),
    pub(crate) result_to_c: &'static str,
}

/// Words that Rust does not allow as a name, not even with `r#` before them.
const NEVER: [&str; 5] = ["Self", "_", "crate", "self", "super"];

/// Rust's other keywords, and words that it keeps for later.
const WORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// A name as Rust has it: `type` is `r#type`, `self` is `self_`.
pub(crate) fn rust_name(name: &str) -> String {
    match name {
        _ if NEVER.contains(&name) => format!("{name}_"),
        _ if WORDS.contains(&name) => format!("r#{name}"),
        _ => name.to_owned(),
    }
}

/// A parameter's name, which only the generated code has: `type` is `type_`.
fn plain_name(name: &str) -> String {
    if rust_name(name) == name { name.to_owned() } else { format!("{name}_") }
}

/// A parameter's four forms.
type Forms = (String, String, String, String);

/// The Rust form of a method; `None` if it has none.
pub(crate) fn of(parameters: &[View], returns: &str) -> Option<Rust> {
    let text = returns == "char *";
    let (returns, raw_returns) = match returns {
        "void" => (String::new(), String::new()),
        "char *" => (" -> fusee_runtime::Text".to_owned(), " -> *mut core::ffi::c_char".to_owned()),
        c => (format!(" -> {}", scalar(c)?), format!(" -> {}", scalar(c)?)),
    };
    let forms: Vec<Forms> = parameters.iter().map(parameter).collect::<Option<_>>()?;
    let join = |pick: fn(&Forms) -> &String| {
        forms.iter().map(|f| pick(f).as_str()).collect::<Vec<_>>().join(", ")
    };
    Some(Rust {
        parameters: join(|f| &f.0),
        raw: join(|f| &f.1),
        to_c: join(|f| &f.2),
        from_c: join(|f| &f.3),
        returns,
        raw_returns,
        result_from_c: if text { ("fusee_runtime::Text::from_c(", ")") } else { ("", "") },
        result_to_c: if text { ".into_c()" } else { "" },
    })
}

fn parameter(view: &View) -> Option<Forms> {
    let view = &View { name: plain_name(&view.name), ..view.clone() };
    match view.shape {
        "value" => value(view),
        "text" => Some(text(view)),
        "array" => Some(array(view, scalar(&view.c)?)),
        // A text is a pointer to characters, so texts are an array of them.
        _ => Some(array(view, "fusee_runtime::Text")),
    }
}

fn value(View { name, c, direction, .. }: &View) -> Option<Forms> {
    let scalar = scalar(c)?;
    Some(match *direction {
        "in" => {
            (format!("{name}: {scalar}"), format!("{name}: {scalar}"), name.clone(), name.clone())
        }
        "refin" => {
            let borrowed = format!("unsafe {{ &*{name} }}");
            (
                format!("{name}: &{scalar}"),
                format!("{name}: *const {scalar}"),
                name.clone(),
                borrowed,
            )
        }
        _ => {
            let borrowed = format!("unsafe {{ &mut *{name} }}");
            (
                format!("{name}: &mut {scalar}"),
                format!("{name}: *mut {scalar}"),
                name.clone(),
                borrowed,
            )
        }
    })
}

fn text(View { name, direction, .. }: &View) -> Forms {
    let raw = "core::ffi::c_char";
    let read = |pointer: String| format!("unsafe {{ core::ffi::CStr::from_ptr({pointer}) }}");
    match *direction {
        "in" => (
            format!("{name}: &core::ffi::CStr"),
            format!("{name}: *const {raw}"),
            format!("{name}.as_ptr()"),
            read(name.clone()),
        ),
        "refin" => (
            format!("{name}: &core::ffi::CStr"),
            format!("{name}: *mut *mut {raw}"),
            format!("&mut {name}.as_ptr().cast_mut()"),
            read(format!("*{name}")),
        ),
        direction => (
            format!("{name}: &mut fusee_runtime::Text"),
            format!("{name}: *mut *mut {raw}"),
            format!("{name}.{}()", kept(direction)),
            format!("unsafe {{ fusee_runtime::Text::at({name}) }}"),
        ),
    }
}

fn array(View { name, direction, .. }: &View, element: &str) -> Forms {
    match *direction {
        "in" => (
            format!("{name}: &[{element}]"),
            format!("{name}_sz: usize, {name}: *const {element}"),
            format!("{name}.len(), {name}.as_ptr()"),
            format!("unsafe {{ fusee_runtime::elements({name}, {name}_sz) }}"),
        ),
        "refin" => (
            format!("{name}: &[{element}]"),
            format!("{name}_sz: *const usize, {name}: *mut *mut {element}"),
            format!("&{name}.len(), &mut {name}.as_ptr().cast_mut()"),
            format!("unsafe {{ fusee_runtime::elements(*{name}, *{name}_sz) }}"),
        ),
        direction => (
            format!("{name}: &mut fusee_runtime::List<{element}>"),
            format!("{name}_sz: *mut usize, {name}: *mut *mut {element}"),
            format!("{name}.{}(), {name}.elements()", kept(direction)),
            format!("&mut *unsafe {{ fusee_runtime::Lent::new({name}_sz, {name}) }}"),
        ),
    }
}

/// Returns the treatment of a value that the callee replaces by another.
fn kept(direction: &str) -> &'static str {
    if direction == "out" { "for_answer" } else { "for_exchange" }
}

/// The Rust type of a C scalar.
fn scalar(c: &str) -> Option<&'static str> {
    Some(match c {
        "bool" => "bool",
        "char" | "unsigned char" | "uint8_t" => "u8",
        "signed char" | "int8_t" => "i8",
        "int16_t" => "i16",
        "uint16_t" => "u16",
        "int" | "int32_t" => "i32",
        "unsigned int" | "unsigned" | "uint32_t" => "u32",
        "int64_t" => "i64",
        "uint64_t" => "u64",
        "size_t" | "uintptr_t" | "seL4_Word" => "usize",
        "ssize_t" | "intptr_t" => "isize",
        "float" => "f32",
        "double" => "f64",
        _ => return None,
    })
}
