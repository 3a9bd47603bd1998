//! The operations by example, on memory made of vectors.

mod common;

use common::Store;
use fusee_kernel::*;

const SPORADIC: Release = Release::Sporadic { separation: 0 };

fn thread(priority: u8) -> ThreadConfig {
    ThreadConfig { component: ComponentIndex(0), priority, core: 0, release: SPORADIC, deadline: NEVER, budget: None }
}

fn gate(protocol: Protocol) -> GateConfig {
    GateConfig { component: ComponentIndex(1), protocol, stacks: if protocol.is_exclusive() { 1 } else { 3 } }
}

const COMPONENTS: [ComponentConfig<'_>; 2] = [ComponentConfig { on_fault: OnFault::Continue, capabilities: &[] }; 2];

fn tables<'t>(threads: &'t [ThreadConfig], gates: &'t [GateConfig]) -> Tables<'t> {
    Tables {
        threads,
        gates,
        notifications: &[],
        components: &COMPONENTS,
        interrupts: &[],
        depth: 3,
        backlog: 2,
        time_slice: NEVER,
        cores: 1,
        levels: 256,
    }
}

#[test]
fn a_waiter_boosts_the_holder_through_two_gates_and_gets_the_gate_at_once() {
    let (threads, gates) = ([thread(1), thread(2), thread(3)], [gate(Protocol::Inherited); 2]);
    let mut store = Store::new(&tables(&threads, &gates));
    let mut kernel = Kernel::start(tables(&threads, &gates), store.memory(), ()).unwrap();
    let [low, middle, high] = [ThreadIndex(0), ThreadIndex(1), ThreadIndex(2)];
    let [outer, inner] = [GateIndex(0), GateIndex(1)];

    assert_eq!(kernel.release(0, low, 0).unwrap().delivery, Delivery::Start);
    assert_eq!(kernel.invoke(1, inner).unwrap().delivery, Delivery::Enter(inner));
    assert_eq!(kernel.release(2, middle, 2).unwrap().thread, middle);
    kernel.invoke(3, outer).unwrap();
    assert_eq!(kernel.invoke(4, inner).unwrap().thread, low);
    assert_eq!(kernel.thread(low).effective, 2);
    kernel.release(5, high, 5).unwrap();
    assert_eq!(kernel.invoke(6, outer).unwrap().thread, low, "high waits for middle, which waits for low");
    assert_eq!(kernel.thread(low).effective, 3);
    assert_eq!(kernel.thread(middle).effective, 3);

    let outcome = kernel.return_(7).unwrap();
    assert_eq!((outcome.thread, outcome.delivery), (middle, Delivery::Enter(inner)));
    assert_eq!(kernel.thread(low).effective, 1);
    assert_eq!(kernel.return_(8).unwrap().thread, middle);
    let outcome = kernel.return_(9).unwrap();
    assert_eq!((outcome.thread, outcome.delivery), (high, Delivery::Enter(outer)));
    assert_eq!(kernel.thread(middle).effective, 2);
}
