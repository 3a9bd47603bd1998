//! Descriptions that were written without Fusee in mind.

use super::{complaints, gate, resolution, system};
use fusee_model::Protocol;

#[test]
fn a_plain_description_has_no_complaints() {
    let text = "import <std_connector.camkes>;
        procedure Hello { include <stddef.h>;
        void say(in string text, inout int n, refin size_t x, in int list[]); }
        component Client { control; uses Hello h; has mutex m; has semaphore s;
        attribute int delay = 5; }
        component Server { provides Hello h; has binary_semaphore b; dataport Buf(0x2000) big; }
        component Other { control; dataport Buf(8192) big; }
        assembly {
            composition {
                component Client client; component Server server; component Other other;
                connection seL4RPCCall c(from client.h, to server.h);
                connection seL4SharedData d(from other.big, to server.big);
            }
            configuration {
                client._priority = 100; client.priority = 50; server.h_priority = 120;
                client._stack_size = 8192;
                server.heap_size = 65536; client.s_value = 3; server.b_value = 1;
                server.big_access = \"RW\";
                c.buffer = \"d\"; client.untyped12_pool = 4; server.simple_untyped24_pool = 1;
                client.dma_pool = 4096;
                server.h_affinity = 0; client._max_priority = 254; client.cnode_size_bits = 20;
                server.h_period = 10000;
                client._domain = 0; server.h_domain = 0; server.asid_pool = true;
                other.nobody_knows = 1; other.iospace = 3;
            }
            schedule { [(0, 3), (0, 5 us)] }
        }";
    assert_eq!(complaints(text), ["F0348"], "a priority of an interface");
    let resolution = resolution(text);
    let said = resolution.diagnostics.iter().map(|d| (d.code.0, d.message.as_str()));
    let word = |(code, message): (&'static str, &str)| {
        (code, message.split('`').nth(1).unwrap_or("").to_owned())
    };
    let said: Vec<(&str, String)> = said.map(word).collect();
    let said: Vec<(&str, &str)> = said.iter().map(|(code, of)| (*code, of.as_str())).collect();
    assert_eq!(
        said,
        [
            ("F0315", "client"),
            ("F0347", ""),
            ("F0348", "server.h_priority"),
            ("F0314", "iospace"),
            ("F0314", "nobody_knows"),
            ("F0347", "client._max_priority"),
            ("F0347", "client.cnode_size_bits"),
            ("F0347", "client.untyped12_pool"),
            ("F0347", "server.asid_pool"),
            ("F0347", "server.h_period"),
            ("F0347", "server.simple_untyped24_pool"),
            ("F0347", "c.buffer"),
        ]
    );
    let tasks = system(text).tasks;
    assert_eq!(
        (tasks.len(), tasks[0].priority.value),
        (2, 100),
        "`_priority` is the control thread's"
    );
}

#[test]
fn the_library_for_prioritised_requests_is_understood() {
    let system = system(
        "#define THREADS 2
         #define ORIGINATES(task) task.requestor = __COUNTER__;
         #define CPI(component, iface, protocol, n, ceiling) \\
             component.iface##_priority_protocol = protocol; component.iface##_num_threads = n; \\
             component.iface##_priority = ceiling;
         #define CONNECT_(n, name, from_, to_) \\
         connection seL4RPCCallPrioritized##n name(from from_, to to_);
         #define CONNECT(n, name, from_, to_) CONNECT_(n, name, from_, to_)
         procedure Shared { int work(in int amount, in int priority, in int requestor);
         void nest(in int priority, in int requestor); };
         component Task { control; uses Shared shared; attribute int requestor;
         attribute int _priority; }
         component Resource { provides Shared iface; attribute int iface_priority;
         attribute string iface_priority_protocol; attribute int iface_num_threads; }
         assembly {
             composition {
                 component Task t1; component Task t2; component Resource r; component Resource s;
                 connection seL4RPCCallPrioritized2 c(from t1.shared, from t2.shared, to r.iface);
             }
             configuration {
                 ORIGINATES(t1) ORIGINATES(t2)
                 t1._priority = 100; t2._priority = 90;
                 CPI(r, iface, \"inherited\", THREADS, 100)
                 s.iface_priority_protocol = \"fixed\"; s.iface_priority = 255;
                 s.iface_num_threads = 1;
             }
         }",
    );
    let r = gate(&system, "r.iface");
    assert_eq!(
        (r.protocol.value, r.given_threads.map(|t| t.value)),
        (Protocol::Inherited, Some(2))
    );
    assert_eq!(r.methods.len(), 2);
    let s = gate(&system, "s.iface");
    assert_eq!((s.protocol.value, s.given_ceiling.map(|c| c.value)), (Protocol::Fixed, Some(255)));
    let requestors: Vec<_> =
        system.components[..2].iter().map(|c| super::attribute(c, "requestor").cloned()).collect();
    assert_ne!(requestors[0], requestors[1]);
    assert_eq!(system.tasks.iter().map(|t| t.priority.value).collect::<Vec<_>>(), [100, 90]);
}

#[test]
fn the_connectors_name_gives_the_pool_where_nothing_else_does() {
    let system = system(
        "procedure P { void run(); }
         component T { control; uses P p; }
         component R { provides P p; }
         assembly { composition { component T t; component R r;
             connection seL4RPCCallPrioritized7 c(from t.p, to r.p); } }",
    );
    assert_eq!(gate(&system, "r.p").given_threads.map(|t| t.value), Some(7));
}
