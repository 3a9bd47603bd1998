//! How a method looks in Rust.
//!
//! Both sides go through the C stubs, so each parameter has a Rust type, a C type, and a
//! way from one to the other. Texts and arrays that come back need the C heap and have
//! no Rust form; a component in Rust whose interfaces have such methods cannot be built.

use super::method::View;
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
}

/// A parameter's four forms.
type Forms = (String, String, String, String);

/// The Rust form of a method; `None` if it has none.
pub(crate) fn of(parameters: &[View], returns: &str) -> Option<Rust> {
    let returns = match returns {
        "void" => String::new(),
        c => format!(" -> {}", scalar(c)?),
    };
    let forms: Vec<Forms> = parameters.iter().map(parameter).collect::<Option<_>>()?;
    let join = |pick: fn(&Forms) -> &String| forms.iter().map(|f| pick(f).as_str()).collect::<Vec<_>>().join(", ");
    Some(Rust {
        parameters: join(|f| &f.0),
        raw: join(|f| &f.1),
        to_c: join(|f| &f.2),
        from_c: join(|f| &f.3),
        returns,
    })
}

fn parameter(view: &View) -> Option<Forms> {
    let View { name, c, .. } = view;
    Some(match (view.shape, view.direction) {
        ("value", "in") => {
            let scalar = scalar(c)?;
            (format!("{name}: {scalar}"), format!("{name}: {scalar}"), name.clone(), name.clone())
        }
        ("value", "refin") => {
            let scalar = scalar(c)?;
            (
                format!("{name}: &{scalar}"),
                format!("{name}: *const {scalar}"),
                name.clone(),
                format!("unsafe {{ &*{name} }}"),
            )
        }
        ("value", _) => {
            let scalar = scalar(c)?;
            let borrowed = format!("unsafe {{ &mut *{name} }}");
            (format!("{name}: &mut {scalar}"), format!("{name}: *mut {scalar}"), name.clone(), borrowed)
        }
        ("text", "in") => (
            format!("{name}: &core::ffi::CStr"),
            format!("{name}: *const core::ffi::c_char"),
            format!("{name}.as_ptr()"),
            format!("unsafe {{ core::ffi::CStr::from_ptr({name}) }}"),
        ),
        ("array", "in") => {
            let scalar = scalar(c)?;
            (
                format!("{name}: &[{scalar}]"),
                format!("{name}_sz: usize, {name}: *const {scalar}"),
                format!("{name}.len(), {name}.as_ptr()"),
                format!("unsafe {{ fusee_runtime::elements({name}, {name}_sz) }}"),
            )
        }
        _ => return None,
    })
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
