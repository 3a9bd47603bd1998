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
