//! pages
use fusee_diagnostics::Rule;
/// The rules of preprocessor and syntax.
pub static RULES: &[Rule] = &[];
