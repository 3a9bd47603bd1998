//! Ways to say what is compiled, and how.

use std::collections::BTreeMap;

/// One way to declare a component.
pub(crate) struct Case {
    /// Its name, also that of its folder; the component is `C` with this name.
    pub(crate) name: String,
    /// CMake's targets that the component is compiled from; one that ends in `.one` is the
    /// instance's.
    pub(crate) targets: Vec<String>,
    /// The folder of the description, from the project's.
    pub(crate) description: String,
    /// A `CMakeLists.txt`, or `=== FILE` with its text in the lines below, several times.
    pub(crate) text: String,
}

/// Each in a folder of one project.
pub(crate) fn in_a_folder() -> Vec<Case> {
    cases(include_str!("in-a-folder.txt"))
}

/// Each a project of its own.
pub(crate) fn whole() -> Vec<Case> {
    cases(include_str!("whole.txt"))
}

fn cases(text: &str) -> Vec<Case> {
    text.split("\n## ").skip(1).map(case).collect()
}

fn case(text: &str) -> Case {
    let (head, text) = text.split_once('\n').expect("a line about the case");
    let (name, what) = head.split_once(": ").expect("a name");
    let (targets, description) = what.split_once(" in ").unwrap_or((what, ""));
    Case {
        name: name.to_owned(),
        targets: targets.split(' ').map(|target| target.replace('@', name)).collect(),
        description: description.to_owned(),
        text: text.replace('@', name),
    }
}

#[test]
fn there_are_sixty_ways_and_each_has_a_name_of_its_own() {
    let mut names = BTreeMap::new();
    for case in in_a_folder().iter().chain(&whole()) {
        *names.entry(case.name.clone()).or_insert(0) += 1;
    }
    assert!(names.len() >= 60, "{}", names.len());
    assert!(names.values().all(|&times| times == 1), "{names:?}");
}
