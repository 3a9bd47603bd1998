//! The C preprocessor.

use super::{assert_messages, assert_reads, messages, print, read, read_with, squeezed};
use fusee_adl::{Options, syntax::files::Memory};

/// Asserts what a list of values is after preprocessing.
#[track_caller]
fn assert_expands(definitions: &str, use_: &str, expected: &str) {
    let text = format!("{definitions}\nconfiguration {{ a.b = [{use_}]; }}");
    assert_reads(&text, &format!("configuration {{ a.b = [{expected}]; }}"));
}

#[test]
fn macros_without_parameters() {
    assert_expands("#define N 4", "N, N + N", "4, (4 + 4)");
    assert_expands("#define A B\n#define B C\n#define C 7", "A", "7");
    assert_expands("#define EMPTY", "EMPTY 1 EMPTY", "1");
    assert_expands("#define N 4\n#undef N", "N", "N");
    assert_expands("#define LONG 1, \\\n  2", "LONG", "1, 2");
    assert_expands("#define F (1)", "F", "1");
    assert_expands("#define LINE \"one \\\ntwo\" \\\n \"three\"", "LINE", "\"one twothree\"");
}

#[test]
fn macros_with_parameters() {
    assert_expands("#define SUM(x, y) (x) + (y)", "SUM(1, 2 * 3)", "(1 + (2 * 3))");
    assert_expands("#define ID(x) x", "ID(ID(5)), ID ((1))", "5, 1");
}

#[test]
fn arguments() {
    assert_expands("#define ID(x) x\n#define N 3", "ID(N), ID(ID(N))", "3, 3");
    assert_expands("#define SECOND(x, y) y", "SECOND((1, 2), (3))", "3");
    assert_expands(
        "#define PAIR(x, ...) x, [__VA_ARGS__]",
        "PAIR(1, 2, 3), PAIR(4)",
        "1, [2, 3], 4, []",
    );
    assert_expands("#define LIST(rest...) [rest]", "LIST(), LIST(1, 2)", "[], [1, 2]");
    assert_expands(
        "#define CALL(f, ...) [f, ## __VA_ARGS__]",
        "CALL(1), CALL(1, 2)",
        "[1], [1, 2]",
    );
    assert_expands("#define NONE() 8", "NONE(), NONE ( )", "8, 8");
    assert_expands("#define F(x) x", "F\n(\n1\n)", "1");
}

#[test]
fn a_function_like_name_alone_is_no_macro() {
    assert_expands("#define F(x) x", "F, F(1)", "F, 1");
}

#[test]
fn strings_and_joins() {
    assert_expands(
        "#define STR(x) #x",
        "STR(a  +   b), STR(), STR(0x10)",
        "\"a + b\", \"\", \"0x10\"",
    );
    assert_expands(
        "#define STR(x) #x\n#define XSTR(x) STR(x)\n#define N 4",
        "STR(N), XSTR(N)",
        "\"N\", \"4\"",
    );
    assert_expands(
        "#define JOIN(a, b) a ## b",
        "JOIN(1, 2), JOIN(na, me), JOIN(, 3), JOIN(4, )",
        "12, name, 3, 4",
    );
    assert_expands("#define J3(a, b, c) a ## b ## c", "J3(x, _, 1), J3(1, , 2)", "x_1, 12");
    assert_expands("#define GET(n) a.n##_value", "GET(x)", "a.x_value");
}

#[test]
fn a_macro_is_not_expanded_in_its_own_text() {
    assert_expands("#define X X + 1", "X", "(X + 1)");
    assert_expands("#define A B\n#define B A", "A, B", "A, B");
    assert_expands("#define F(x) x + F(x)", "F(1)", "(1 + F(1))");
}

#[test]
fn macros_that_are_always_there() {
    assert_expands("", "__COUNTER__, __COUNTER__, __COUNTER__", "0, 1, 2");
    assert_expands(
        "#define ID(x) x\n",
        "__LINE__, ID(__LINE__), __FILE__",
        "3, 3, \"main.camkes\"",
    );
    assert_expands("#define NEXT(x) x##_id = __COUNTER__", "__COUNTER__, [__COUNTER__]", "0, [1]");
}

#[test]
fn conditions() {
    let chosen = |definitions: &str, condition: &str| {
        let text = format!(
            "{definitions}\n#if {condition}\ncomponent Yes {{}}\n#else\ncomponent No {{}}\n#endif\n"
        );
        let loaded = read(&text);
        assert_eq!(messages(&loaded), Vec::<String>::new(), "{condition}");
        print::tree(&loaded.tree).contains("Yes")
    };
    for condition in [
        "1",
        "2 - 1",
        "defined(A)",
        "defined A && !defined(B)",
        "A == 4",
        "A * 2 > 7",
        "(A << 2) == 0x10u",
        "UNKNOWN == 0",
        "A ? 1 : 0",
        "0 || -1",
        "!(0 && (1 / 0))",
        "1 || (1 / 0) > 2",
        "1 ? 1 : 1 / 0",
        "0 ? 1 % 0 : 1",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "~0 == -1",
        "10 % 3 == 1",
        "TWICE(2) == 4",
        "4294967296UL > 1",
        "1 ? 2 ? 3 : 0 : 0",
    ] {
        assert!(chosen("#define A 4\n#define TWICE(x) x * 2", condition), "{condition}");
        assert!(
            !chosen("#define A 4\n#define TWICE(x) x * 2", &format!("!({condition})")),
            "not {condition}"
        );
    }
}

#[test]
fn branches() {
    let text = "
        #define B
        #ifdef A
        component One {}
        #elif defined(B)
        component Two {}
        # if 0
        it's skipped \" with quotes and /* comments */
        #  else
        component Three {}
        # endif
        #elif 1
        component Four {}
        #else
        component Five {}
        #endif
        #ifndef A
        component Six {}
        #endif
        #ifdef A
        #if 1
        component Seven {}
        #elifdef B
        component Eight {}
        #endif
        #endif";
    assert_reads(text, "component Two { } component Three { } component Six { }");
}

#[test]
fn options_define_macros() {
    let options = Options {
        defines: vec![
            ("N".to_owned(), Some("3 + 4".to_owned())),
            ("FLAG".to_owned(), None),
            ("F(x)".to_owned(), Some("x x".to_owned())),
        ],
        ..Options::default()
    };
    let loaded = read_with(
        Memory::default().with("main.camkes", "configuration { a.b = [N, FLAG, F(\"s\")]; }"),
        &options,
    );
    assert_eq!(messages(&loaded), Vec::<String>::new());
    assert_eq!(
        squeezed(&print::tree(&loaded.tree)),
        "configuration { a.b = [(3 + 4), 1, \"ss\"]; }"
    );
    assert_eq!(
        loaded.sources.files().next().map(|(_, file)| file.path.display().to_string()).as_deref(),
        Some("main.camkes")
    );
}

#[test]
fn declarations_out_of_macros() {
    assert_reads(
        "#define PIN(name, number) \\
            attribute int name##_pin = number; \\
            attribute string name##_label = #name;
         component Led { control; PIN(red, 4) PIN(green, 5) }
         #define rpc_token(n) seL4RPCCallPrioritized##n
         #define rpc(n) rpc_token(n)
         #define POOL 3
         composition { connection rpc(POOL) c(from a.b, to c.d); }",
        "component Led { control; attribute int red_pin = 4; attribute string red_label = \"red\";
            attribute int green_pin = 5; attribute string green_label = \"green\"; }
         composition { connection seL4RPCCallPrioritized3 c(from a.b, to c.d); }",
    );
}

#[test]
fn directives_with_mistakes() {
    assert_messages("#define", &["F0110 1:1 `#define` needs a macro's name"]);
    assert_messages(
        "#define F(x",
        &["F0110 1:10 the parameters of this macro are not a list of names"],
    );
    assert_messages("#define F(x) #y", &["F0110 1:14 `#` makes a parameter into a string"]);
    assert_messages("#define F ## x", &["F0110 1:11 `##` joins what stands before and after it"]);
    assert_messages("#undef", &["F0110 1:1 `#undef` needs a macro's name"]);
    assert_messages("#include stdio.h", &["F0110 1:10 `#include` needs a file's name"]);
    assert_messages("#incldue \"x\"", &["F0111 1:2 `#incldue` is no directive and is ignored"]);
    assert_messages("#if 1\n#if 2\n#endif", &["F0112 1:1 this condition has no `#endif`"]);
    assert_messages("#endif", &["F0112 1:1 `#endif` without `#if`"]);
    assert_messages(
        "#if 1\n#else\n#else\n#endif",
        &["F0112 3:1 `#else` must be the last branch of an `#if`"],
    );
    assert_messages("#if\n#endif", &["F0113 1:1 this condition cannot be decided"]);
    assert_messages("#if 1 / 0\n#endif", &["F0113 1:7 this condition cannot be decided"]);
    assert_messages("#if (1\n#endif", &["F0113 1:7 this condition cannot be decided"]);
    assert_messages("#define F(x) x\nF(1, 2)", &["F0114 2:1 macro `F` needs 1 argument"]);
    assert_messages(
        "#define F(x, ...) x\nF(",
        &["F0114 2:1 the arguments of macro `F` do not end"],
    );
    assert_messages(
        "#define A 1\n#define A 1\n#define A 2",
        &["F0115 3:9 macro `A` is defined again, with another text"],
    );
    assert_messages("#error it's \"wrong\"", &["F0116 1:1 it's \"wrong\""]);
    assert_messages("#warning old", &["F0116 1:1 old"]);
    assert_messages(
        "#define J(a, b) a ## b\nimport J(-, \"x\");",
        &[
            "F0117 2:8 `-\"x\"` is no single token",
            "F0130 2:10 expected the file's name: \"file\" or <file>, found `-`",
        ],
    );
    assert_messages("#pragma anything\n#line 5\n# 12 \"file\"\n#\n", &[]);
}

#[test]
fn a_flood_of_text_is_stopped() {
    let mut text = String::from("#define M0(x) x x\n");
    for level in 1..40 {
        text += &format!("#define M{level}(x) M{0}(x) M{0}(x)\n", level - 1);
    }
    text += "M39(;)";
    let loaded = read(&text);
    assert_eq!(loaded.diagnostics[0].code.0, "F0118");
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(10_000), ")".repeat(10_000));
    assert!(read(&nested).diagnostics.iter().any(|it| it.code.0 == "F0118"));
}
