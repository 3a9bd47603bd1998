//! Enums that are words in descriptions: type, list and words from one place.
//!
//! A list of all values or words that stands elsewhere compiles when one is
//! forgotten. Here the values stand once, each with its word.

/// An enum whose values have words, with all of them and the value of a word.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$of_value:meta])* $value:ident = $word:literal,)+ }
    ) => {
        $(#[$about])*
        pub enum $name { $($(#[$of_value])* $value,)+ }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            /// All of them with their words.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$value)),+];

            /// Returns the word used in descriptions and tables.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }

            /// Returns the one with this word.
            pub fn from_name(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(name, _)| *name == word).map(|&(_, value)| value)
            }
        }
    };
}

pub(crate) use named;
