//! The rules of all crates together.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

fn rules() -> Vec<Value> {
    let run = Command::new(snapbox::cmd::cargo_bin!("fusee"))
        .args(["explain", "--json"])
        .output()
        .expect("it runs");
    let json: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    json["rules"].as_array().expect("a list").clone()
}

#[test]
fn every_rule_has_a_whole_page() {
    for rule in rules() {
        for key in ["what", "why", "example", "instead", "reference"] {
            let text = rule[key].as_str().expect("text");
            assert!(text.trim().len() >= 10, "{}: `{key}` says too little: {text:?}", rule["code"]);
        }
    }
}

#[test]
fn codes_and_names_are_well_formed_and_used_once() {
    let (mut codes, mut names) = (BTreeSet::new(), BTreeSet::new());
    for rule in rules() {
        let (code, name) =
            (rule["code"].as_str().expect("text"), rule["name"].as_str().expect("text"));
        let digits = code.strip_prefix('F').expect("it starts with F");
        assert!(digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()), "{code}");
        assert!(
            name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{name}"
        );
        assert!(codes.insert(code.to_owned()), "{code} twice");
        assert!(names.insert(name.to_owned()), "{name} twice");
    }
}
