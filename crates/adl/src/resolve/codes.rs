//! The codes of this piece, by what they say.

use fusee_diagnostics::Code;

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {
        $(pub(super) const $name: Code = Code($code);)*

        #[cfg(test)]
        pub(super) const ALL: &[Code] = &[$($name),*];
    };
}

codes! {
    DUPLICATE_TYPE = "F0201";
    UNKNOWN_COMPONENT = "F0202";
    UNKNOWN_PROCEDURE = "F0203";
    UNKNOWN_CONNECTOR = "F0204";
    UNKNOWN_INSTANCE = "F0205";
    UNKNOWN_INTERFACE = "F0206";
    DUPLICATE_NAME = "F0207";
    RECURSIVE_COMPONENT = "F0208";
    TOO_MUCH = "F0209";
    WRONG_END = "F0210";
    ONE_END_ONLY = "F0211";
    MISSING_END = "F0212";
    TYPES_DIFFER = "F0213";
    HARDWARE_END = "F0214";
    NO_ASSEMBLY = "F0215";
    QUERY = "F0216";
    UNKNOWN_TARGET = "F0217";
    DUPLICATE_SETTING = "F0218";
    UNKNOWN_REFERENCE = "F0219";
    REFERENCE_LOOP = "F0220";
    WRONG_TYPE = "F0221";
    ARITHMETIC = "F0222";
    BAD_EXPORT = "F0223";
    HARDWARE_COMPONENT = "F0224";
    STRUCT_FIELDS = "F0225";
    UNKNOWN_BLOCK = "F0226";
    DIRECT_ACROSS_DOMAINS = "F0227";
    DUPLICATE_MEMBER = "F0228";
    BAD_LOOKUP = "F0229";
    DUPLICATE_METHOD = "F0230";
    OUT_OF_TYPE = "F0231";
    UNLIKE_CONNECTOR = "F0232";
    UNKNOWN_TYPE = "F0233";
    SAME_SYMBOL = "F0240";
    RESERVED_NAME = "F0241";

    NO_DURATION = "F0301";
    ZERO_TIME = "F0302";
    OUT_OF_RANGE = "F0303";
    WRONG_VALUE = "F0304";
    UNKNOWN_CHOICE = "F0305";
    UNKNOWN_CALL = "F0306";
    UNCONNECTED_CALL = "F0307";
    CALLS_SUM = "F0308";
    BEST_ABOVE_WORST = "F0309";
    WITHOUT_PERIOD = "F0310";
    WITHOUT_CONTROL = "F0311";
    OVERRUN_EVENT = "F0312";
    UNKNOWN_ATTRIBUTE = "F0314";
    CONFLICTING_ATTRIBUTES = "F0315";
    SAME_REQUESTOR = "F0316";
    NO_PRIORITY_LEFT = "F0317";
    SHADOWED_ATTRIBUTE = "F0318";
    NO_UNIT = "F0319";
    UNKNOWN_VALUE = "F0320";
    SECTION = "F0321";
    SECTION_TIME = "F0322";
    LIMIT = "F0330";
    RELEASE_EVENT = "F0331";
    CHAIN = "F0340";
    CHAIN_STEP = "F0341";
    CHAIN_WAY = "F0342";
    CHAIN_AMBIGUOUS = "F0343";
    SCHEDULER = "F0344";
    DELEGATION = "F0345";
    DOMAINS = "F0346";
    NO_EFFECT = "F0347";
    NOT_FOLLOWED = "F0348";
    BUDGET_ABOVE_PERIOD = "F0349";
    SINGLE_THREADED = "F0350";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_in_order_and_in_this_piece_range() {
        assert!(ALL.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ALL.iter().all(|code| code.0.starts_with("F02") || code.0.starts_with("F03")));
    }
}
