//! Whether each seeded defect is found by its rule, as the book's tables say.

use std::fmt::{Debug, Display};

use fusee_kernel::Mutation;

/// A defect, the system that shows it, the rule that finds it, and how many steps its shortest
/// history has there.
pub(crate) type Found<S, R> = (Mutation, &'static S, R, usize);

/// A page of the book that lists defects.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

impl Page {
    /// That the page has this row, or what is wrong.
    fn has(self, row: &str) -> Result<(), String> {
        let Page { name, text } = self;
        if text.contains(row) { Ok(()) } else { Err(format!("not so in {name}: {row}")) }
    }
}

/// What exploring a system has found: the rule, the length of its history, and the history; or how
/// many states there are without any.
pub(crate) type Outcome<R> = Result<(R, usize, String), usize>;

/// That each defect is found as the table says, and that the page has its row.
///
/// # Panics
/// Panics with all that is not so.
pub(crate) fn assert_found<S, R: Copy + Debug + PartialEq>(
    found: &[Found<S, R>],
    page: Page,
    explore: impl Fn(&S) -> Outcome<R>,
    row: impl Fn(&Found<S, R>, (&str, &str)) -> String,
) {
    let mut wrong = Vec::new();
    for expected @ &(defect, system, rule, steps) in found {
        let of_it = |other: &&(Mutation, &str, &str)| other.0 == defect;
        let (_, module, what) = Mutation::ALL.iter().find(of_it).expect("a defect");
        let outcome = defect.during(|| explore(system));
        wrong.extend(unlike(what, (rule, steps), outcome));
        wrong.extend(page.has(&row(expected, (module, what))).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is not as expected where a defect was sought.
#[expect(clippy::print_stdout, reason = "the histories are for people")]
fn unlike<R: Debug + PartialEq>(
    what: &str,
    expected: (R, usize),
    outcome: Outcome<R>,
) -> Option<String> {
    let (by, length, history) = match outcome {
        Err(states) => return Some(format!("{what}: not found in {states} states")),
        Ok(found) => found,
    };
    println!("{what}\n{history}");
    let is_other = (&by, length) != (&expected.0, expected.1);
    is_other.then(|| format!("{what}: found by {by:?} in {length} steps"))
}

/// That the page has each rule in its table of rules.
///
/// # Panics
/// Panics with the first that it has not.
pub(crate) fn assert_rules<R: Display>(rules: &[R], page: Page) {
    for rule in rules {
        page.has(&format!("| {rule} | ")).unwrap_or_else(|why| panic!("{why}"));
    }
}
