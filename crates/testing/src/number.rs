//! Numbers that a user gives to a test by variables of the environment.
//!
//! `CAMPAIGN` chooses all of them at once: `quick`, as without it, is what `make test` runs, and
//! `full` what `make soundness` runs. A variable of its own counts more than that.

use std::env::VarError;

/// The variable that chooses all sizes.
const CAMPAIGN: &str = "CAMPAIGN";

/// The size of each campaign in a full run, by its variable. CONTRIBUTING.md lists them, too.
const FULL: &[(&str, u64)] = &[
    ("BITS_APART", 1),
    ("BOOTED_HOSTILE", 200),
    ("BOOTED_HOSTILE_32", 50),
    ("BOOTED_LOCKS", 100),
    ("BOOTED_SYSTEMS", 300),
    ("BOOTED_TREES", 100),
    ("CHAIN_SYSTEMS", 20_000),
    ("CONTENDED_RUNS", 150),
    ("CONTENDED_SYSTEMS", 10_000),
    ("CORES_SYSTEMS", 20_000),
    ("COSTLY_SYSTEMS", 1_000),
    ("CRITICALITY_SYSTEMS", 20_000),
    ("DAG_SYSTEMS", 20_000),
    ("DESCRIBED_SYSTEMS", 20_000),
    ("DIFFERING_SYSTEMS", 20_000),
    ("DOMINANCE_SETS", 10_000),
    ("EDF_SYSTEMS", 20_000),
    ("EVERY_LEVEL", 1),
    ("FREE_SYSTEMS", 1_000),
    ("FUSEE_CASES", 5_000),
    ("HOSTILE_CALLS", 1_000_000),
    ("HOSTILE_SYSTEMS", 2_000),
    ("LARGE_SYSTEMS", 1),
    ("LOCK_SYSTEMS", 20_000),
    ("LOOP_SYSTEMS", 20_000),
    ("MIXED_SYSTEMS", 100_000),
    ("MULTICORE_SETS", 20_000),
    ("NO_LENGTH_SETS", 20_000),
    ("OFFSET_SYSTEMS", 10_000),
    ("ONE_CORE_SETS", 20_000),
    ("PCP_SYSTEMS", 20_000),
    ("ROCKET_HOSTILE", 50),
    ("ROW_SYSTEMS", 10_000),
    ("ROCKET_SYSTEMS", 50),
    ("SERVER_SYSTEMS", 20_000),
    ("SIGNAL_SYSTEMS", 20_000),
    ("STORM_CALLS", 1_000_000),
    ("TCAP_SYSTEMS", 20_000),
    ("TREE_SYSTEMS", 20_000),
    ("VEXRISCV_PATHS", 100_000),
    ("WAITING_SYSTEMS", 20_000),
];

/// Returns the number that a variable gives if it is set, else the size of its campaign in a full
/// run if that is asked for, else `None`.
///
/// # Panics
/// When a variable is set and gives no number, or `CAMPAIGN` names no campaign: one that was asked
/// for must not become another one.
pub fn given(variable: &str) -> Option<u64> {
    let own = read(variable, std::env::var(variable));
    own.or_else(|| of_campaign(variable, std::env::var(CAMPAIGN)))
}

/// Returns the number that a variable gives, or this one as [`given`] finds none.
///
/// # Panics
/// As [`given`] does.
pub fn given_or(variable: &str, otherwise: u64) -> u64 {
    given(variable).unwrap_or(otherwise)
}

/// Returns what `CAMPAIGN` makes of a variable.
fn of_campaign(variable: &str, campaign: Result<String, VarError>) -> Option<u64> {
    match campaign.as_deref() {
        Err(VarError::NotPresent) | Ok("quick") => None,
        Ok("full") => FULL.iter().find(|(name, _)| *name == variable).map(|(_, size)| *size),
        other => panic!("`{CAMPAIGN}` is `quick` or `full`: {other:?}"),
    }
}

fn read(variable: &str, value: Result<String, VarError>) -> Option<u64> {
    match value {
        Err(VarError::NotPresent) => None,
        Err(VarError::NotUnicode(text)) => panic!("`{variable}` is no number: {text:?}"),
        Ok(text) => match text.parse() {
            Ok(number) => Some(number),
            Err(why) => panic!("`{variable}` is no number: `{text}`: {why}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_none() {
        assert_eq!(read("SETS", Err(VarError::NotPresent)), None);
        assert_eq!(read("SETS", Ok("20000".to_owned())), Some(20_000));
    }

    fn campaign(variable: &str, name: &str) -> Option<u64> {
        of_campaign(variable, Ok(name.to_owned()))
    }

    #[test]
    fn a_campaign_chooses_all_sizes() {
        assert_eq!(of_campaign("TREE_SYSTEMS", Err(VarError::NotPresent)), None);
        assert_eq!(campaign("TREE_SYSTEMS", "quick"), None);
        assert_eq!(campaign("TREE_SYSTEMS", "full"), Some(20_000));
        // What is drawn is chosen by its own variables.
        assert_eq!(campaign("TREE_SEED", "full"), None);
    }

    #[test]
    #[should_panic(expected = "`CAMPAIGN` is `quick` or `full`")]
    fn an_unknown_campaign_is_refused() {
        campaign("TREE_SYSTEMS", "long");
    }

    /// The texts of all Rust files below a folder.
    fn texts(folder: &std::path::Path, found: &mut String) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                texts(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push_str(&std::fs::read_to_string(path).expect("a text"));
            }
        }
    }

    #[test]
    fn each_size_is_read_by_a_test_and_documented() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut read = String::new();
        texts(&crates, &mut read);
        let documented =
            std::fs::read_to_string(crates.join("../CONTRIBUTING.md")).expect("a text");
        for (name, size) in FULL {
            // Once in the list above.
            assert!(read.matches(&format!("\"{name}\"")).count() > 1, "nobody reads {name}");
            let digits = size.to_string();
            let line = documented.lines().find(|line| line.contains(&format!("`{name}`")));
            let line = line.unwrap_or_else(|| panic!("CONTRIBUTING.md does not name {name}"));
            assert!(line.replace(',', "").contains(&digits), "{line}: {size}");
        }
        for call in ["given_or(\"", "given(\"", "Campaign::asked(\""] {
            for rest in read.split(call).skip(1) {
                let name = rest.split('"').next().unwrap_or_default();
                if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
                    continue;
                }
                let is_size = FULL.iter().any(|(known, _)| *known == name);
                let is_choice = ["_SEED", "_FIRST"].iter().any(|end| name.ends_with(end));
                assert!(
                    is_size || is_choice || documented.contains(&format!("`{name}`")),
                    "CONTRIBUTING.md does not name {name}"
                );
            }
        }
    }

    #[test]
    #[should_panic(expected = "`SETS` is no number: `20k`")]
    fn what_is_no_number_is_refused() {
        read("SETS", Ok("20k".to_owned()));
    }

    #[test]
    #[should_panic(expected = "`SETS` is no number: ``")]
    fn what_is_empty_is_refused() {
        read("SETS", Ok(String::new()));
    }
}
