//! The examples build, for both widths, and contain what they should.

use crate::common::{built, example, symbols};

#[test]
fn hello_builds() {
    for platform in fusee_platform::Platform::ALL {
        let built = built(&example("hello/hello.camkes"), platform, "hello")
            .unwrap_or_else(|e| panic!("{e:#?}"));
        assert!(built.domains.len() >= 2);
        let (host, visitor) = (symbols(&built.domains[0].path), symbols(&built.domains[1].path));
        assert!(
            host.contains(&"__fusee_gate_host_greeting".into())
                && host.contains(&"__fusee_init_host".into())
        );
        assert!(visitor.contains(&"__fusee_job_visitor".into()), "{visitor:?}");
        assert!(
            !host.contains(&"greeting_greet".into()),
            "a component shows nothing but its entries"
        );
    }
}

/// Builds an example for the wider machine and returns the symbols of one of its domains.
fn of_domain(name: &str, domain: &str) -> Vec<String> {
    let description = example(&format!("{name}/{name}.camkes"));
    let built = built(&description, fusee_platform::Platform::QemuRv64, name)
        .unwrap_or_else(|e| panic!("{e:#?}"));
    let program = built.domains.iter().find(|program| program.name == domain);
    symbols(&program.unwrap_or_else(|| panic!("no domain {domain}")).path)
}

#[test]
fn a_registered_callback_gets_a_thread() {
    let alarm = of_domain("events", "alarm");
    assert!(alarm.contains(&"__fusee_event_alarm_exceeded".into()));
    assert!(
        !alarm.contains(&"__fusee_event_alarm_measured".into()),
        "nobody registers a callback for it"
    );
}

#[test]
fn an_interrupt_handler_gets_a_thread() {
    assert!(of_domain("timer", "serial").contains(&"__fusee_event_serial_received".into()));
}

#[test]
fn shared_memory_has_the_same_size_on_both_sides() {
    assert!(of_domain("dataports", "camera").contains(&"__fusee_window_camera_frames".into()));
    assert!(of_domain("dataports", "screen").contains(&"__fusee_window_screen_frames".into()));
}

#[test]
fn a_group_is_one_program_with_direct_calls() {
    let controller = of_domain("groups", "controller");
    assert!(controller.contains(&"__fusee_direct_filter_filtering_filter".into()));
    assert!(
        !controller.contains(&"__fusee_gate_filter_filtering".into()),
        "no gate is needed inside"
    );
}

#[test]
fn a_restarted_component_is_built() {
    assert!(of_domain("restart", "parser").contains(&"__fusee_gate_parser_messages".into()));
}

#[test]
fn pathfinder_is_built_of_c_and_rust() {
    let built = built(
        &example("pathfinder/inherited.camkes"),
        fusee_platform::Platform::QemuRv64,
        "pathfinder",
    );
    let built = built.unwrap_or_else(|e| panic!("{e:#?}"));
    let program = built
        .domains
        .iter()
        .find(|domain| domain.name == "information")
        .expect("a domain of its own");
    assert!(symbols(&program.path).contains(&"__fusee_gate_information_bus".into()));
}
