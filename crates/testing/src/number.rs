//! Numbers that whoever runs a test gives by variables of the environment.

use std::env::VarError;

/// The number that a variable gives, if it is set.
///
/// # Panics
/// When it is set and gives no number: a campaign that was asked for must not become another one.
pub fn given(variable: &str) -> Option<u64> {
    read(variable, std::env::var(variable))
}

/// The number that a variable gives, or this one if it is not set.
///
/// # Panics
/// As [`given`] does.
pub fn given_or(variable: &str, otherwise: u64) -> u64 {
    given(variable).unwrap_or(otherwise)
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
