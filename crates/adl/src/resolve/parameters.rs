//! Types of parameters that nothing declares.
//!
//! A type that the interface language does not know is C's, from a header. Which headers
//! declare it is the compiler's to find out; but where a description includes none at all,
//! only C's own types and those of the generated header are there.

use super::codes;
use super::names::Names;
use super::report::Report;
use crate::tree::{ComponentMember, Type, TypeKind};
use fusee_diagnostics::{Diagnostic, Severity};

/// Types that are there without a header of the description's.
const KNOWN: &[&str] = &[
    "bool",
    "boolean",
    "character",
    "dataport_ptr_t",
    "double",
    "float",
    "gid_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "intmax_t",
    "intptr_t",
    "long",
    "mode_t",
    "off_t",
    "pid_t",
    "ptrdiff_t",
    "real",
    "short",
    "signed",
    "size_t",
    "ssize_t",
    "time_t",
    "uid_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uintmax_t",
    "uintptr_t",
    "unsigned",
    "wchar_t",
];

/// The prefixes of other types of the generated header.
const PREFIXES: [&str; 5] = ["seL4_", "camkes_", "int_", "uint_", "u_int"];

/// Headers of the standard connectors' own: C's, and one that no code of a description sees.
const OF_LIBRARY: [&str; 2] = ["camkes/gdb/delegate_types.h", "stdint.h"];

/// Warns of types that no header can declare, because there is none.
pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    let of_components =
        names.components.in_order().flat_map(|(_, component)| &component.body.members);
    let included =
        of_components.into_iter().any(|member| matches!(member, ComponentMember::Include(_)));
    let (with, without): (Vec<_>, Vec<_>) = names
        .procedures
        .in_order()
        .map(|(_, procedure)| procedure)
        .partition(|procedure| !procedure.includes.is_empty());
    if included
        || with.iter().any(|procedure| {
            procedure.includes.iter().any(|include| !OF_LIBRARY.contains(&include.path.as_str()))
        })
    {
        return;
    }
    for procedure in without {
        for method in &procedure.methods {
            let parameters = method.parameters.iter().map(|parameter| &parameter.type_);
            method.returns.iter().chain(parameters).for_each(|type_| one(type_, names, report));
        }
    }
}

fn one(type_: &Type, names: &Names<'_>, report: &mut Report) {
    let TypeKind::Named(reference) = &type_.kind else { return };
    let text = reference.text();
    let is_known = |word: &str| {
        KNOWN.contains(&word) || PREFIXES.iter().any(|prefix| word.starts_with(prefix))
    };
    if text.split_whitespace().all(is_known) || names.structs.get(&text).is_some() {
        return;
    }
    let warning =
        Diagnostic::warning(codes::UNKNOWN_TYPE, format!("nothing declares the type `{text}`"));
    let warning = warning
        .at(type_.span, "")
        .with_note("a C type needs its header in the procedure: `include \"types.h\";`");
    let structs = names.structs.in_order().map(|(name, _)| name);
    let shown = report.is_open(Severity::Warning);
    let similar =
        fusee_diagnostics::closest(&text, KNOWN.iter().copied().chain(structs)).filter(|_| shown);
    report.push(match similar {
        Some(other) => warning.with_fix(format!("did you mean `{other}`?"), type_.span, other),
        None => warning,
    });
}
