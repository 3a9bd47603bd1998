//! The tables of gates.

use fusee_model::derived::Derived;
use fusee_model::{Gate, System};

use fusee_report::table::{Side, Table};

/// Gates for people.
pub(crate) fn table(system: &System, derived: &Derived) -> Table {
    let mut table = Table::new(&[
        ("gate", Side::Left),
        ("protocol", Side::Left),
        ("ceiling", Side::Right),
        ("stacks", Side::Right),
        ("rpc threads", Side::Right),
        ("reached by", Side::Left),
    ]);
    for (gate, facts) in system.gates.iter().zip(&derived.gates) {
        let tasks: Vec<&str> =
            facts.tasks.iter().map(|&task| system.task(task).name.as_str()).collect();
        table.row([
            gate.name.clone(),
            if gate.direct {
                format!("{} (direct)", protocol(gate))
            } else {
                protocol(gate).to_owned()
            },
            facts.shown_ceiling().unwrap_or_else(|| "-".to_owned()),
            facts.stacks.to_string(),
            facts.rpc_threads.to_string(),
            few(&tasks),
        ]);
    }
    table
}

fn protocol(gate: &Gate) -> &'static str {
    gate.protocol.value.name()
}

/// Returns a list that stays on one line.
fn few(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    match names {
        [] => "nobody".to_owned(),
        names if names.len() > SHOWN => {
            format!("{} and {} more", names[..SHOWN].join(", "), names.len() - SHOWN)
        }
        names => names.join(", "),
    }
}
