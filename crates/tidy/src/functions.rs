//! Functions stay short and take few arguments.
//!
//! A tuple counts as what is in it, since it would hide arguments else. A signature that
//! C or Python calls has the arguments that these pass, and a piece of assembly its lines.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, FnArg, Meta, Signature, Type};

use crate::{File, Finding, Tree};

/// The most lines, from the signature's first to the closing brace.
const LINES: usize = 80;

/// The most arguments, `self` apart.
const ARGUMENTS: usize = 5;

/// Checks the product's code; what is only compiled for tests may be longer.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let is_test = |path: &str| path.contains("tests/") || path.ends_with("tests.rs");
    let product = tree.files.iter().filter(|file| file.is_rust() && !is_test(&file.path));
    product.flat_map(of_file).collect()
}

fn of_file(file: &File) -> Vec<Finding> {
    // What does not parse is the compiler's to refuse.
    let Ok(syntax) = syn::parse_file(&file.text) else { return Vec::new() };
    let mut functions = Functions { file, findings: Vec::new() };
    functions.visit_file(&syntax);
    functions.findings
}

/// The functions of a file that are too long or take too much.
struct Functions<'t> {
    file: &'t File,
    findings: Vec<Finding>,
}

impl Functions<'_> {
    fn judge(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        let first = signature.span().start().line;
        let lines = block.span().end().line + 1 - first;
        let name = &signature.ident;
        if lines > LINES && !is_assembly(attributes) {
            let message = format!("`{name}` has {lines} lines, {LINES} are allowed; divide it");
            self.findings.push(Finding::new(&self.file.path, first, message));
        }
        let arguments: usize = signature.inputs.iter().map(count).sum();
        if arguments > ARGUMENTS && !is_called_from_outside(attributes, signature) {
            let message = format!(
                "`{name}` takes {arguments} arguments, those in tuples counted, and {ARGUMENTS} \
                 are allowed; give those that belong together a type"
            );
            self.findings.push(Finding::new(&self.file.path, first, message));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.judge(&item.attrs, &item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.judge(&item.attrs, &item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// Returns `true` for what is a test, or compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        Meta::NameValue(_) => false,
    })
}

fn count(argument: &FnArg) -> usize {
    match argument {
        FnArg::Receiver(_) => 0,
        FnArg::Typed(typed) => in_type(&typed.ty),
    }
}

fn in_type(of: &Type) -> usize {
    match of {
        Type::Tuple(tuple) => tuple.elems.iter().map(in_type).sum(),
        Type::Reference(reference) => in_type(&reference.elem),
        _ => 1,
    }
}

/// Returns `true` if the function is one piece of assembly.
fn is_assembly(attributes: &[Attribute]) -> bool {
    let is_naked = |of: &Attribute| match &of.meta {
        Meta::List(list) => list.path.is_ident("unsafe") && list.tokens.to_string() == "naked",
        Meta::Path(_) | Meta::NameValue(_) => false,
    };
    attributes.iter().any(is_naked)
}

/// Returns `true` if C or Python calls the function.
fn is_called_from_outside(attributes: &[Attribute], signature: &Signature) -> bool {
    let is_python = |of: &Attribute| {
        ["pyfunction", "pymethods", "pyo3"].iter().any(|name| of.path().is_ident(name))
    };
    signature.abi.is_some() || attributes.iter().any(is_python)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let file = File { path: "crates/model/src/lib.rs".to_owned(), text: text.to_owned() };
        check(&Tree { files: vec![file] }).into_iter().map(|found| found.to_string()).collect()
    }

    #[test]
    fn a_function_has_at_most_eighty_lines() {
        let long = |lines: usize| format!("fn long() {{{}}}\n", "\n".repeat(lines - 1));
        assert_eq!(findings(&long(80)), [""; 0]);
        let found = findings(&format!("\n{}", long(81)));
        assert_eq!(
            found,
            ["crates/model/src/lib.rs:2: `long` has 81 lines, 80 are allowed; divide it"]
        );
        assert_eq!(findings(&format!("struct S;\nimpl S {{ {} }}", long(81))).len(), 1);
        assert_eq!(findings(&format!("#[cfg(test)]\nmod tests {{ {} }}", long(81))).len(), 0);
        assert_eq!(findings(&format!("mod inner {{ {} }}", long(81))).len(), 1);
        assert_eq!(findings(&format!("#[unsafe(naked)]\n{}", long(81))).len(), 0);
    }

    #[test]
    fn what_a_tuple_holds_counts_and_the_receiver_does_not() {
        assert_eq!(findings("fn f(a: u8, b: u8, c: u8, d: u8, e: u8) {}").len(), 0);
        assert_eq!(findings("fn f(a: u8, (b, c): (u8, u8), of: (u8, u8, u8)) {}").len(), 1);
        assert_eq!(findings("fn f(a: u8, &(b, c): &(u8, u8), d: u8, e: u8, f: u8) {}").len(), 1);
        assert_eq!(findings("fn f(a: [u8; 6], b: &dyn Fn(u8, u8, u8, u8, u8)) {}").len(), 0);
        let method = "impl S { fn f(&self, a: u8, b: u8, c: u8, d: u8, e: u8) {} }";
        assert_eq!(findings(method).len(), 0);
        let six = "f(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8) {}";
        assert_eq!(findings(&format!("fn {six}")).len(), 1);
        assert_eq!(findings(&format!("extern \"C\" fn {six}")).len(), 0);
        assert_eq!(findings(&format!("#[pyfunction] fn {six}")).len(), 0);
    }
}
