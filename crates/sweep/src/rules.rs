//! The errors of an experiment's file.

use fusee_diagnostics::{Code, Rule, Severity};

/// The file is no TOML.
pub(crate) const SYNTAX: Code = Code("F1200");
/// A key that means nothing.
pub(crate) const KEY: Code = Code("F1201");
/// A value of the wrong type or out of range.
pub(crate) const VALUE: Code = Code("F1202");
/// Something that is needed is not there.
pub(crate) const MISSING: Code = Code("F1203");
/// A name of nothing: a test, an axis, a value.
pub(crate) const NAME: Code = Code("F1204");
/// A recipe or an analysis that makes no sense.
pub(crate) const RECIPE: Code = Code("F1205");
/// A log with results of another experiment.
pub const OTHER_LOG: Code = Code("F1206");
/// Sets about which a test says nothing.
pub const OUTSIDE: Code = Code("F1207");

/// The chapter that describes experiments.
const CHAPTER: &str = "The book, chapter \"Experiments\".";

/// The rules of experiments.
pub static RULES: &[Rule] = &[
    Rule {
        code: SYNTAX,
        name: "experiment-syntax",
        severity: Severity::Error,
        what: "An experiment's file is not TOML.",
        why: "Nothing of it can be understood with certainty, and an experiment that is understood \
              by half measures something else than its author wanted.",
        example: "sets = 100\ntests = [\"fp-rta\"",
        instead: "Mend the place that the message points at. Texts stand in quotes, lists in `[ \
                  ]`, tables in `{ }` on one line or below a `[name]`.",
        reference: CHAPTER,
    },
    Rule {
        code: KEY,
        name: "experiment-key-unknown",
        severity: Severity::Error,
        what: "An experiment, an axis, a test or a figure has a key that means nothing.",
        why: "A misspelt key would be ignored, and the experiment would run for hours with a \
              default instead.",
        example: "set = 100\ntests = [\"fp-rta\"]",
        instead: "Take the key that the message proposes, or one of those that it lists.",
        reference: CHAPTER,
    },
    Rule {
        code: VALUE,
        name: "experiment-value-wrong",
        severity: Severity::Error,
        what: "A value in an experiment has the wrong type, is out of range, or stands there \
               twice.",
        why: "The work is planned before it begins: numbers of sets, chunks and points must be \
              whole and have limits.",
        example: "sets = -5\ntests = [\"fp-rta\"]",
        instead: "The message says which values are possible.",
        reference: CHAPTER,
    },
    Rule {
        code: MISSING,
        name: "experiment-incomplete",
        severity: Severity::Error,
        what: "An experiment lacks `sets`, `recipe` or `tests`.",
        why: "How many sets are drawn, how, and which tests are asked about them is the \
              experiment; none has a default that would suit everybody.",
        example: "sets = 100\n[recipe]\nutilizations = { method = \"uunifast\", tasks = 5, total = \
                  0.9 }\n\
                  periods = { kind = \"log-uniform\", min = \"1 ms\", max = \"1 s\" }",
        instead: "Add it. `experiments/` has examples.",
        reference: CHAPTER,
    },
    Rule {
        code: NAME,
        name: "experiment-name-unknown",
        severity: Severity::Error,
        what: "An experiment names a test, an axis, a value of an axis or a figure's test that \
               does not exist.",
        why: "Leaving it out silently would leave a line out of a figure, or a point out of a \
              comparison.",
        example: "sets = 100\ntests = [\"fp-rto\"]",
        instead: "Take the name that the message proposes, or one of those that it lists. Axes and \
                  values are those of `[grid]`; `fusee explain` and the book list the tests.",
        reference: CHAPTER,
    },
    Rule {
        code: RECIPE,
        name: "experiment-recipe-invalid",
        severity: Severity::Error,
        what: "No task sets can be made with the recipe, or they can't be analysed with these \
               options; maybe only with one value of an axis.",
        why: "The work would stop at that point, perhaps after hours. Every value of every axis is \
              tried before the work begins.",
        example: "sets = 100\ntests = [\"fp-rta\"]\n[recipe]\n\
                  utilizations = { method = \"uunifast\", tasks = 0, total = 0.9 }\n\
                  periods = { kind = \"log-uniform\", min = \"1 ms\", max = \"1 s\" }",
        instead: "The message names the field and what it needs.",
        reference: CHAPTER,
    },
    Rule {
        code: OTHER_LOG,
        name: "experiment-log-of-another",
        severity: Severity::Error,
        what: "The output folder has the log of another experiment: of another file, of another \
               version of this one, or of another share of its sets.",
        why: "Counts of two experiments in one table mean nothing.",
        example: "fusee sweep changed.toml --output results",
        instead: "Give another folder with `--output`, or let `--restart` throw the old results \
                  away. Titles and figures may be changed at any time: they are no part of the \
                  results.",
        reference: CHAPTER,
    },
    Rule {
        code: OUTSIDE,
        name: "experiment-outside-assumptions",
        severity: Severity::Warning,
        what: "A test was asked about sets that break what it assumes. They count neither as \
               schedulable nor as not: the share is of the others.",
        why: "Points at which a test says nothing about many sets can't be compared with points of \
              other tests.",
        example: "sets = 10\ntests = [\"fp-liu-layland\"]\n[recipe]\ndeadlines = { kind = \
                  \"constrained\", low = 0.5, high = 0.9 }\nutilizations = { method = \
                  \"uunifast\", tasks = 5, total = 0.9 }\n\
                  periods = { kind = \"log-uniform\", min = \"1 ms\", max = \"1 s\" }",
        instead: "Limit the test to points that suit it with `where`, change the recipe, or take a \
                  test that assumes less.",
        reference: CHAPTER,
    },
];
