//! Compound components, exports, groups, assemblies.

use super::{attribute, component, system};
use fusee_model::{InterfaceKind, Value};

const OUTER: &str = "
    import <std_connector.camkes>;
    procedure P { void run(); }
    component Inner { provides P p_inner; uses P next; attribute string text; }
    component Leaf { provides P p; }
    component Middle {
        provides P p_middle;
        attribute string passed = \"default\";
        composition {
            component Inner inner;
            component Leaf leaf;
            connection seL4RPCCall down(from inner.next, to leaf.p);
            export inner.p_inner -> p_middle;
        }
        configuration { inner.text <- passed; }
    }
    component Outer {
        provides P p_outer;
        composition {
            component Middle middle;
            export middle.p_middle -> p_outer;
        }
        configuration { middle.passed = \"from outer\"; }
    }
    component User { control; uses P p; }
";

#[test]
fn hierarchy_is_taken_apart_and_exports_followed() {
    let system = system(&format!(
        "{OUTER} assembly {{ composition {{
            component Outer o;
            component User user;
            connection seL4RPCCall c(from user.p, to o.p_outer);
        }} }}"
    ));
    let names: Vec<&str> =
        system.components.iter().map(|component| component.name.as_str()).collect();
    assert_eq!(names, ["o.middle.inner", "o.middle.leaf", "user"]);
    let gates: Vec<&str> = system.gates.iter().map(|gate| gate.name.as_str()).collect();
    assert_eq!(gates, ["o.middle.inner.p_inner", "o.middle.leaf.p"]);
    let connections: Vec<&str> =
        system.connections.iter().map(|connection| connection.name.as_str()).collect();
    assert_eq!(connections, ["o.middle.down", "c"]);
    let InterfaceKind::Uses(Some(gate)) = component(&system, "user").interfaces[0].kind else {
        panic!("no gate")
    };
    assert_eq!(system.gate(gate).name, "o.middle.inner.p_inner");
    let text = attribute(component(&system, "o.middle.inner"), "text");
    assert_eq!(text, Some(&Value::Text("from outer".into())));
}

#[test]
fn settings_further_out_win() {
    let system = system(&format!(
        "{OUTER} assembly {{
            composition {{
                component Outer o; component User user;
                connection seL4RPCCall c(from user.p, to o.p_outer);
            }}
            configuration {{ o.middle.inner.text = \"from the top\"; }}
        }}"
    ));
    let text = attribute(component(&system, "o.middle.inner"), "text");
    assert_eq!(text, Some(&Value::Text("from the top".into())));
}

#[test]
fn a_default_is_copied_where_nothing_is_set() {
    let system = system(&format!("{OUTER} assembly {{ composition {{ component Middle m; }} }}"));
    assert_eq!(
        attribute(component(&system, "m.inner"), "text"),
        Some(&Value::Text("default".into()))
    );
}

#[test]
fn a_compound_component_with_a_thread_stays() {
    let system = system(
        "import <std_connector.camkes>;
         procedure P { void run(); }
         component Leaf { provides P p; }
         component Machine {
             control;
             uses P p;
             composition {
                 component Leaf leaf;
                 connection seL4RPCCall c(from p, to leaf.p);
             }
         }
         assembly { composition { component Machine machine; } }",
    );
    let names: Vec<&str> =
        system.components.iter().map(|component| component.name.as_str()).collect();
    assert_eq!(names, ["machine", "machine.leaf"]);
    assert!(matches!(
        component(&system, "machine").interfaces[0].kind,
        InterfaceKind::Uses(Some(_))
    ));
}

#[test]
fn groups_are_protection_domains() {
    let system = system(
        "import <std_connector.camkes>;
         procedure P { void run(); }
         component A { control; uses P p; }
         component B { provides P p; }
         assembly {
             composition {
                 group both { component A a; component B b; }
                 component A alone;
                 connection seL4DirectCall c(from both.a.p, to both.b.p);
                 connection seL4RPCCall d(from alone.p, to b.p);
             }
             configuration {
                 both.a.priority = 7;
                 b.heap_size = 4096 * 4;
             }
         }",
    );
    let domains: Vec<(&str, usize)> =
        system.domains.iter().map(|d| (d.name.as_str(), d.components.len())).collect();
    assert_eq!(domains, [("both", 2), ("alone", 1)]);
    assert_eq!(attribute(component(&system, "a"), "priority"), Some(&Value::Integer(7)));
    assert_eq!(attribute(component(&system, "b"), "heap_size"), Some(&Value::Integer(16384)));
    assert!(!system.gates[0].direct, "one of its two connections is no direct call");
}

#[test]
fn assemblies_are_joined_and_types_may_stand_in_place() {
    let system = system(
        "import <std_connector.camkes>;
         component A { control; emits Tick tick; }
         composition parts { component A a; }
         configuration values { a.priority = 3; }
         assembly one { composition parts; configuration values; }
         assembly {
             composition {
                 component { control; consumes Tick tick; } b;
                 connection seL4Notification c(from a.tick, to b.tick);
             }
             configuration { one.time_slice = \"2 ms\"; }
         }",
    );
    assert_eq!(system.components.len(), 2);
    assert_eq!(component(&system, "b").kind, "");
    assert_eq!(system.tasks[0].priority.value, 3);
    assert_eq!(system.settings.time_slice.map(|slice| slice.value.0), Some(2_000_000));
}
