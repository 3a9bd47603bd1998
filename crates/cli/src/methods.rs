//! Execution times of methods from the programs of their components.
//!
//! A method that the description gives no execution time gets the bound of its
//! gate's entry in the linked program: from the first instruction there to the
//! system call that returns, whichever method is chosen, the glue around it
//! included. On `qemu-rv64` an instruction takes a nanosecond. A method that makes
//! another system call has no bound: what happens in there is not in its program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_bounds::BodyRef;
use fusee_diagnostics::{Diagnostic, Span};
use fusee_model::costs::CostTable;
use fusee_model::{Duration, GateId, Origin, Step, System};
use fusee_tables::symbol;
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::language::Flow;
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use serde_json::{Value, json};

use crate::progress;
use crate::rules;

/// Blocks after which a method is given up.
const EFFORT: Effort = Effort { blocks: 1_000_000, states: 1, depth: 200 };

/// The programs of a build, and which methods have their time from there.
#[derive(Default)]
pub(crate) struct Proved {
    methods: Vec<(GateId, usize)>,
}

/// Gives methods without execution time that of their program; says what stands in the way.
pub(crate) fn prove(
    system: &mut System,
    folder: &Path,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> (Proved, Vec<Diagnostic>) {
    let mut proved = Proved::default();
    let programs = match programs(folder) {
        Ok(programs) => programs,
        Err(wrong) => return (proved, vec![wrong]),
    };
    let mut wrong = Vec::new();
    let unknown: Vec<(GateId, Vec<usize>)> = system
        .gate_ids()
        .map(|(id, gate)| {
            let methods = gate.methods.iter().enumerate();
            (id, methods.filter(|(_, method)| method.body.wcet_origin.is_none()).map(|(index, _)| index).collect())
        })
        .collect();
    for (id, methods) in unknown.into_iter().filter(|(_, methods): &(GateId, Vec<usize>)| !methods.is_empty()) {
        match progress::during("bounding methods", || gate_bound(system, id, &programs)) {
            Ok(time) => methods.iter().for_each(|&method| {
                let body = &mut system.gates[id.index()].methods[method].body;
                body.wcet_origin = Some(Origin::NONE);
                body.steps.insert(0, Step::Compute { best: Duration::ZERO, worst: time });
                proved.methods.push((id, method));
            }),
            Err(notes) => {
                let gate = system.gate(id);
                let message = format!("the execution time of `{}` is not in its program", gate.name);
                let error = Diagnostic::error(fusee_wcet::METHOD, message);
                let error = match span(gate.origin) {
                    Some(span) => error.at(span, "has no `wcet`"),
                    None => error,
                };
                wrong.push(notes.into_iter().fold(error, Diagnostic::with_note));
            }
        }
    }
    (proved, wrong)
}

/// The bound of a gate's entry, or notes on why there is none.
fn gate_bound(system: &System, id: GateId, programs: &[(PathBuf, Program)]) -> Result<Duration, Vec<String>> {
    let gate = system.gate(id);
    let name = symbol::gate(system, gate.component, &gate.interface);
    let found = programs.iter().find_map(|(path, program)| Some((path, program, program.symbol(&name)?.address)));
    let Some((path, program, entry)) = found else {
        return Err(vec![format!("no program of the build has `{name}`; build the system again")]);
    };
    let facts = Facts { ends: returns(program), ..Facts::default() };
    let Bound { time, obstacles, .. } =
        bound(program, &Instructions, entry, &facts, EFFORT).map_err(|failure| vec![failure.to_string()])?;
    let told = |obstacle: fusee_wcet::execute::Obstacle| format!("{}: {}", obstacle.symbol, obstacle.what);
    time.map(Duration).ok_or_else(|| {
        let place = format!("its program is {}", path.display());
        obstacles.into_iter().map(told).chain([place]).collect()
    })
}

/// The system calls that never come back: what would come back would meet a breakpoint.
fn returns(program: &Program) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    for range in program.code() {
        let mut address = range.start;
        while address < range.end {
            let Ok(instruction) = program.instruction(address) else {
                address += 2;
                continue;
            };
            let next = program.instruction(instruction.next_address());
            let stops = next.is_ok_and(|next| next.flow == Flow::Breakpoint);
            if instruction.flow == Flow::SystemCall && stops {
                found.insert(address);
            }
            address = instruction.next_address();
        }
    }
    found
}

/// The programs in a build's folder, in the order of their names.
fn programs(folder: &Path) -> Result<Vec<(PathBuf, Program)>, Diagnostic> {
    let domains = folder.join("domains");
    let unreadable = |path: &Path, error: &std::io::Error| {
        let message = format!("`{}` can't be read", path.display());
        Diagnostic::error(rules::UNREADABLE, message)
            .with_note(error.to_string())
            .with_note("`--programs` names the folder that `fusee build` has made")
    };
    let files = std::fs::read_dir(&domains).map_err(|error| unreadable(&domains, &error))?;
    let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "elf"));
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        let program =
            Program::load(&bytes).map_err(|error| fusee_wcet::refusal(&error, &path.display().to_string()))?;
        Ok((path, program))
    };
    paths.into_iter().map(read).collect()
}

/// Where each execution time and the kernel's costs come from.
pub(crate) fn origins_json(system: &System, costs: &CostTable, proved: &Proved) -> Value {
    let tasks = system.task_ids().map(|(id, task)| (BodyRef::Task(id), &task.body));
    let methods = system.gate_ids().flat_map(|(id, gate)| {
        gate.methods.iter().enumerate().map(move |(index, method)| (BodyRef::Method(id, index), &method.body))
    });
    let times = tasks.chain(methods).map(|(whose, body)| {
        let own = body.steps.iter().map(|step| match step {
            Step::Compute { worst, .. } => worst.0,
            _ => 0,
        });
        let from = match whose {
            BodyRef::Method(gate, method) if proved.methods.contains(&(gate, method)) => Some("proved"),
            _ => body.wcet_origin.map(|_| "attribute"),
        };
        json!({ "body": whose.name(system), "wcet_ns": from.map(|_| own.sum::<u64>()), "from": from })
    });
    json!({ "times": times.collect::<Vec<_>>(), "kernel": { "platform": costs.platform, "from": costs.provenance.name() } })
}
