//! The memory that a program's start leaves where it calls `main`.
//!
//! A program begins where its file says, with memory as the file loads it. What is
//! executed from there on until `main` is called may clear variables, copy them and
//! set some of them. It is executed like anything else, for all paths; what it has
//! left in memory at the call is known at the entry. That holds for the first call
//! only, so nothing is known where there may be another one.

use super::Beginning;
use super::before::Before;
use super::code::Code;
use super::engine::Engine;
use super::engine::called::{Awaited, Called};
use super::granted::Facts;
use super::listing::{Kind, Listing};
use super::path::Stop;
use super::subject::Subject;
use super::watch::Trying;
use super::work::Work;
use crate::machine::Instructions;
use crate::program::{Program, Symbol};
use crate::setting::Setting;
use crate::state::State;
use crate::value::Value;
use fusee_isa::Architecture;
use fusee_isa::language::{Flow, Instruction, Target};

/// The function that the start of a program calls.
const MAIN: &str = "main";
/// The part of the effort that the start may take.
const PART: u64 = 16;

/// Returns what is known where an entry is called, if it is a program's `main`, which is called
/// once.
pub(super) fn before(
    setting: Setting<'_>,
    facts: &Facts,
    entry: u64,
    trying: Trying<'_>,
) -> Option<Before> {
    let program = setting.program();
    let is_main = |symbol: &&Symbol| symbol.address == entry;
    program.symbol(MAIN).filter(|symbol| symbol.code).filter(is_main)?;
    let start = program.entry();
    // Where the program begins with it, nobody has to call it.
    let calls = usize::from(start != entry);
    // A reference besides the one call may lead to a second call, which finds other memory.
    if facts.as_loaded || references(setting, entry) > calls || is_in_data(program, entry) {
        return None;
    }
    let state = match start == entry {
        true => loaded(setting),
        false => Start { setting, facts, start, main: entry, trying }.state()?,
    };
    let why = match start == entry {
        true => format!(
            "the program starts at `{MAIN}`, which nobody calls, with memory as the file loads \
             it"
        ),
        false => format!(
            "`{MAIN}` is called once, by what the program does from its start at `{}` on with \
             memory as the file loads it",
            program.describe(start)
        ),
    };
    let why = format!("{why}, and the stack lies where nothing is read by its address");
    // Names and distances in the stack mean something else in another execution.
    Some(Before { memory: state.plain_memory(), why })
}

/// Returns a state of which nothing is known but that memory is as the file loads it.
fn loaded(setting: Setting<'_>) -> State {
    let mut state = State::at_entry(setting);
    state.load_file(setting);
    state
}

/// Returns how many instructions lead to an address or make a number of it, as far as the code
/// tells that stands before them.
fn references(setting: Setting<'_>, entry: u64) -> usize {
    // The least distance of two instructions: where bytes are none, code may begin again at the
    // next.
    let step = match setting.architecture() {
        Architecture::Riscv(_) => 2,
        Architecture::Aarch64 | Architecture::A32 => 4,
    };
    // One state for all code in the order of addresses, because the parts of an address are made
    // close to one another.
    let (mut state, mut found) = (State::at_entry(setting), 0);
    for code in setting.code() {
        let mut at = code.start;
        while at < code.end {
            let instruction = setting.instruction(at);
            at = instruction.as_ref().map_or(at + step, Instruction::next_address);
            if let Ok(instruction) = instruction {
                found += usize::from(refers(&instruction, &mut state, (setting, entry)));
            }
        }
    }
    found
}

fn refers(
    instruction: &Instruction,
    state: &mut State,
    (setting, entry): (Setting<'_>, u64),
) -> bool {
    // The lowest bit tells a kind of code, or is ignored; it is no part of the place.
    let is_entry =
        |value: Value| value.as_constant().map(|at| setting.wrap(at) & !1) == Some(entry);
    let mut is_made = false;
    for effect in &instruction.effects {
        if let Some(target) = effect.target() {
            state.apply(effect, setting);
            is_made |= is_entry(state.get(target));
        }
    }
    let leads = match instruction.flow {
        Flow::Call { target: Target::Fixed(target), .. }
        | Flow::Jump(Target::Fixed(target))
        | Flow::Branch { target, .. } => target == entry,
        Flow::Call { target: Target::Computed(address), .. }
        | Flow::Jump(Target::Computed(address)) => is_entry(state.address(address, setting)),
        _ => false,
    };
    is_made || leads
}

/// Returns `true` if some word that is loaded may be an address: code that reads it may call the
/// function there.
fn is_in_data(program: &Program, address: u64) -> bool {
    let width = program.register_width();
    let holds =
        |at: u64| program.initial(at, width).map(|word| program.wrap(word)) == Some(address);
    let step = width.bytes() as usize;
    program.loaded().any(|data| {
        // Words that are addresses are aligned, so only aligned ones are looked at.
        let first = data.start.next_multiple_of(width.bytes());
        (first..data.end).step_by(step).any(holds)
    })
}

/// The start of a program.
#[derive(Clone, Copy)]
struct Start<'a> {
    setting: Setting<'a>,
    facts: &'a Facts,
    start: u64,
    main: u64,
    trying: Trying<'a>,
}

impl Start<'_> {
    /// Returns what is known where `main` is called; nothing where not all is known of how it is.
    fn state(self) -> Option<State> {
        // More is known on a single path, so it is tried first.
        let kinds = [Kind::Count, Kind::Bound];
        let found = kinds.into_iter().find_map(|kind| self.executed(kind, false).state);
        // Once more, as if `main` came back: code behind the call may lead to it again.
        found.filter(|_| !self.executed(Kind::Obstacles, true).is_repeated)
    }

    /// Executes all but `main`, up to its call or beyond.
    fn executed(self, kind: Kind, comes_back: bool) -> Met {
        let most = self.trying.effort.blocks / PART;
        let targets = self.facts.targets.clone();
        // Facts of the entry are not about the start, but jumps lead to the same places.
        let facts = Facts { as_loaded: true, targets: targets.clone(), ..Facts::default() };
        let subject = Subject { setting: self.setting, machine: &Instructions, facts: &facts };
        let beginning = Beginning { at: self.start, registers: &[], memory: &[], resumed: false };
        let (mut code, mut done) = (Code::new(targets), 0);
        loop {
            // Not shown to the watcher: what is in the way here only leaves memory unknown.
            let work = Work::new(Trying { watch: None, ..self.trying }, done);
            let mut engine = Engine::<Instructions, Called>::new(subject, work, code);
            engine.listing = Listing::new(kind);
            engine.mode.awaited = Some(Awaited::new(self.main, comes_back));
            engine.work.leave(most.saturating_sub(done));
            let end = engine.begin(&beginning);
            if let Err(Stop::NewTargets(jump, targets)) = end {
                (code, done) = (engine.code, engine.work.done());
                code.begin_again(jump, targets);
                continue;
            }
            // Code of `main` that was executed otherwise than by its call would be a call that
            // nobody has seen.
            let is_known = end.is_ok() && engine.is_surely_known() && !engine.reaches(self.main);
            // With `comes_back` only another call of `main` is looked for, so not all must be
            // known.
            let awaited = engine.mode.awaited.filter(|_| is_known || comes_back);
            let is_repeated = awaited.as_ref().is_none_or(Awaited::is_repeated);
            return Met { state: awaited.and_then(Awaited::state), is_repeated };
        }
    }
}

/// The result of an execution of the start.
struct Met {
    /// The state where `main` is called, if all of its calls are known.
    state: Option<State>,
    /// True if it may be called again.
    is_repeated: bool,
}
