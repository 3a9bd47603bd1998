//! Gates, notifications, dataports.

use super::{complaints, component, gate, system};
use fusee_adl::Options;
use fusee_adl::resolve::resolve;
use fusee_adl::syntax::load_bytes;
use fusee_diagnostics::Severity;
use fusee_model::{InterfaceKind, Protocol, Step};

#[test]
fn several_users_share_a_gate() {
    let system = system(
        "import <std_connector.camkes>;
         procedure P { void run(); int stop(); }
         component A { control; uses P p; }
         component B { provides P p; }
         assembly { composition {
             component A a1; component A a2; component A a3; component B b;
             connection seL4RPCCall c(from a1.p, from a2.p, to b.p);
             connection seL4RPCCall d(from a3.p, to b.p);
         } }",
    );
    let gate = gate(&system, "b.p");
    assert_eq!((gate.protocol.value, gate.direct), (Protocol::Inherited, false));
    assert_eq!(gate.methods.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["run", "stop"]);
    assert_eq!(component(&system, "b").interfaces[0].connections.len(), 2);
    for name in ["a1", "a2", "a3"] {
        assert_eq!(
            component(&system, name).interfaces[0].kind,
            InterfaceKind::Uses(Some(fusee_model::GateId(0)))
        );
    }
}

#[test]
fn each_consumer_has_its_notification() {
    let system = system(
        "import <std_connector.camkes>;
         component Source { control; emits Tick tick; }
         component Sink { control; consumes Tick tick; }
         assembly {
             composition {
                 component Source source; component Sink one; component Sink two;
                 connection seL4Notification c(from source.tick, to one.tick, to two.tick);
             }
             configuration { source.calls = [\"emit tick\"]; }
         }",
    );
    let names: Vec<&str> = system.notifications.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["c:one.tick", "c:two.tick"]);
    let signals: Vec<u32> = system.tasks[0]
        .body
        .steps
        .iter()
        .map(|s| if let Step::Emit(n) = s { n.0 } else { u32::MAX })
        .collect();
    assert_eq!(signals, [0, 1]);
}

#[test]
fn several_emitters_signal_one_notification() {
    let system = system(
        "import <std_connector.camkes>;
         component Source { control; emits Tick tick; }
         component Sink { control; consumes Tick tick; consumes Tick queue; }
         component Timer { hardware; emits Tick irq; }
         component Driver { control; consumes Tick irq; }
         assembly { composition {
             component Source s1; component Source s2; component Source s3; component Sink sink;
             component Timer timer; component Driver driver;
             connection seL4NotificationBind c(from s1.tick, from s2.tick, to sink.tick);
             connection seL4NotificationQueue q(from s3.tick, to sink.queue);
             connection seL4HardwareInterrupt i(from timer.irq, to driver.irq);
         } }",
    );
    let all: Vec<(&str, bool)> =
        system.notifications.iter().map(|n| (n.name.as_str(), n.counting)).collect();
    assert_eq!(all, [("c", false), ("q", true), ("i", false)]);
    assert_eq!(
        component(&system, "s1").interfaces[0].kind,
        component(&system, "s2").interfaces[0].kind
    );
    assert!(component(&system, "timer").hardware);
}

#[test]
fn dataports_that_are_connected_are_one() {
    let system = system(
        "import <std_connector.camkes>;
         component A { control; dataport Buf(8192) data; maybe dataport Buf other; }
         component Device { hardware; dataport Registers memory; }
         component Driver { control; dataport Registers memory; }
         assembly {
             composition {
                 component A a; component A b; component A c;
                 component Device device; component Driver driver;
                 connection seL4SharedData one(from a.data, to b.data);
                 connection seL4SharedData two(from b.data, to c.data);
                 connection seL4SharedData three(from a.other, to c.other);
                 connection seL4HardwareMMIO regs(from driver.memory, to device.memory);
             }
             configuration { device.memory_paddr = 0xE0000000; device.memory_size = 0x1000; }
         }",
    );
    let all: Vec<(&str, Option<u64>)> =
        system.dataports.iter().map(|d| (d.name.as_str(), d.size)).collect();
    assert_eq!(all, [("one", Some(8192)), ("three", Some(4096)), ("regs", Some(4096))]);
    let of = |name: &str| component(&system, name).interfaces[0].kind;
    assert_eq!(of("a"), of("c"));
}

#[test]
fn direct_calls_and_devices_pass_no_kernel() {
    let system = system(
        "import <std_connector.camkes>;
         procedure P { void run(); }
         component A { control; uses P p; uses P port; }
         component B { provides P p; }
         component Device { hardware; provides P port; }
         assembly { composition {
             group g { component A a; component B b; }
             component Device device;
             connection seL4DirectCall c(from g.a.p, to g.b.p);
             connection seL4HardwareIOPort d(from a.port, to device.port);
         } }",
    );
    let gate = gate(&system, "b.p");
    assert_eq!((gate.direct, gate.protocol.value), (true, Protocol::Propagated));
    assert_eq!(component(&system, "a").interfaces[1].kind, InterfaceKind::Uses(None));
    assert_eq!(component(&system, "a").interfaces[1].connections.len(), 1);
    assert_eq!(system.tasks[0].body.steps.len(), 1, "the device's port is not invoked");
}

#[test]
fn types_may_differ_where_the_connector_says_so() {
    let text = |connector: &str| {
        format!(
            "import <std_connector.camkes>;
             procedure P {{ void run(); }}
             procedure Q {{ void run(); }}
             component A {{ control; uses P p; }}
             component B {{ provides Q q; }}
             assembly {{ composition {{
                 component A a; component B b;
                 connection {connector} c(from a.p, to b.q);
             }} }}"
        )
    };
    assert_eq!(complaints(&text("seL4RPCCallNoType")), [""; 0]);
    assert_eq!(complaints(&text("seL4RPCCall")), ["F0213"]);
}

#[test]
fn a_connector_may_stand_in_place() {
    let system = system(
        "import <std_connector.camkes>;
         procedure P { void run(); }
         component A { control; uses P p; }
         component B { provides P p; }
         assembly { composition {
             component A a; component B b;
             connection connector {
                 from Procedures with 0 threads; to Procedure;
                 attribute string behaves_as = \"seL4RPCCall\";
             } c(from a.p, to b.p);
         } }"
        .replace("connection connector {", "connection {")
        .as_str(),
    );
    assert_eq!(
        component(&system, "a").interfaces[0].kind,
        InterfaceKind::Uses(Some(fusee_model::GateId(0)))
    );
}

/// One connection of a connector of one's own, with what stands in its body besides its ends.
fn own(more: &str) -> String {
    format!(
        "import <std_connector.camkes>;
         import <global-connectors.camkes>;
         procedure P {{ void run(); }}
         connector Mine {{ from Procedure; to Procedure; {more} }}
         component A {{ control; uses P p; }}
         component B {{ provides P p; }}
         assembly {{ composition {{
             component A a; component B b;
             connection Mine c(from a.p, to b.p);
         }} }}"
    )
}

#[test]
fn a_connector_of_ones_own_says_which_one_it_is_like() {
    assert_eq!(complaints(&own("")), ["F0232"]);
    assert_eq!(complaints(&own("attribute string behaves_as = \"seL4Notification\";")), ["F0232"]);
    assert_eq!(complaints(&own("attribute string behaves_as = \"Mine\";")), ["F0232"]);
    assert_eq!(complaints(&own("attribute string behaves_as = \"seL4RPCCall\";")), [""; 0]);
    assert_eq!(
        complaints(&own("attribute string behaves_as = \"seL4DirectCall\";")),
        ["F0227"],
        "no group"
    );
    let buffered = system(&own("attribute string behaves_as = \"seL4RPCDataport\";"));
    let names: Vec<&str> =
        component(&buffered, "a").interfaces.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(
        names,
        ["p", "p_message"],
        "arguments go through memory, as with the connector that it is like"
    );
}

#[test]
fn a_connector_of_standard_templates_is_like_theirs() {
    let said = |files: [&str; 2]| {
        let files = files.map(str::to_owned).to_vec();
        let templates = fusee_adl::Templates { files, place: "CMakeLists.txt:3".into() };
        let options =
            Options { templates: [("Mine".to_owned(), templates)].into(), ..Options::default() };
        let loaded = load_bytes(own("").as_bytes());
        let diagnostics = resolve(&loaded.tree, "test", &options).diagnostics;
        diagnostics.into_iter().filter(|said| said.severity == Severity::Error).collect::<Vec<_>>()
    };
    assert_eq!(said(["seL4RPCCall-from.template.c", "seL4RPCCall-to.template.c"]), []);
    for files in [
        ["templates/seL4RPCCall-from.template.c", "templates/seL4RPCCall-to.template.c"],
        ["seL4RPCCall-from.template.c", "seL4Notification-to.template.c"],
        ["seL4RPCCall-from.template.c", "mine.c"],
    ] {
        let said = said(files);
        assert_eq!(said.len(), 1, "{files:?}");
        let note = &said[0].notes[0];
        assert!(note.contains("CMakeLists.txt:3") && note.contains(files[1]), "{note}");
    }
}
