//! All rules of all crates.

use fusee_diagnostics::Rule;

/// The rules of every crate, in the order of their codes.
pub(crate) fn all() -> Vec<&'static Rule> {
    let of_systems = [fusee_adl::RULES, fusee_check::RULES, fusee_bounds::RULES, fusee_sim::RULES];
    let mut rules: Vec<&Rule> = [
        fusee_pipeline::rules::RULES,
        fusee_wcet::RULES,
        fusee_glue::RULES,
        fusee_image::RULES,
        fusee_run::RULES,
        fusee_sweep::RULES,
    ]
    .into_iter()
    .chain(of_systems)
    .chain([fusee_report::RULES])
    .flatten()
    .collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// A rule by code (`F0101`, also in lower case) or by name.
pub(crate) fn find(wanted: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.code.0.eq_ignore_ascii_case(wanted) || rule.name == wanted)
}
