//! The ways to share: protocols of gates, and kinds of locks.

use super::Sharing;

/// A store behind a gate of a protocol.
const fn gate(name: &'static str, settings: &'static str) -> Sharing {
    Sharing { name, imports: "", store: "", instances: "", settings, between_cores: "" }
}

/// A store whose lock is a component, in one domain with the scheduler that it asks.
const fn component(name: &'static str, store: &'static str, instances: &'static str) -> Sharing {
    let imports = "import <fusee/locks.camkes>;\n";
    Sharing { name, imports, store, instances, settings: LOCKED, between_cores: "" }
}

macro_rules! protocol {
    ($name:literal) => {
        gate(
            $name,
            concat!(
                "        store.data_wcet = \"50 us\";\n        store.data_priority_protocol = \"",
                $name,
                "\";\n"
            ),
        )
    };
}

macro_rules! keeper {
    ($kind:literal) => {
        concat!(
            "        group lock {\n            component ",
            $kind,
            " keeper;\n            component LockScheduler scheduler;\n        }
        connection seL4RPCCall locks(from store.locks, to lock.keeper.locks);
        connection seL4DirectCall asks(from lock.keeper.scheduler, to lock.scheduler.scheduling);\n"
        )
    };
}

/// Whoever waits does so inside of these gates.
const LOCKED: &str = "        store.data_priority_protocol = \"propagated\";
        store.data_calls = [\"10 us\", \"lock locks.0\", \"30 us\", \"unlock locks.0\", \"10 us\"];
        keeper.locks_priority_protocol = \"propagated\";
        keeper.locks_wcet = \"2 us\";
        scheduler.scheduling_priority_protocol = \"propagated\";
        scheduler.scheduling_wcet = \"1 us\";
";

/// The ways to share, each a row of the table.
pub const SHARINGS: [Sharing; 15] = [
    protocol!("propagated"),
    protocol!("inherited"),
    protocol!("fixed"),
    protocol!("ceiling"),
    protocol!("srp"),
    protocol!("non_preemptive"),
    protocol!("fifo"),
    protocol!("msrp"),
    protocol!("mrsp"),
    protocol!("mpcp"),
    Sharing {
        name: "mutex",
        imports: "",
        store: "has mutex m; ",
        instances: "",
        settings: "        store.data_priority_protocol = \"propagated\";
        store.data_calls = [\"10 us\", \"lock m\", \"30 us\", \"unlock m\", \"10 us\"];
",
        between_cores: "        store.m_priority_protocol = \"msrp\";\n",
    },
    Sharing {
        name: "optimistic mutex",
        imports: "",
        store: "has mutex m; ",
        instances: "",
        settings: "        store.data_priority_protocol = \"propagated\";
        store.data_calls = [\"10 us\", \"lock m\", \"30 us\", \"unlock m\", \"10 us\"];
        store.m_locking = \"optimistic\";
",
        between_cores: "",
    },
    component("LockPessimistic", "uses Locking locks; ", keeper!("LockPessimistic")),
    component("LockOptimistic", "uses OptimisticLocking locks; ", keeper!("LockOptimistic")),
    component("LockCeiling", "uses Locking locks; ", keeper!("LockCeiling")),
];
