//! The pages of the rules of resolving, by subject.
//!
//! Each example is a whole description that breaks its rule and parses without an error: tests
//! read it and look for the code.

mod assembly;
mod attributes;
mod calls;
mod chains;
mod components;
mod connections;
mod schedulers;
mod settings;
mod timing;
mod types;
mod values;

use fusee_diagnostics::Rule;

const SUBJECTS: &[&[Rule]] = &[
    types::RULES,
    components::RULES,
    assembly::RULES,
    connections::RULES,
    settings::RULES,
    values::RULES,
    timing::RULES,
    calls::RULES,
    chains::RULES,
    schedulers::RULES,
    attributes::RULES,
];

const COUNT: usize = {
    let (mut subject, mut count) = (0, 0);
    while subject < SUBJECTS.len() {
        count += SUBJECTS[subject].len();
        subject += 1;
    }
    count
};

/// The rules of resolving, by subject.
pub const RULES: &[Rule] = &{
    let mut all = [types::RULES[0]; COUNT];
    let (mut subject, mut next) = (0, 0);
    while subject < SUBJECTS.len() {
        let mut index = 0;
        while index < SUBJECTS[subject].len() {
            all[next] = SUBJECTS[subject][index];
            next += 1;
            index += 1;
        }
        subject += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::super::codes;
    use super::RULES;
    use crate::Options;
    use crate::reading::understand;
    use crate::syntax::load_bytes;
    use std::path::Path;

    #[test]
    fn every_code_has_one_page() {
        let mut pages: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
        pages.sort();
        assert_eq!(pages, codes::ALL);
    }

    #[test]
    fn every_example_breaks_its_rule() {
        let path = Path::new("example.camkes");
        let mut wrong = Vec::new();
        for rule in RULES {
            let reading =
                understand(load_bytes(rule.example.as_bytes()), path, &Options::default());
            let is_broken = reading
                .diagnostics
                .iter()
                .any(|d| (d.code, d.severity) == (rule.code, rule.severity));
            if !is_broken {
                let found: Vec<_> = reading
                    .diagnostics
                    .iter()
                    .map(|d| (d.code.0, d.severity, &d.message))
                    .collect();
                wrong.push(format!("{}: {found:?}", rule.code.0));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
