//! The places of messages, also behind macros and inclusions.

use super::read_with;
use fusee_adl::{Options, syntax::Loaded, syntax::files::Memory, tree::*};
use fusee_diagnostics::Span;

/// `file:line:column..column` of a span.
fn place(loaded: &Loaded, span: Span) -> String {
    let file = loaded.sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    format!("{}:{}:{}..{}", file.path.display(), start.line, start.column, end.column)
}

fn settings(loaded: &Loaded) -> Vec<&Setting> {
    let configurations = loaded.tree.items.iter().filter_map(|item| match item {
        Item::Configuration(it) => Some(&it.settings),
        _ => None,
    });
    configurations.flatten().collect()
}

fn value(setting: &Setting) -> &Expr {
    match &setting.value {
        SettingValue::Value(value) | SettingValue::Alias(value) => value,
    }
}

#[test]
fn plain_text() {
    let text = "// é\nconfiguration {\n    a.period = 1 + (2 * 3);\n    b.c <- d.e[\"k\"];\n}";
    let loaded = read_with(Memory::default().with("main.camkes", text), &Options::default());
    let found = settings(&loaded);
    assert_eq!(place(&loaded, found[0].span), "main.camkes:3:5..27");
    assert_eq!(place(&loaded, found[0].target.span), "main.camkes:3:5..13");
    assert_eq!(place(&loaded, found[0].target.names[1].span), "main.camkes:3:7..13");
    assert_eq!(loaded.sources.text(value(found[0]).span), "1 + (2 * 3)");
    assert_eq!(loaded.sources.text(value(found[1]).span), "d.e[\"k\"]");
    let Item::Configuration(whole) = &loaded.tree.items[0] else { panic!() };
    assert_eq!(loaded.sources.text(whole.span), &text[6..]);
}

#[test]
fn text_of_a_macro_is_where_the_macro_is_used_and_arguments_are_where_they_are_written() {
    let text = "#define INNER(x) x.limit = 4;\n#define BOTH(x, y) INNER(x) x.value = \
                y;\nconfiguration {\n    BOTH(pump, 1 + 2)\n}";
    let loaded = read_with(Memory::default().with("main.camkes", text), &Options::default());
    assert!(loaded.diagnostics.is_empty());
    let found = settings(&loaded);
    assert_eq!(place(&loaded, found[0].target.names[0].span), "main.camkes:4:10..14");
    assert_eq!(place(&loaded, found[0].target.names[1].span), "main.camkes:4:5..22");
    assert_eq!(place(&loaded, value(found[0]).span), "main.camkes:4:5..22");
    assert_eq!(place(&loaded, value(found[1]).span), "main.camkes:4:16..21");
    assert_eq!(place(&loaded, found[1].span), "main.camkes:4:5..22");
}

#[test]
fn included_text_is_in_its_own_file() {
    let files = Memory::default()
        .with("main.camkes", "configuration {\n#include \"timing.inc\"\n    a.z = 1;\n}")
        .with("timing.inc", "    a.x = 1;\n    a.y = 2;\n");
    let loaded = read_with(files, &Options::default());
    let places: Vec<String> = settings(&loaded).iter().map(|it| place(&loaded, it.span)).collect();
    assert_eq!(places, ["timing.inc:1:5..12", "timing.inc:2:5..12", "main.camkes:3:5..12"]);
}

#[test]
fn an_error_in_the_text_of_a_macro_shows_its_definition() {
    let text = "#define PORT(name) dataport Buf name\ncomponent A {\n    PORT(a) PORT(b);\n}";
    let loaded = read_with(Memory::default().with("main.camkes", text), &Options::default());
    let error = &loaded.diagnostics[0];
    assert_eq!(error.message, "expected `;`, found keyword `dataport`");
    assert_eq!(place(&loaded, error.labels[0].span), "main.camkes:3:13..20");
    assert_eq!(place(&loaded, error.labels[1].span), "main.camkes:1:9..13");
    assert_eq!(error.labels[1].text, "the text comes from macro `PORT`");
}
