//! The rules' pages: each example breaks its own rule.

use super::read;
use fusee_diagnostics::Rule;

/// Rules whose examples are words about a file, or need files that are not there.
const IN_WORDS: &[&str] = &["F0100", "F0101", "F0104", "F0105", "F0136"];

#[test]
fn examples_break_their_rules() {
    let of_syntax = |rule: &&Rule| rule.code.0 < "F0200" && !IN_WORDS.contains(&rule.code.0);
    let rules: Vec<&Rule> = fusee_adl::RULES.iter().filter(of_syntax).collect();
    assert!(rules.len() > 20);
    for rule in rules {
        let loaded = read(rule.example);
        let found: Vec<_> = loaded.diagnostics.iter().map(|it| (it.code, it.severity)).collect();
        assert!(found.contains(&(rule.code, rule.severity)), "{}: {found:?}", rule.code.0);
    }
}
