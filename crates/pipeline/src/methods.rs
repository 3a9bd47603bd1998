//! Execution times of methods and jobs from the programs of their components.
//!
//! A body that the description gives no execution time gets the bound of its entry
//! in the linked program: from the first instruction there to the system call that
//! ends it, the glue around it included. On `qemu-rv64` an instruction takes a
//! nanosecond. Between the two the program may ask the kernel for something. What
//! happens then is not its own time: the analysis adds it by the steps of the body.
//! So a program that asks for more than these steps say has no bound.

mod built;
mod callbacks;
mod clock;
mod compared;
mod cycles;
mod facts;
mod linked;
mod programs;
mod requests;

use std::collections::BTreeMap;
use std::path::Path;

use fusee_bounds::BodyRef;
use fusee_diagnostics::{Diagnostic, SourceMap, Span};
use fusee_image::interface::{self, A6, T0, further_words};
use fusee_image_format::abi;
use fusee_isa::language::Register;
use fusee_model::costs::CostTable;
use fusee_model::{Body, ComponentId, Duration, Origin, Step, System};
use fusee_platform::Platform;
use fusee_tables::{Capabilities, symbol};
use fusee_wcet::execute::{Bound, Effort, Facts, Held, bound};
use fusee_wcet::lines::Lines;
use fusee_wcet::machine::Counting;
use fusee_wcet::names::readable_text;
use fusee_wcet::place::readable_fact;
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;
use serde_json::{Value, json};

use crate::program::Code;
use crate::program::obstacles::{Group, groups};
use crate::progress::Steps;
pub(crate) use built::{differences, mismatch};
use clock::Clock;
pub use compared::{Compared, compare};
use cycles::Timed;
use linked::Linked;
use requests::{Asked, excess, places};

/// Blocks after which a body is given up, as many as `fusee wcet` takes. Two fifths of them are for
/// its loops summed up exactly, before anything rougher is tried: a method with a few arrays may
/// need 200,000, and a job in Rust that prints a number a million.
const EFFORT: Effort = Effort { blocks: 4_000_000, iterations: 16_384, states: 1, depth: 200 };

/// The bodies that have their time from a program, and the facts that it rests on.
#[derive(Default)]
pub struct Proved {
    bodies: BTreeMap<BodyRef, Vec<String>>,
    /// The assumption about faults, in a sentence, for bodies that may have some.
    assumed: BTreeMap<BodyRef, String>,
    /// The greatest delay that an interruption causes to any of them.
    pub(crate) interruption: Duration,
}

impl Proved {
    /// Returns the name of a body that has its time from elsewhere.
    pub(crate) fn is_silent_about(&self, system: &System) -> Option<String> {
        let known = |whose: &BodyRef| body(system, *whose).wcet_origin.is_some();
        let other = all(system).find(|whose| known(whose) && !self.bodies.contains_key(whose));
        other.map(|whose| whose.name(system))
    }
}

/// The folder of the description, and the one that a build has made.
pub struct Places<'a> {
    /// The description's folder.
    pub description: &'a Path,
    /// The folder of the build.
    pub programs: &'a Path,
    /// The machine that it is for.
    pub platform: Platform,
    /// Returns the place of something in the description.
    pub span: &'a dyn Fn(Origin) -> Option<Span>,
}

/// Gives bodies without execution time that of their program; says what stands in the way.
pub fn prove(
    system: &mut System,
    places: &Places<'_>,
    sources: &mut SourceMap,
) -> (Proved, Vec<Diagnostic>) {
    let mut proved = Proved::default();
    let unknown = unknown(system);
    if unknown.is_empty() {
        return (proved, Vec::new());
    }
    let mut linked = match programs::read(system, places, sources) {
        Ok(linked) => linked,
        Err(wrong) => return (proved, wrong),
    };
    let unbounded = callbacks::unbounded(system, &linked);
    if !unbounded.is_empty() {
        return (proved, unbounded);
    }
    let (capabilities, clock) = (Capabilities::of(system), Clock::of(system, places));
    let clock = match clock {
        Ok(clock) => clock,
        Err(wrong) => return (proved, vec![*wrong]),
    };
    let mut wrong = Vec::new();
    let mut bar = Steps::new("bodies bounded", unknown.len() as u64);
    for (done, whose) in unknown.into_iter().enumerate() {
        bar.at(done as u64);
        match time((system, whose), &mut linked, &capabilities, &clock) {
            Ok(Time { time, interruption, facts, assumed }) => {
                proved.interruption = proved.interruption.max(interruption);
                let body = body_mut(system, whose);
                body.wcet_origin = Some(Origin::NONE);
                body.steps.insert(0, Step::Compute { best: Duration::ZERO, worst: time });
                proved.bodies.insert(whose, facts);
                proved.assumed.extend(assumed.map(|said| (whose, said)));
            }
            Err(notes) => wrong.push(refused(system, whose, notes, places)),
        }
    }
    drop(bar);
    wrong.extend(facts::judge(&linked));
    (proved, wrong)
}

/// Returns the names of the bodies whose times a system leaves out; nothing where it leaves out one
/// that no program tells.
pub(crate) fn left_out(system: &System) -> Option<Vec<String>> {
    let missing = all(system).filter(|&whose| body(system, whose).wcet_origin.is_none()).count();
    let unknown = unknown(system);
    let names = || unknown.iter().map(|whose| whose.name(system)).collect();
    (missing == unknown.len()).then(names)
}

/// Returns `true` if programs can tell times that a system leaves out.
pub(crate) fn leaves_out(system: &System) -> bool {
    !unknown(system).is_empty()
}

/// The bodies that are to be analyzed and have no time. How often a component of Fusee's own goes
/// through its loops for locks is for the analysis to say, so no program has their times.
fn unknown(system: &System) -> Vec<BodyRef> {
    let of_locks = |whose: BodyRef| match whose {
        BodyRef::Task(_) => false,
        BodyRef::Method(gate, _) => {
            system.component(system.gate(gate).component).lock_component.is_some()
        }
    };
    all(system)
        .filter(|&whose| body(system, whose).wcet_origin.is_none() && !of_locks(whose))
        .collect()
}

/// The bodies that are to be analyzed: methods, and jobs that are released again and again.
fn all(system: &System) -> impl Iterator<Item = BodyRef> {
    let tasks = system.task_ids().filter(|(_, task)| task.release.is_some());
    let tasks = tasks.map(|(id, _)| BodyRef::Task(id));
    let methods = system.gate_ids().flat_map(|(id, gate)| {
        (0..gate.methods.len()).map(move |index| BodyRef::Method(id, index))
    });
    tasks.chain(methods)
}

fn body(system: &System, whose: BodyRef) -> &Body {
    match whose {
        BodyRef::Task(id) => &system.task(id).body,
        BodyRef::Method(id, method) => &system.gate(id).methods[method].body,
    }
}

fn body_mut(system: &mut System, whose: BodyRef) -> &mut Body {
    match whose {
        BodyRef::Task(id) => &mut system.tasks[id.index()].body,
        BodyRef::Method(id, method) => &mut system.gates[id.index()].methods[method].body,
    }
}

fn refused(system: &System, whose: BodyRef, notes: Vec<String>, places: &Places<'_>) -> Diagnostic {
    let message = format!("the execution time of `{}` is not in its program", whose.name(system));
    let error = Diagnostic::error(fusee_wcet::METHOD, message);
    let error = match (places.span)(whose.origin(system)) {
        Some(span) => error.at(span, "has no `wcet`"),
        None => error,
    };
    notes.into_iter().fold(error, Diagnostic::with_note)
}

/// The beginning of a body: its component, the entry's name, and the content of registers there.
struct Beginning {
    component: ComponentId,
    symbol: String,
    registers: Vec<(Register, Range)>,
}

impl Beginning {
    fn of(system: &System, whose: BodyRef) -> Self {
        match whose {
            BodyRef::Task(id) => {
                let component = system.task(id).component;
                Self { component, symbol: symbol::job(system, component), registers: Vec::new() }
            }
            BodyRef::Method(id, method) if system.gate(id).direct => {
                let gate = system.gate(id);
                let symbol = symbol::direct(
                    system,
                    gate.component,
                    &gate.interface,
                    &gate.methods[method].name,
                );
                Self { component: gate.component, symbol, registers: Vec::new() }
            }
            BodyRef::Method(id, method) => {
                let gate = system.gate(id);
                let first = (method as i128) << abi::METHOD_SHIFT;
                let caller = (1 << abi::METHOD_SHIFT) - 1;
                let registers =
                    vec![(A6, Range::new(first, first + caller, 1)), (T0, further_words())];
                Self {
                    component: gate.component,
                    symbol: symbol::gate(system, gate.component, &gate.interface),
                    registers,
                }
            }
        }
    }
}

/// A body's own time, how much later an interruption makes it, and the facts that both rest on.
struct Time {
    time: Duration,
    interruption: Duration,
    facts: Vec<String>,
    /// The assumption about faults.
    assumed: Option<String>,
}

/// The facts that a program tells of a body.
struct Told {
    time: Time,
    /// The most executions of each thing that it asks for.
    most: BTreeMap<Asked, u64>,
}

/// A body of a system.
#[derive(Clone, Copy)]
struct InSystem<'a> {
    system: &'a System,
    whose: BodyRef,
}

/// Returns a body's time, or notes on why there is none.
fn time(
    (system, whose): (&System, BodyRef),
    linked: &mut [Linked],
    capabilities: &Capabilities,
    clock: &Clock,
) -> Result<Time, Vec<String>> {
    let Told { time, most } =
        told(InSystem { system, whose }, linked, capabilities, (clock, EFFORT))?;
    asked_for_no_more(system, whose, &most).map(|()| time)
}

/// Returns the facts that the program of a body tells of it, or notes on why there are none.
fn told(
    InSystem { system, whose }: InSystem<'_>,
    linked: &mut [Linked],
    capabilities: &Capabilities,
    (clock, effort): (&Clock, Effort),
) -> Result<Told, Vec<String>> {
    let Beginning { component, symbol: name, registers } = Beginning::of(system, whose);
    let found =
        linked.iter_mut().find_map(|linked| Some((linked.program.symbol(&name)?.address, linked)));
    let Some((entry, linked)) = found else {
        return Err(vec![format!("no program of the build has `{name}`; build the system again")]);
    };
    let (entry, next) = looping(system, whose, &linked.program).unwrap_or((entry, 0..0));
    let why = "the kernel calls a component with these numbers";
    let held = registers.into_iter().map(|(register, range)| Held {
        register,
        range,
        why: why.to_owned(),
    });
    let facts = Facts {
        entry: held.collect(),
        kernel: Some(interface::of_kernel(next)),
        faults: interface::faults(&linked.program, false),
        ..linked.facts.facts.clone()
    };
    let run = |failure: fusee_wcet::execute::Failure| vec![failure.to_string()];
    let Timed { bound: found, interruption } =
        clock.bound(&linked.program, (entry, &facts), component, effort)?;
    let interruption = Duration(interruption);
    let result = match found.time {
        Some(time) => {
            let mut most = BTreeMap::new();
            for (asked, places) in
                places(&found.coverage.requests, capabilities.of_component(component))
            {
                let times = bound(&linked.program, &Counting(&places), entry, &facts, effort)
                    .map_err(run)?
                    .time;
                most.insert(asked, times.unwrap_or(u64::MAX));
            }
            let rests_on = linked
                .facts
                .about(&found.grounds.facts_used)
                .map(|given| given.line.clone())
                .collect();
            let assumed = found.grounds.of_faults(&linked.program);
            let time = Time { time: Duration(time), interruption, facts: rests_on, assumed };
            Ok(Told { time, most })
        }
        None => Err(obstacles(&found, linked, &system.component(component).kind)),
    };
    linked.bounds.push(found);
    result
}

/// Returns the addresses at which the code of a control thread that waits in a loop begins, and
/// waits; nothing for other bodies.
fn looping(
    system: &System,
    whose: BodyRef,
    program: &Program,
) -> Option<(u64, std::ops::Range<u64>)> {
    let BodyRef::Task(id) = whose else { return None };
    let component = system.task(id).component;
    let first = program.symbol(&symbol::first_job(system, component))?.address;
    let wait = program.symbol(&symbol::next_job(system, component))?;
    Some((first, wait.address..wait.address + wait.size))
}

/// Notes on what a body's program asks for more often than its steps say.
fn asked_for_no_more(
    system: &System,
    whose: BodyRef,
    most: &BTreeMap<Asked, u64>,
) -> Result<(), Vec<String>> {
    let mut notes = excess(system, whose, most);
    if notes.is_empty() {
        return Ok(());
    }
    notes.push(
        "the analysis adds the time of what `calls` say; list there all that the program can ask \
         for"
        .to_owned(),
    );
    Err(notes)
}

/// Notes on what stands in the way of a bound.
fn obstacles(found: &Bound, linked: &Linked, kind: &str) -> Vec<String> {
    let lines = Lines::read(&std::fs::read(&linked.path).unwrap_or_default());
    let code = Code { program: &linked.program, lines: &lines };
    let told = |group: &Group<'_>| {
        let fact = match group.fact.as_str() {
            "" => String::new(),
            fact => {
                format!("; this fact would settle it: {}", readable_fact(code.program, fact))
            }
        };
        let places = group.place_texts(code).join(", ");
        format!("{places}: {}{fact}", readable_text(group.what()))
    };
    let place = format!("its program is {}", linked.path.display());
    let facts = format!("facts about `{kind}` belong into `{kind}.facts.toml` beside its sources");
    groups(found, code).iter().map(told).chain([place, facts]).collect()
}

/// The origin of a task's or method's execution time.
pub(crate) struct TimeFrom {
    /// Its name, as it is shown.
    pub(crate) body: String,
    /// Its own time; nothing if it is not told.
    pub(crate) wcet: Option<Duration>,
    /// `proved`, `fact`: proved with what a file of facts says, `attribute`: written.
    pub(crate) from: Option<&'static str>,
    /// The facts that it rests on.
    facts: Vec<String>,
    /// The time that is proved of the program of a written one, or the reason why none is; nothing
    /// where no program is at hand.
    compared: Option<Result<Duration, String>>,
    /// The assumption about faults.
    assumed: Option<String>,
}

impl TimeFrom {
    /// Returns its origin in a few words.
    pub(crate) fn in_words(&self) -> String {
        match (self.from, &self.compared) {
            (Some("fact"), _) => format!("proved with {}", self.facts.join("; ")),
            (Some("proved"), _) => "proved".to_owned(),
            (Some(_), Some(Ok(proved))) => format!("written; {proved} is proved"),
            (Some(_), Some(Err(why))) => format!("written; nothing is proved: {why}"),
            (Some(_), None) => "written".to_owned(),
            (None, _) => "not known".to_owned(),
        }
    }
}

/// Returns the origin of each execution time.
pub(crate) fn origins(system: &System, proved: &Proved, compared: &Compared) -> Vec<TimeFrom> {
    let tasks = system.task_ids().map(|(id, _)| BodyRef::Task(id));
    let methods = system.gate_ids().flat_map(|(id, gate)| {
        (0..gate.methods.len()).map(move |index| BodyRef::Method(id, index))
    });
    let origin = |whose: BodyRef| {
        let body = body(system, whose);
        let own = body.steps.iter().map(|step| match step {
            Step::Compute { worst, .. } => worst.0,
            _ => 0,
        });
        let facts = proved.bodies.get(&whose);
        let from = match facts {
            Some(facts) if facts.is_empty() => Some("proved"),
            Some(_) => Some("fact"),
            None => body.wcet_origin.map(|_| "attribute"),
        };
        let wcet = from.map(|_| Duration(own.sum::<u64>()));
        let facts = facts.cloned().unwrap_or_default();
        let compared = compared.times.get(&whose).cloned();
        let assumed = proved.assumed.get(&whose).cloned();
        TimeFrom { body: whose.name(system), wcet, from, facts, compared, assumed }
    };
    tasks.chain(methods).map(origin).collect()
}

/// Returns the origins of each execution time and of the kernel's costs.
pub fn origins_json(
    system: &System,
    costs: &CostTable,
    (proved, compared): (&Proved, &Compared),
) -> Value {
    let times = origins(system, proved, compared).into_iter().map(|time| {
        let wcet = time.wcet.map(Duration::ns);
        let mut value = json!({ "body": time.body, "wcet_ns": wcet, "from": time.from });
        if !time.facts.is_empty() {
            value["facts"] = json!(time.facts);
        }
        if let Some(assumed) = time.assumed {
            value["assumes"] = json!(assumed);
        }
        match time.compared {
            Some(Ok(proved)) => value["proved_ns"] = proved.ns().into(),
            Some(Err(why)) => value["not_proved"] = why.into(),
            None => {}
        }
        value
    });
    let mut origins = json!({
        "times": times.collect::<Vec<_>>(),
        "kernel": { "platform": costs.platform, "from": costs.provenance.name() },
    });
    if proved.interruption > Duration::ZERO {
        origins["interruption_ns"] = json!(proved.interruption.ns());
    }
    origins
}
