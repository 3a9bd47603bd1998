//! Values of attributes.

use super::{attribute, complaints, component, resolution, system};
use fusee_model::Value;

fn value(expression: &str) -> Value {
    let system = system(&format!(
        "component A {{ control; attribute int64_t x; }}
         assembly {{ composition {{ component A a; }} configuration {{ a.x = {expression}; }} }}"
    ));
    attribute(component(&system, "a"), "x").expect("a value").clone()
}

#[test]
fn expressions_follow_the_grammar() {
    for (expression, number) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("2 ** 3 * 2", 16),
        ("1 << 4 | 1", 17),
        ("0xFF & ~0x0F", 0xF0),
        ("7 / 2 - -1", 4),
        ("10 % 4 ^ 1", 3),
        ("1 < 2 ? 10 : 20", 10),
        ("1 == 2 || 0 ? 10 : 0 ? 1 : 30", 30),
        ("18446744073709551615", 18_446_744_073_709_551_615),
    ] {
        assert_eq!(value(expression), Value::Integer(number), "{expression}");
    }
    assert_eq!(value("1 != 2 && !0"), Value::Boolean(true));
}

#[test]
fn structs_arrays_and_lookups() {
    let system = system(
        "struct Range { int low; int high = 9; }
         component A { control; attribute Range ranges[];
         attribute string words[] = [\"a\", \"b\" \"c\"]; attribute double d = 1.5; }
         component B { control; attribute int low; attribute string word; }
         assembly {
             composition { component A a; component B b; }
             configuration {
                 a.ranges = [{\"low\": 1, \"high\": 2}, {\"low\": 3}];
                 b.low <- a.ranges[1][\"low\"];
                 b.word <- a.words[1];
             }
         }",
    );
    let b = component(&system, "b");
    assert_eq!(attribute(b, "low"), Some(&Value::Integer(3)));
    assert_eq!(attribute(b, "word"), Some(&Value::Text("bc".into())));
    assert_eq!(attribute(component(&system, "a"), "d"), Some(&Value::Real(1.5)));
    let names: Vec<&str> =
        component(&system, "a").attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["d", "ranges", "words"]);
}

#[test]
fn a_copy_of_nothing_falls_back_on_its_default() {
    let system = system(
        "component A { control; attribute int x; attribute int y = 5; }
         assembly {
             composition { component A a; component A b; }
             configuration { a.y <- b.x; a.x <- b.x; }
         }",
    );
    let a = component(&system, "a");
    assert_eq!((attribute(a, "x"), attribute(a, "y")), (None, Some(&Value::Integer(5))));
}

#[test]
fn long_chains_of_copies_are_followed() {
    let mut settings = String::new();
    for n in 0..5000 {
        settings += &format!("a{n}.x <- a{}.x; ", n + 1);
    }
    let instances: String = (0..=5000).map(|n| format!("component A a{n}; ")).collect();
    let text = |last: &str| {
        format!(
            "component A {{ attribute int x; }} assembly {{ composition {{ {instances} }} \
             configuration {{ {settings} {last} }} }}"
        )
    };
    let system = system(&text("a5000.x = 42;"));
    assert_eq!(attribute(component(&system, "a0"), "x"), Some(&Value::Integer(42)));
    assert_eq!(complaints(&text("a5000.x <- a0.x;")), ["F0220"]);
}

#[test]
fn a_query_leaves_the_attribute_without_a_value() {
    let text = "component A { control; consumes Irq timer; attribute int x; }
         assembly {
             composition { component A a; }
             configuration { a.timer.dtb = dtb({\"path\": \"/soc\"}); a.x = 1; }
         }";
    let resolution = resolution(&text.replace("a.timer.dtb", "a.dtb_node"));
    let codes: Vec<&str> = resolution.diagnostics.iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["F0216", "F0314"]);
    let system = resolution.system.expect("a system");
    let names: Vec<&str> =
        system.components[0].attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["x"]);
}

#[test]
fn one_cause_one_message() {
    let text = "component A { control; attribute int x = 1 / 0 + 5 * (1 / 0); attribute int y; }
         assembly { composition { component A a; component A b; } configuration { a.y <- b.x; } }";
    assert_eq!(complaints(text), ["F0222", "F0222"], "one for each division, none for the copies");
}

#[test]
fn what_a_component_declares_is_its_own() {
    let text = |declared: &str| {
        format!(
            "component A {{ consumes Tick batch; attribute int {declared}; }}
             assembly {{ composition {{ component A a; }} }}"
        )
    };
    let codes = |declared: &str| -> Vec<&str> {
        resolution(&text(declared)).diagnostics.iter().map(|said| said.code.0).collect()
    };
    assert_eq!(codes("batch_size = 5"), [""; 0], "no size of the event");
    assert_eq!(codes("debug = 1"), [""; 0]);
    assert_eq!(codes("_priority = 5"), ["F0347"], "CAmkES reads it, and there is no such thread");
}
