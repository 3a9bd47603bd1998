//! Semaphores of several cores: waiting tasks, and cores to be told.

use fusee_adl::resolve::resolve;
use fusee_adl::syntax::load_bytes;
use fusee_kernel::cores::MailboxConfig;
use fusee_kernel::{NotificationIndex, NotificationKind};
use fusee_model::ComponentId;
use fusee_tables::{Machines, Needs, NotificationRole, TablesError, ThreadRole};

/// A buffer that tasks of cores 0 and 1 enter, and one that those of core 1 do, whose device
/// interrupts.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Slots { void take(); void give(); };
component Store { provides Slots slots; has semaphore filled; }
component Driver { provides Slots slots; has binary_semaphore done; consumes Irq irq; }
component Device { hardware; emits Irq irq; }
component Pump { control; uses Slots slots; uses Slots driver; }
component Tap { control; uses Slots slots; }
assembly {
    composition {
        component Store store; component Driver driver; component Device device;
        component Pump pump; component Tap tap;
        connection seL4RPCCall slots(from pump.slots, from tap.slots, to store.slots);
        connection seL4RPCCall drives(from pump.driver, to driver.slots);
        connection seL4HardwareInterrupt line(from device.irq, to driver.irq);
    }
    configuration {
        pump.calls = ["slots.take", "driver.take"]; pump.core = 1;
        tap.calls = ["slots.give"];
        store.slots_priority_protocol = "propagated"; driver.slots_priority_protocol = "propagated";
        device.irq_irq_number = 10;
        SETTING
    }
}
"#;

fn machines(setting: &str) -> Result<Machines, TablesError> {
    let loaded = load_bytes(TEXT.replace("SETTING", setting).as_bytes());
    let resolution = resolve(&loaded.tree, "test", &fusee_adl::Options::default());
    let system = resolution.system.unwrap_or_else(|| panic!("{:#?}", resolution.diagnostics));
    let driver = system.components.iter().position(|one| one.name == "driver").expect("a driver");
    let interfaces = &system.components[driver].interfaces;
    let interface = interfaces.iter().position(|one| one.name == "irq").expect("an interrupt");
    let callbacks = vec![(ComponentId::from(driver), interface)];
    Machines::of(&system, &Needs { callbacks, ..Needs::default() })
}

/// Returns the semaphore of a component, by the number of its role.
fn semaphore(machines: &Machines, initial: u32) -> NotificationIndex {
    let of = |role: &NotificationRole| match *role {
        NotificationRole::Semaphore { initial: found, .. } => found == initial,
        _ => false,
    };
    let number = machines.first().notifications.iter().position(of).expect("a semaphore");
    NotificationIndex(number as u16)
}

#[test]
fn one_core_waits_and_the_others_tell_it() {
    for core in [0, 1] {
        let machines = machines(&format!("store.filled_core = {core};")).expect("tables");
        let filled = semaphore(&machines, 1);
        let expected = MailboxConfig { core, notification: filled, counts: true };
        let found = machines.mailboxes.iter().find(|mailbox| mailbox.notification == filled);
        assert_eq!(found, Some(&expected));
        let config = machines.first().objects.notifications[filled.at()];
        assert_eq!(config.kind, NotificationKind::Counting { limit: u32::MAX });
    }
}

/// The set-up runs on core 0 and may post, and so may the callback, which runs where tasks do.
#[test]
fn a_driver_runs_its_callbacks_where_its_users_wait() {
    let machines = machines("store.filled_core = 0;").expect("tables");
    let done = semaphore(&machines, 0);
    let expected = MailboxConfig { core: 1, notification: done, counts: true };
    let found = machines.mailboxes.iter().find(|mailbox| mailbox.notification == done);
    assert_eq!(found, Some(&expected));
    let callback =
        machines.threads().find(|(.., role)| matches!(role, ThreadRole::Callback { .. }));
    assert_eq!(callback.map(|(core, ..)| core), Some(1));
}

#[test]
fn what_nobody_says_or_can_do_is_refused() {
    match machines("") {
        Err(TablesError::Shared { name, first: 0, second: 1, .. }) => {
            assert_eq!(name, "store.filled");
        }
        other => panic!("{other:?}"),
    }
    match machines("store.filled_core = 3;") {
        Err(TablesError::NobodyWaits { name, core: 3, .. }) => assert_eq!(name, "store.filled"),
        other => panic!("{other:?}"),
    }
}
