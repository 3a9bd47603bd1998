//! Random systems are sound descriptions: the rules find no error in them.

use fusee_check::{check, is_usable};
use fusee_generate::{Mix, case};

#[test]
fn no_rule_finds_an_error_in_a_random_system() {
    for index in 0..2_000 {
        let system = case(&Mix::default(), 7, index).system;
        let found = check(&system, &|_| None);
        assert!(is_usable(&found), "case {index}: {found:#?}");
    }
}
