//! The worst path of an entry: its time, its steps and its code.

use fusee_wcet::assembly;
use fusee_wcet::execute::{Bound, Visit};
use fusee_wcet::lines::Line;
use fusee_wcet::machine::Misses;
use fusee_wcet::names::readable_text;
use fusee_wcet::profile::{Profile, Share};
use fusee_wcet::program::Program;
use fusee_wcet::walk::{Step, fold};
use serde_json::{Value, json};

use super::Code;

/// Returns the line of source of an instruction; empty where it is not known.
pub fn source_at(of: Code<'_>, address: u64) -> String {
    source(&of.lines.at(address).into_iter().next().unwrap_or_default())
}

/// A worst path, ready to be shown.
pub struct WorstPath {
    /// The division of its time.
    pub profile: Profile,
    /// It, step by step.
    pub steps: Vec<Step>,
}

impl WorstPath {
    /// Returns the worst path of an entry that has a bound.
    pub fn of(of: Code<'_>, bound: &Bound) -> Self {
        Self { profile: Profile::of(of.program, of.lines, bound), steps: fold(&bound.path) }
    }

    /// All of it as JSON.
    pub fn json(&self, of: Code<'_>, bound: &Bound) -> Value {
        let shares = |shares: &[Share]| shares.iter().map(share_json).collect::<Vec<_>>();
        let blocks = self.profile.blocks.iter().map(|share| {
            let mut block = share_json(share);
            block["code"] = code(of, bound, share.address).map(|line| line.json()).collect();
            block
        });
        let lines = self.profile.lines.iter().map(|share| {
            json!({
                "source": source(&share.line),
                "function": share.line.function,
                "time": share.time,
            })
        });
        json!({
            "functions": shares(&self.profile.functions),
            "lines": lines.collect::<Vec<_>>(),
            "blocks": blocks.collect::<Vec<_>>(),
            "steps": self.steps.iter().map(|step| step_json(of, step)).collect::<Vec<_>>(),
        })
    }
}

/// Returns a block, with how often it is executed where iterations are summed up.
pub fn block_text(program: &Program, visit: &Visit) -> String {
    let place = readable_text(&program.describe(visit.block));
    if visit.times > 1 { format!("{} times {place}", visit.times) } else { place }
}

fn step_json(of: Code<'_>, step: &Step) -> Value {
    match step {
        Step::Block(visit) => {
            let mut block = place_json(visit.block, &of.program.describe(visit.block));
            block["time"] = visit.time.into();
            if visit.times > 1 {
                block["executed"] = visit.times.into();
            }
            if visit.misses != Misses::default() {
                block["misses"] = misses_json(visit.misses);
            }
            block
        }
        Step::Repeated { times, steps } => json!({
            "times": times,
            "time": step.time(),
            "steps": steps.iter().map(|step| step_json(of, step)).collect::<Vec<_>>(),
        }),
    }
}

fn share_json(share: &Share) -> Value {
    let mut block = place_json(share.address, &share.name);
    block["executed"] = share.executed.into();
    block["time"] = share.time.into();
    block["misses"] = misses_json(share.misses);
    block
}

/// Returns a place in the code, to add to what is said about it.
pub fn place_json(address: u64, symbol: &str) -> Value {
    json!({ "address": format!("{address:#x}"), "symbol": symbol })
}

fn misses_json(misses: Misses) -> Value {
    json!({ "instructions": misses.instructions, "data": misses.data })
}

/// Returns a line as people write it; empty where it is not known.
pub fn source(line: &Line) -> String {
    match (line.file.rsplit('/').next().unwrap_or_default(), line.line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, number) => format!("{file}:{number}"),
    }
}

/// One instruction of the listing.
pub struct CodeLine {
    /// The address of the instruction.
    pub address: u64,
    /// The instruction, as an assembler writes it.
    pub text: String,
    /// Its line of source, where that is another one than before; else empty.
    pub source: String,
}

impl CodeLine {
    fn json(&self) -> Value {
        let address = format!("{:#x}", self.address);
        json!({ "address": address, "text": self.text, "source": self.source })
    }
}

/// Returns the instructions of a block, each with its line where that is another one than before.
pub fn code<'a>(of: Code<'a>, bound: &'a Bound, block: u64) -> impl Iterator<Item = CodeLine> + 'a {
    let mut before = String::new();
    bound.code.get(&block).into_iter().flatten().map(move |&address| {
        let text = of
            .program
            .instruction(address)
            .map(|i| assembly::text(of.program, &i))
            .unwrap_or_default();
        let line = source(&of.lines.at(address).into_iter().next().unwrap_or_default());
        let source = if line == before { String::new() } else { line.clone() };
        before = line;
        CodeLine { address, text, source }
    })
}
