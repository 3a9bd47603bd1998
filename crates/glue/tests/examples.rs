//! The examples build, for both widths, and contain what they should.

mod common;

use common::{built, example, symbols};

#[test]
fn hello_builds() {
    for platform in fusee_glue::Platform::ALL {
        let built = built(&example("hello/hello.camkes"), platform, "hello").unwrap_or_else(|e| panic!("{e:#?}"));
        assert!(built.domains.len() >= 2);
        let (host, visitor) = (symbols(&built.domains[0].path), symbols(&built.domains[1].path));
        assert!(host.contains(&"__fusee_gate_host_greeting".into()) && host.contains(&"__fusee_init_host".into()));
        assert!(visitor.contains(&"__fusee_job_visitor".into()), "{visitor:?}");
        assert!(!host.contains(&"greeting_greet".into()), "a component shows nothing but its entries");
    }
}

#[test]
fn pathfinder_is_built_of_c_and_rust() {
    let built = built(&example("pathfinder/inherited.camkes"), fusee_glue::Platform::QemuRv64, "pathfinder");
    let built = built.unwrap_or_else(|e| panic!("{e:#?}"));
    let program = built.domains.iter().find(|domain| domain.name == "information").expect("a domain of its own");
    assert!(symbols(&program.path).contains(&"__fusee_gate_information_bus".into()));
}
