//! The measuring systems on a kernel that has mutexes that are words.
//!
//! A system runs on that kernel if it has such a mutex. So each gets one that nobody locks, in a
//! component that does nothing.

use crate::added::added;

/// The same description with a mutex that is a word.
pub(crate) fn with_word(text: &str) -> String {
    let settings = "\n        worded.word_locking = \"optimistic\";\n        worded.stub = true;";
    let instances = "\n        component Worded worded;";
    added(text, ["component Worded { has mutex word; }\n", instances, settings])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_added() {
        let text = "assembly {\n    composition {\n    }\n    configuration {\n    }\n}\n";
        let with = with_word(text);
        assert!(with.contains("component Worded { has mutex word; }\n\nassembly"), "{with}");
        assert!(with.contains("worded.word_locking = \"optimistic\";"), "{with}");
    }
}
