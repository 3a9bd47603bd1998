//! The check that each seeded defect is found by its rule, as the book says.

use std::fmt::{Debug, Display};

use fusee_explorer::breach::Violation;
use fusee_testing::book::Page;

/// A defect, the system that shows it, the rule that finds it, and how many steps its shortest
/// history has there.
pub(crate) type Found<D, S, R> = (D, &'static S, R, usize);

/// The result of exploring a system.
pub(crate) struct Outcome<R> {
    /// The system's name.
    name: &'static str,
    /// The rule, the length of its history, and the history; or how many states there are without
    /// any.
    found: Result<(R, usize, String), usize>,
}

impl<R: Copy> Outcome<R> {
    pub(crate) fn of<S>(
        name: &'static str,
        states: usize,
        violation: Option<Violation<R, S>>,
        history: impl FnOnce(&Violation<R, S>) -> String,
    ) -> Self {
        let told = |violation: Violation<R, S>| {
            (violation.breach.rule, violation.steps.len(), history(&violation))
        };
        Self { name, found: violation.map(told).ok_or(states) }
    }
}

/// Checks that each defect is found as the table says, and that the page has its row, which begins
/// with the words that `label` has for the defect.
///
/// # Panics
/// Panics with all that is not so.
pub(crate) fn assert_found<D: Copy, S, R: Copy + Debug + Display + PartialEq>(
    found: &[Found<D, S, R>],
    page: Page,
    label: impl Fn(D) -> String,
    explore: impl Fn(D, &'static S) -> Outcome<R>,
) {
    let mut wrong = Vec::new();
    for &(defect, system, rule, steps) in found {
        let label = label(defect);
        let Outcome { name, found } = explore(defect, system);
        wrong.extend(unlike(&label, (rule, steps), found));
        wrong.extend(page.has(&format!("| {label} | {rule} | {name} | {steps} |")).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the difference from the expected result where a defect was sought.
#[expect(clippy::print_stdout, reason = "the histories are for people")]
fn unlike<R: Debug + PartialEq>(
    what: &str,
    expected: (R, usize),
    found: Result<(R, usize, String), usize>,
) -> Option<String> {
    let (by, length, history) = match found {
        Err(states) => return Some(format!("{what}: not found in {states} states")),
        Ok(found) => found,
    };
    println!("{what}\n{history}");
    let is_other = (&by, length) != (&expected.0, expected.1);
    is_other.then(|| format!("{what}: found by {by:?} in {length} steps"))
}

/// Checks that each defect is sought.
///
/// # Panics
/// Panics with the first that is not.
pub(crate) fn assert_sought<D: Copy + Debug + PartialEq, S, R>(
    defects: impl IntoIterator<Item = D>,
    found: &[Found<D, S, R>],
) {
    for defect in defects {
        assert!(found.iter().any(|(other, ..)| *other == defect), "{defect:?} is sought");
    }
}

/// Checks that the page has each rule in its table of rules.
///
/// # Panics
/// Panics with those that it has not.
pub(crate) fn assert_rules<R: Display>(rules: &[R], page: Page) {
    page.assert_has(rules.iter().map(|rule| format!("| {rule} | ")));
}
