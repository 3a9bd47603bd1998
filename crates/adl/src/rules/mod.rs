//! The codes of the syntax's rules, and their pages by subject.

mod declarations;
mod files;
mod preprocessor;
mod words;

use fusee_diagnostics::{Code, Rule};

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => { $(pub(crate) const $name: Code = Code($code);)* };
}

codes! {
    TOO_MANY_ERRORS = "F0100";
    UNREADABLE_FILE = "F0101";
    MISSING_IMPORT = "F0102";
    MISSING_INCLUDE = "F0103";
    NOT_UTF8 = "F0104";
    INCLUDE_LOOP = "F0105";
    FOREIGN_FILE = "F0106";
    BAD_DIRECTIVE = "F0110";
    UNKNOWN_DIRECTIVE = "F0111";
    UNBALANCED_CONDITION = "F0112";
    BAD_CONDITION = "F0113";
    MACRO_ARGUMENTS = "F0114";
    MACRO_REDEFINED = "F0115";
    ERROR_DIRECTIVE = "F0116";
    BAD_JOIN = "F0117";
    EXPANSION_TOO_LARGE = "F0118";
    UNDEFINED_MACRO = "F0119";
    UNKNOWN_CHARACTER = "F0120";
    UNCLOSED_TEXT = "F0121";
    UNCLOSED_COMMENT = "F0122";
    BAD_NUMBER = "F0123";
    OCTAL_NUMBER = "F0124";
    UNEXPECTED_TOKEN = "F0130";
    MISSING_SEMICOLON = "F0131";
    UNCLOSED_BLOCK = "F0132";
    STRAY_BRACE = "F0133";
    MISSPELT_KEYWORD = "F0134";
    KEYWORD_AS_NAME = "F0135";
    NESTED_TOO_DEEPLY = "F0136";
    BARE_SETTING = "F0137";
    BAD_ALIAS = "F0138";
    CONNECTOR_ENDS = "F0139";
}

/// The rules of preprocessor and syntax, in the order of their codes.
pub(crate) const RULES: &[Rule] = &{
    let subjects = [files::RULES, preprocessor::RULES, words::RULES, declarations::RULES];
    let mut all = [files::RULES[0];
        files::RULES.len()
            + preprocessor::RULES.len()
            + words::RULES.len()
            + declarations::RULES.len()];
    let (mut subject, mut next) = (0, 0);
    while subject < subjects.len() {
        let mut index = 0;
        while index < subjects[subject].len() {
            all[next] = subjects[subject][index];
            next += 1;
            index += 1;
        }
        subject += 1;
    }
    all
};
