//! All tests, by name.
//!
//! Each family lists its own; this is where users of many tests (experiments,
//! other languages, the book's table) find them. Tests with parameters stand here
//! with their defaults.

use crate::{SchedulabilityTest, blocking, earliest_deadline, fixed_priority, global, partitioned};

/// Every test, family by family; names are unique.
pub fn all() -> impl Iterator<Item = &'static dyn SchedulabilityTest> {
    [
        fixed_priority::TESTS,
        blocking::TESTS,
        earliest_deadline::TESTS,
        partitioned::TESTS,
        global::TESTS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The test of that kebab-case name.
pub fn by_name(name: &str) -> Option<&'static dyn SchedulabilityTest> {
    all().find(|test| test.metadata().name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_kebab_case() {
        let mut names: Vec<&str> = all().map(|test| test.metadata().name).collect();
        assert!(
            names.iter().all(|n| n
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'))
        );
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| by_name(name).is_some()));
        assert!(by_name("no-such-test").is_none());
    }
}
