//! Mistakes: what is said about them, and that reading goes on.

use super::{assert_messages, messages, print, read, squeezed};

/// Asserts the messages of a text and what is understood all the same.
#[track_caller]
fn assert_recovers(text: &str, expected: &[&str], canonical: &str) {
    let loaded = read(text);
    assert_eq!(messages(&loaded), expected);
    assert_eq!(squeezed(&print::tree(&loaded.tree)), squeezed(canonical));
}

/// Returns the text after all first fixes have been made, the last one first.
fn fixed(text: &str) -> String {
    let mut fixes: Vec<_> =
        read(text).diagnostics.into_iter().filter_map(|it| it.fixes.into_iter().next()).collect();
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
    let mut text = text.to_owned();
    for fix in fixes {
        text.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    }
    text
}

#[test]
fn forgotten_semicolons_are_taken_to_be_there() {
    let text = "component A {\n    control\n    uses Read input\n}\nimport \"main.camkes\"\n";
    assert_recovers(
        text,
        &["F0131 2:12 missing `;`", "F0131 3:20 missing `;`", "F0131 5:21 missing `;`"],
        "component A { control; uses Read input; } import \"main.camkes\";",
    );
    assert_messages(&fixed(text), &[]);
}

#[test]
fn misspelt_keywords_are_read_as_meant() {
    let text = "componnet A { contorl; prvides Read r; atribute int n; }\nassembly { compostion { \
                conection C c(form a.b, to c.d); } }";
    assert_recovers(
        text,
        &[
            "F0134 1:1 `componnet` is no keyword",
            "F0134 1:15 `contorl` is no keyword",
            "F0134 1:24 `prvides` is no keyword",
            "F0134 1:40 `atribute` is no keyword",
            "F0134 2:12 `compostion` is no keyword",
            "F0134 2:25 `conection` is no keyword",
            "F0134 2:39 `form` is no keyword",
        ],
        "component A { control; provides Read r; attribute int n; }
         assembly { composition { connection C c(from a.b, to c.d); } }",
    );
    assert_messages(&fixed(text), &[]);
}

#[test]
fn a_block_that_is_not_closed_ends_at_the_next_declaration() {
    let text = "component A {\n    control;\n\nprocedure P { void f(); }\nassembly {\n    \
                composition {\n        component A a;\n    configuration { a.n = 1; }\n";
    assert_recovers(
        text,
        &[
            "F0132 1:13 the block of this component is not closed",
            "F0130 8:5 expected `component`, `connection`, `group`, `export` or `}`, found keyword \
             `configuration`",
            "F0132 6:17 the block of this composition is not closed",
        ],
        "component A { control; } procedure P { void f(); } assembly { composition { component A \
         a; } }",
    );
}

#[test]
fn one_bad_declaration_does_not_hide_the_others() {
    assert_recovers(
        "component A {
            provides Read;
            uses Write w;
            has spinlock s;
            attribute int = 4;
            dataport Buf(] d;
            consumes Tick t;
         }
         component B { control; }",
        &[
            "F0130 2:26 expected the interface's name, found `;`",
            "F0130 4:17 expected `mutex`, `semaphore` or `binary_semaphore` after `has`, found \
             `spinlock`",
            "F0130 5:27 expected the attribute's name, found `=`",
            "F0130 6:26 expected a value, found `]`",
        ],
        "component A { uses Write w; consumes Tick t; } component B { control; }",
    );
}

#[test]
fn settings_go_on_after_a_bad_one() {
    assert_recovers(
        "configuration { a.b = ; a.c = 1 +; a.d = [1, 2; a.e = {\"k\" 1}; a.f 5; period = 3; a.g \
         <- 5; a.h = 2; }",
        &[
            "F0130 1:23 expected a value, found `;`",
            "F0130 1:34 expected a value, found `;`",
            "F0130 1:47 expected `,` or `]`, found `;`",
            "F0130 1:60 expected `:` after the key, found `1`",
            "F0130 1:68 expected `=` or `<-`, found `5`",
            "F0137 1:71 `period` alone cannot be set",
            "F0138 1:90 `<-` takes the value of another attribute",
        ],
        "configuration { a.b = <error>; a.c = (1 + <error>); a.d = <error>; a.e = <error>; period \
         = 3; a.h = 2; }",
    );
}

#[test]
fn keywords_are_no_names() {
    assert_recovers(
        "procedure P { void in(out int to); }\ncomponent A { uses P\n provides P q; }",
        &[
            "F0135 1:20 `in` is a keyword and cannot be the method's name",
            "F0135 1:31 `to` is a keyword and cannot be the parameter's name",
            "F0130 3:2 expected the interface's name, found keyword `provides`",
        ],
        "procedure P { void in(out int to); } component A { provides P q; }",
    );
}

#[test]
fn connectors_need_both_ends_once() {
    assert_messages(
        "connector A { from Procedure; }\nconnector B { to Event; to Event; from Event; \
         }\nconnector C { from Prodecure; to Procedure; }",
        &[
            "F0139 1:13 this connector has no `to` end",
            "F0139 2:25 a connector has only one `to` end",
            "F0134 3:20 `Prodecure` is no keyword",
        ],
    );
}

#[test]
fn words_that_look_like_macros() {
    assert_recovers(
        "component A {\n    TIMER_INTERFACES()\n    control;\n    SERIAL(a, (b))\n    \
         DONE\n}\nHARDWARE(x)\nconfiguration {\n    SETTINGS(a)\n    a.b = 1;\n}",
        &[
            "F0119 2:5 macro `TIMER_INTERFACES` is not defined",
            "F0119 4:5 macro `SERIAL` is not defined",
            "F0119 5:5 macro `DONE` is not defined",
            "F0119 7:1 macro `HARDWARE` is not defined",
            "F0119 9:5 macro `SETTINGS` is not defined",
        ],
        "component A { control; } configuration { a.b = 1; }",
    );
}

#[test]
fn characters_strings_and_comments() {
    assert_messages(
        "component A { control; } §§ @",
        &[
            "F0120 1:26 `§§` means nothing in a description",
            "F0120 1:29 `@` means nothing in a description",
        ],
    );
    assert_recovers(
        "configuration {\n a.b = \"10 ms;\n a.c = \"x\";\n}",
        &["F0121 2:8 this string is not closed"],
        "configuration { a.b = \"10 ms\"; a.c = \"x\"; }",
    );
    assert_messages("component A {} /* no end", &["F0122 1:16 this comment is not closed"]);
    assert_messages("component A {}\n}\n", &["F0133 2:1 this `}` closes nothing"]);
}

#[test]
fn numbers() {
    assert_messages(
        "configuration { a.b = 10UL; a.c = 0b12; a.d = 010; a.e = 099; a.f = \
         99999999999999999999999999999999999999999; }",
        &[
            "F0123 1:25 `UL` right behind a number means nothing",
            "F0123 1:35 `0b12` is no number that can be used",
            "F0124 1:47 `010` is an octal number because it begins with 0",
            "F0124 1:58 `099` is an octal number because it begins with 0",
            "F0123 1:58 `099` is no number that can be used",
            "F0123 1:69 `99999999999999999999999999999999999999999` is no number that can be used",
        ],
    );
}

#[test]
fn only_so_many_errors_are_shown() {
    let text = "component A {\n".to_owned() + &"provides X;\n".repeat(80) + "}";
    let loaded = read(&text);
    assert_eq!(loaded.diagnostics.len(), 51);
    assert_eq!(loaded.diagnostics[50].message, "30 more errors not shown");
}
