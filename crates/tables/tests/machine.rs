//! The numbers of objects in a booted system.

use fusee_adl::{resolve::resolve, syntax::load_bytes};
use fusee_generate::{Mix, case};
use fusee_image_format::virtual_map::{FIRST_SLOT, SHARED_OFFSET, SLOT_BYTES, slot};
use fusee_kernel::{Capability, GateIndex, Release, ThreadIndex};
use fusee_model::{ComponentId, System};
use fusee_tables::{
    GateRole, InterfaceSlots, LockSlots, Machine, Machines, Needs, NotificationRole, TablesError,
    ThreadRole, WindowKind,
};

const SYSTEM: &str = r#"
import <std_connector.camkes>;
procedure Store { int get(in int key); void put(in int key, in int value); };
component Device { hardware; dataport Buf registers; emits Irq irq; }
component Client { control; uses Store store; emits Tick tick; dataport Buf(8192) shared;
has mutex m; }
component Server {
    provides Store store; consumes Tick tick; consumes Irq irq; dataport Buf(8192) shared;
    dataport Buf registers; has semaphore s;
}
assembly {
    composition {
        component Client client; component Server server; component Device device;
        connection seL4RPCCall store(from client.store, to server.store);
        connection seL4Notification tick(from client.tick, to server.tick);
        connection seL4SharedData shared(from client.shared, to server.shared);
        connection seL4HardwareMMIO registers(from server.registers, to device.registers);
        connection seL4HardwareInterrupt irq(from device.irq, to server.irq);
    }
    configuration {
        client.period = "10 ms"; client.wcet = "1 ms"; server.store_wcet = "10 us";
        client.shared_access = "R"; server.s_value = 3;
        device.registers_paddr = 0x10000000; device.registers_size = 0x1000;
        device.irq_irq_number = 10;
        system.startup = "2 ms";
    }
}
"#;

fn system(text: &str) -> System {
    let loaded = load_bytes(text.as_bytes());
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    let resolution = resolve(&loaded.tree, "test", &fusee_adl::Options::default());
    resolution.system.unwrap_or_else(|| panic!("{:#?}", resolution.diagnostics))
}

fn position(system: &System, component: &str, interface: &str) -> (ComponentId, usize) {
    let index = system.components.iter().position(|c| c.name == component).expect("the component");
    let position = system.components[index]
        .interfaces
        .iter()
        .position(|i| i.name == interface)
        .expect("the interface");
    (ComponentId::from(index), position)
}

fn booted(system: &System, needs: &Needs) -> Result<Machine, TablesError> {
    Machines::of(system, needs).map(|machines| machines.first().clone())
}

fn machine(system: &System) -> Machine {
    let callbacks = vec![position(system, "server", "tick")];
    booted(system, &Needs { callbacks, ..Needs::default() }).expect("tables")
}

#[test]
fn the_models_numbers_come_first() {
    let system = system(SYSTEM);
    let machine = machine(&system);
    assert_eq!(machine.threads[0], ThreadRole::Task(0usize.into()));
    assert!(matches!(machine.threads[1], ThreadRole::Callback { .. }));
    assert_eq!(machine.threads[2], ThreadRole::Boot);
    let roles = &machine.gates;
    assert!(matches!(roles[0], GateRole::Interface(_)), "{roles:?}");
    assert!(
        matches!(roles[1..], [GateRole::Init(_), GateRole::Init(_), GateRole::Mutex { .. }]),
        "{roles:?}"
    );
    let roles = &machine.notifications;
    assert!(
        roles.iter().any(|role| matches!(role, NotificationRole::Semaphore { initial: 3, .. })),
        "{roles:?}"
    );
    assert!(
        roles.iter().any(|role| matches!(role, NotificationRole::Registration { .. })),
        "{roles:?}"
    );
    let released: Vec<Release> =
        machine.objects.threads.iter().map(|thread| thread.release).collect();
    assert_eq!(released[0], Release::Periodic { period: 10_000_000, offset: 2_000_000 });
    assert_eq!(released[2], Release::Once { offset: 0 });
}

#[test]
fn slots_hold_what_the_interfaces_need() {
    let system = system(SYSTEM);
    let machine = machine(&system);
    let capability = |component: ComponentId, slot: u16| {
        machine.objects.capabilities.of_component(component)[usize::from(slot)]
    };
    let (client, store) = position(&system, "client", "store");
    let InterfaceSlots::Uses { slot, gate } = machine.components[client.index()].interfaces[store]
    else {
        panic!()
    };
    assert_eq!(capability(client, slot), Capability::Gate(gate));
    let (_, tick) = position(&system, "client", "tick");
    let InterfaceSlots::Emits { slots } = &machine.components[client.index()].interfaces[tick]
    else {
        panic!()
    };
    assert!(matches!(capability(client, slots[0]), Capability::Signal(_, 1)));
    let [LockSlots::Mutex { slot }] = machine.components[client.index()].locks[..] else {
        panic!()
    };
    assert_eq!(capability(client, slot), Capability::Mutex(GateIndex(3)));
    let (server, irq) = position(&system, "server", "irq");
    let InterfaceSlots::Consumes { slot, acknowledge, callback, .. } =
        machine.components[server.index()].interfaces[irq]
    else {
        panic!()
    };
    assert_eq!(callback, None);
    let acknowledge = acknowledge.expect("an interrupt");
    assert_eq!(capability(server, acknowledge), Capability::Acknowledge(0));
    assert_eq!(machine.interrupts[0].line, 10);
    assert_eq!(capability(server, slot), Capability::Wait(machine.interrupts[0].notification));
    let (_, tick) = position(&system, "server", "tick");
    let InterfaceSlots::Consumes { callback: Some(callback), .. } =
        machine.components[server.index()].interfaces[tick]
    else {
        panic!()
    };
    assert_eq!(callback.thread, ThreadIndex(1));
    let boot = ComponentId::from(system.components.len());
    assert_eq!(
        machine.objects.capabilities.of_component(boot),
        [Capability::Gate(GateIndex(1)), Capability::Gate(GateIndex(2))]
    );
}

#[test]
fn the_kernel_takes_the_tables() {
    let system = system(SYSTEM);
    let machine = machine(&system);
    let components = machine.objects.components();
    assert_eq!(machine.objects.tables(&components).check(), Ok(()));
    for index in 0..300 {
        let system = case(&Mix::default(), 3, index).system;
        let machine = booted(&system, &Needs::default()).unwrap();
        let components = machine.objects.components();
        assert_eq!(machine.objects.tables(&components).check(), Ok(()), "case {index}");
    }
}

#[test]
fn windows_are_where_their_domain_is() {
    let system = system(SYSTEM);
    let machine = machine(&system);
    let client = &machine.domains[0];
    assert_eq!(client.base, FIRST_SLOT);
    let shared = &client.windows[1];
    assert!(matches!(shared.kind, WindowKind::Shared { .. }));
    assert_eq!((shared.size, shared.write), (8192, false));
    assert_eq!(client.windows[0].address, FIRST_SLOT + SHARED_OFFSET);
    let server = &machine.domains[1];
    assert_eq!(server.base, slot(1));
    let device = server.windows.last().unwrap();
    assert!(matches!(device.kind, WindowKind::Device { physical: 0x1000_0000, .. }));
    assert!(
        server
            .windows
            .iter()
            .any(|window| window.write && matches!(window.kind, WindowKind::Shared { .. }))
    );
    let boot = &machine.domains[machine.boot_domain()];
    assert_eq!((boot.name.as_str(), boot.windows.len()), ("boot", 0));
}

#[test]
fn windows_that_do_not_fit_have_slots_of_their_own_behind_all_domains() {
    let machine = machine(&system(&SYSTEM.replace("8192", "16777216")));
    let boot = slot(machine.boot_domain() as u64);
    let beyond = |domain: usize| {
        let windows = machine.domains[domain].windows.iter();
        windows.filter(|window| window.address > boot).collect::<Vec<_>>()
    };
    let (client, server) = (beyond(0), beyond(1));
    assert_eq!((client.len(), server.len()), (1, 1));
    assert_eq!((client[0].address, client[0].size), (boot + SLOT_BYTES, 16 << 20));
    // It ends in a second slot, so the other domain's begins in a third.
    assert_eq!(server[0].address, boot + 3 * SLOT_BYTES);
    // What fits stays in the domain's own slot.
    assert!(machine.domains[1].windows.iter().any(|window| window.address < boot));
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |from: &str, to: &str| {
        assert!(SYSTEM.contains(from));
        booted(&system(&SYSTEM.replace(from, to)), &Needs::default()).unwrap_err()
    };
    assert!(matches!(refused("\"R\"", "\"RX\""), TablesError::Executable { .. }));
    assert!(matches!(
        refused("device.registers_paddr = 0x10000000;", ""),
        TablesError::NoAddress { .. }
    ));
    assert!(matches!(refused("0x10000000", "0x10000010"), TablesError::Unaligned { .. }));
    assert!(matches!(refused("= 10;", "= 5000;"), TablesError::Attribute { .. }));
    let huge = refused("8192", "3221225472");
    assert!(matches!(huge, TablesError::Windows { .. }), "{huge}");
}

/// Returns the longest chain of holders in a system whose server calls itself through a gate of a
/// protocol.
fn chain(protocol: &str) -> u16 {
    let text = r#"
import <std_connector.camkes>;
procedure P { void f(); };
component Client { control; uses P next; }
component Server { provides P first; provides P second; uses P own; }
component Other { provides P third; }
component Third { control; uses P other; }
assembly {
    composition {
        component Client client; component Server server; component Third third;
        component Other other;
        connection seL4RPCCall a(from client.next, to server.first);
        connection seL4RPCCall b(from server.own, to server.second);
        connection seL4RPCCall c(from third.other, to other.third);
    }
    configuration {
        client.period = "10 ms"; client.wcet = "1 ms"; third.period = "10 ms"; third.wcet = "1 ms";
        server.first_wcet = "10 us"; server.second_wcet = "10 us"; other.third_wcet = "10 us";
        server.first_priority_protocol = "inherited"; other.third_priority_protocol = "inherited";
        server.second_priority_protocol = "PROTOCOL";
    }
}
"#;
    let system = system(&text.replace("PROTOCOL", protocol));
    booted(&system, &Needs::default()).expect("tables").objects.chain
}

/// Systems 57, 62, 81, 110 and 143 of seed 734519027 were refused by the verifier for tables that
/// were too long.
#[test]
fn a_way_back_on_which_nobody_waits_makes_no_chain_longer() {
    assert_eq!(chain("propagated"), 1);
    assert_eq!(chain("inherited"), 3);
}
