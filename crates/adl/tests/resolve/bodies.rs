//! The bodies of jobs and invocations.

use super::{complaints, gate, system, task};
use fusee_model::{Body, Calls, Step, System};

fn chain(settings: &str) -> String {
    format!(
        "import <std_connector.camkes>;
         procedure Store {{ void put(in int value); int get(); }}
         component A {{
            control; uses Store store; uses Store log; emits Tick out_tick; consumes Tick in_tick;
         }}
         component B {{ provides Store store; }}
         assembly {{
             composition {{
                 component A a; component B b; component B c;
                 connection seL4RPCCall one(from a.store, to b.store);
                 connection seL4RPCCall two(from a.log, to c.store);
                 connection seL4Notification tick(from a.out_tick, to a.in_tick);
             }}
             configuration {{ a.period = \"10 ms\"; {settings} }}
         }}"
    )
}

/// `10-20` computes, `g0.1` invokes the gate's method, `g0` any, `!0` emits, `?0` waits.
fn shown(body: &Body) -> String {
    let step = |step: &Step| match step {
        Step::Compute { best, worst } => format!("{}-{}", best.0, worst.0),
        Step::Invoke { gate, method: Some(method), .. } => format!("g{}.{method}", gate.0),
        Step::Invoke { gate, method: None, .. } => format!("g{}", gate.0),
        Step::Emit(notification) => format!("!{}", notification.0),
        Step::Wait(notification) => format!("?{}", notification.0),
    };
    body.steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

fn of_a(system: &System) -> String {
    shown(&task(system, "a").body)
}

#[test]
fn calls_with_times_are_placed() {
    let system = system(&chain(
        "a.calls = [\"10 us\", \"store.get\", \"store\", \"emit out_tick\", \"wait in_tick\", \"20 \
         us\"]; a.bcet = \"15 us\";",
    ));
    assert_eq!(of_a(&system), "5000-10000 g0.1 g0 !0 ?0 10000-20000");
    assert!(matches!(task(&system, "a").body.calls, Calls::Given(_)));
}

#[test]
fn calls_without_times_share_the_wcet() {
    let system = system(&chain(
        "a.calls = [\"store.put\", \"log.put\"]; a.wcet = \"10 ns\"; a.bcet = \"3 ns\";",
    ));
    assert_eq!(of_a(&system), "1-4 g0.0 1-3 g1.0 1-3");
}

#[test]
fn all_used_interfaces_are_assumed_to_be_called_once() {
    let system = system(&chain("a.wcet = \"3 us\";"));
    assert_eq!(of_a(&system), "1000-1000 g0 1000-1000 g1 1000-1000");
    assert_eq!(task(&system, "a").body.calls, Calls::Assumed);
}

#[test]
fn an_empty_list_says_that_there_are_none() {
    let system = system(&chain("a.calls = []; a.wcet = \"3 us\";"));
    assert_eq!(of_a(&system), "3000-3000");
}

#[test]
fn without_a_wcet_there_is_no_time() {
    let system = system(&chain("a.calls = [\"store\"];"));
    assert_eq!(of_a(&system), "g0");
    assert_eq!(task(&system, "a").body.wcet_origin, None);
}

#[test]
fn methods_have_times_of_their_own() {
    let system = system(&chain(
        "a.wcet = \"1 us\"; b.store_wcet = \"5 us\"; b.store_get_wcet = \"7 us\"; b.store_get_bcet \
         = \"6 us\";",
    ));
    let bodies: Vec<String> =
        gate(&system, "b.store").methods.iter().map(|m| shown(&m.body)).collect();
    assert_eq!(bodies, ["5000-5000", "6000-7000"]);
    assert_eq!(gate(&system, "c.store").methods[0].body.wcet_origin, None);
}

#[test]
fn origins_lead_back_to_the_text() {
    let text = chain("a.calls = [\"store.put\"]; a.wcet = \"5 us\";");
    let loaded = fusee_adl::syntax::load_bytes(text.as_bytes());
    let resolution =
        fusee_adl::resolve::resolve(&loaded.tree, "test", &fusee_adl::Options::default());
    let system = resolution.system.expect("a system");
    let at = |origin| resolution.origins.span(origin).map(|span| loaded.sources.text(span));
    let a = task(&system, "a");
    assert_eq!(at(a.origin), Some("a"));
    assert_eq!(a.body.wcet_origin.and_then(at), Some("\"5 us\""));
    let invoked = a
        .body
        .steps
        .iter()
        .find_map(|s| if let Step::Invoke { origin, .. } = s { Some(*origin) } else { None });
    assert_eq!(invoked.and_then(at), Some("\"store.put\""));
}

#[test]
fn a_mutex_has_a_protocol_where_a_list_says_that_it_is_locked() {
    let text = |calls: &str| {
        format!(
            "component C {{ control; has mutex m; }}
            assembly {{
                composition {{ component C c; }}
                configuration {{
                    c.period = \"1 ms\"; c.calls = [{calls}]; c.m_priority_protocol = \"msrp\";
                }}
            }}"
        )
    };
    let locked = system(&text("\"lock m\", \"1 us\", \"unlock m\""));
    assert_eq!(locked.gates[0].protocol.value, fusee_model::Protocol::Msrp);
    assert_eq!(complaints(&text("\"1 us\"")), ["F0315"]);
}
