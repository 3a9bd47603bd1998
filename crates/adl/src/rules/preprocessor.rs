//! Lines that begin with `#`, and macros.

use super::*;
use fusee_diagnostics::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: BAD_DIRECTIVE,
        name: "bad-directive",
        severity: Severity::Error,
        what: "A preprocessor line does not have the form of its kind: `#define` or `#undef` \
               without a name, parameters that are no list of names, `#include` without a file, \
               `#` or `##` with nothing to work on.",
        why: "The line is left out, and what it should have defined is missing.",
        example: "#define\n\nassembly {\n    composition {}\n}",
        instead: "Write `#define NAME TEXT`, `#define NAME(A, B) TEXT`, `#undef NAME`, `#include \
                  \"FILE\"`.",
        reference: "ISO C, section 6.10 (preprocessing directives)",
    },
    Rule {
        code: UNKNOWN_DIRECTIVE,
        name: "unknown-directive",
        severity: Severity::Warning,
        what: "A line begins with `#` and a word that is no directive. It is ignored, as CAmkES \
               ignores it where it runs without the C preprocessor.",
        why: "A misspelt `#include` or `#endif` changes what the description says without any \
              other sign.",
        example: "#incldue \"parts.camkes\"\n\ncomponent A { control; }\nassembly {\n    \
                  composition { component A a; }\n}",
        instead: "Mend the spelling, or remove the line.",
        reference: "ISO C, section 6.10 (preprocessing directives)",
    },
    Rule {
        code: UNBALANCED_CONDITION,
        name: "unbalanced-condition",
        severity: Severity::Error,
        what: "`#if` and `#endif` do not match: one is missing, or `#else` is not the last branch.",
        why: "It is unclear which text belongs to the description.",
        example: "#ifdef SIMULATION\n\nassembly {\n    composition {}\n}",
        instead: "Close each `#if`, `#ifdef` and `#ifndef` with `#endif` in the same file.",
        reference: "ISO C, section 6.10.1 (conditional inclusion)",
    },
    Rule {
        code: BAD_CONDITION,
        name: "bad-condition",
        severity: Severity::Error,
        what: "The condition of `#if` or `#elif` cannot be decided: it is not a C expression of \
               whole numbers, divides by zero, or has a number of more than 64 bits. It is taken \
               not to hold.",
        why: "The text behind it belongs to the description or does not; guessing would make it \
              another system.",
        example: "#define CORES\n#if CORES > 1\n#endif\n\nassembly {\n    composition {}\n}",
        instead: "Use whole numbers, `defined(NAME)` and C's operators. A macro in a condition \
                  needs a value: `-D CORES=4`. Names that are no macros count as 0.",
        reference: "ISO C, section 6.10.1 (conditional inclusion)",
    },
    Rule {
        code: MACRO_ARGUMENTS,
        name: "macro-arguments",
        severity: Severity::Error,
        what: "A macro is used with too many or too few arguments, or its arguments do not end.",
        why: "Its text has places for exactly as many as it has parameters. The use is left out.",
        example: "#define CLIENT(type, name) component type name;\n\ncomponent A {}\nassembly \
                  {\n    composition {\n        CLIENT(A)\n    }\n}",
        instead: "Give each parameter its argument; an argument with commas needs parentheses \
                  around it.",
        reference: "ISO C, section 6.10.3 (macro replacement)",
    },
    Rule {
        code: MACRO_REDEFINED,
        name: "macro-redefined",
        severity: Severity::Warning,
        what: "A macro that is defined is defined again with another text. From there on the new \
               text holds.",
        why: "Two headers may use one name for different things, and which one is meant depends on \
              their order.",
        example: "#define SLOTS 4\n#define SLOTS 8\n\ncomponent A { control; }\nassembly {\n    \
                  composition { component A a; }\n}",
        instead: "Rename one of them, or write `#undef NAME` first if it is meant.",
        reference: "ISO C, section 6.10.3 (macro replacement)",
    },
    Rule {
        code: ERROR_DIRECTIVE,
        name: "error-directive",
        severity: Severity::Error,
        what: "The description itself reports an error with `#error`, or a warning with \
               `#warning`.",
        why: "Its author has foreseen a case that cannot work.",
        example: "#ifndef PLATFORM\n#error choose a platform with -D \
                  PLATFORM=...\n#endif\n\nassembly {\n    composition {}\n}",
        instead: "Do what the message says; usually a macro must be given with `-D`.",
        reference: "ISO C, section 6.10.5 (error directive)",
    },
    Rule {
        code: BAD_JOIN,
        name: "bad-join",
        severity: Severity::Error,
        what: "`##` in a macro joins two pieces that together are no name, number or symbol. They \
               are left apart.",
        why: "What it makes has no meaning in a description.",
        example: "#define BELOW(level) - ## level\n\ncomponent A { control; attribute int level = \
                  BELOW(1); }\nassembly {\n    composition { component A a; }\n}",
        instead: "Join names with names or numbers, `name ## _ ## port`; leave `##` out where two \
                  tokens are meant.",
        reference: "ISO C, section 6.10.3.3 (the ## operator)",
    },
    Rule {
        code: EXPANSION_TOO_LARGE,
        name: "expansion-too-large",
        severity: Severity::Error,
        what: "The macros of a file produce more than two million tokens, or calls of macros stand \
               more than 100 deep in each other's arguments.",
        why: "Macros that use each other grow exponentially: thirty short lines can fill any \
              memory.",
        example: "#define A(x) x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) \
                  B(B(B(x)))\n\nC(C(;))",
        instead: "Write fewer levels.",
        reference: "None: a limit of Fusee's own.",
    },
    Rule {
        code: UNDEFINED_MACRO,
        name: "undefined-macro",
        severity: Severity::Error,
        what: "A word in capitals stands where a declaration is expected. It looks like the use of \
               a macro, and no macro of that name is defined.",
        why: "What the macro would have declared is missing. Usually the header with its \
              definition was not found or is not included.",
        example: "component Driver {\n    TIMER_INTERFACES()\n}",
        instead: "Include the header that defines it, pass the search path where it is (`-I`), or \
                  define it (`-D`). Macros do not cross `import`: each imported file includes what \
                  it uses.",
        reference: "ISO C, section 6.10.3 (macro replacement)",
    },
];
