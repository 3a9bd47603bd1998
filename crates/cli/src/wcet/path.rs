//! The worst path: where its time goes, step by step, and the code itself.

use std::fmt::Write;

use fusee_pipeline::program::Code;
use fusee_wcet::assembly;
use fusee_wcet::execute::{Bound, Visit};
use fusee_wcet::lines::Line;
use fusee_wcet::machine::Misses;
use fusee_wcet::names::readable_text;
use fusee_wcet::profile::{Profile, Share};
use fusee_wcet::program::Program;
use fusee_wcet::walk::{Step, fold};
use serde_json::{Value, json};

use crate::table::{Side, Table};

/// Blocks and lines of the worst path that are listed for people; JSON has all.
const LISTED: usize = 20;
/// Steps that are listed for people.
const STEPS: usize = 60;
/// Blocks whose code is listed for people.
const CODE: usize = 5;

/// The line of source of an instruction; empty where it is not known.
pub(crate) fn source_at(of: Code<'_>, address: u64) -> String {
    source(&of.lines.at(address).into_iter().next().unwrap_or_default())
}

/// A worst path, ready to be shown.
pub(crate) struct WorstPath {
    pub(crate) profile: Profile,
    pub(crate) steps: Vec<Step>,
}

impl WorstPath {
    pub(crate) fn of(of: Code<'_>, bound: &Bound) -> Self {
        Self { profile: Profile::of(of.program, of.lines, bound), steps: fold(&bound.path) }
    }

    /// All of it as JSON.
    pub(crate) fn json(&self, of: Code<'_>, bound: &Bound) -> Value {
        let shares = |shares: &[Share]| shares.iter().map(share_json).collect::<Vec<_>>();
        let blocks = self.profile.blocks.iter().map(|share| {
            let mut block = share_json(share);
            block["code"] = code(of, bound, share.address).map(|line| line.json()).collect();
            block
        });
        let lines =
            self.profile.lines.iter().map(
                |share| json!({ "source": source(&share.line), "function": share.line.function, "time": share.time }),
            );
        json!({
            "functions": shares(&self.profile.functions),
            "lines": lines.collect::<Vec<_>>(),
            "blocks": blocks.collect::<Vec<_>>(),
            "steps": self.steps.iter().map(|step| step_json(of, step)).collect::<Vec<_>>(),
        })
    }

    /// The most important of it as text, with names as people write them.
    pub(crate) fn text(&self, of: Code<'_>, bound: &Bound) -> String {
        let Profile { functions, blocks, lines } = &self.profile;
        let mut text = format!("\nThe worst path by function:\n\n{}\n", functions_table(functions));
        if !lines.is_empty() {
            let mut table = Table::new(&[
                ("line", Side::Left),
                ("function", Side::Left),
                ("time", Side::Right),
            ]);
            for share in lines.iter().take(LISTED) {
                table.row([
                    source(&share.line),
                    share.line.function.clone(),
                    share.time.to_string(),
                ]);
            }
            let _ = writeln!(
                text,
                "by line of source:\n\n{table}{}",
                rest(lines.len(), LISTED, "line")
            );
        }
        let _ = writeln!(
            text,
            "by block:\n\n{}{}",
            blocks_table(blocks),
            rest(blocks.len(), LISTED, "block")
        );
        text += "step by step, with the time of each:\n\n";
        let mut listed = Vec::new();
        self.steps.iter().for_each(|step| step_lines(of, step, 1, &mut listed));
        for line in listed.iter().take(STEPS) {
            let _ = writeln!(text, "{line}");
        }
        text += &rest(listed.len(), STEPS, "line");
        text += "\nand the code that takes longest:\n";
        for share in blocks.iter().take(CODE) {
            let name = readable_text(&share.name);
            let _ = writeln!(
                text,
                "\n{name}: executed {} times, {} together",
                share.executed, share.time
            );
            for line in code(of, bound, share.address) {
                let _ = writeln!(
                    text,
                    "  {:#x}  {:<36} {}",
                    line.address,
                    readable_text(&line.text),
                    line.source
                );
            }
        }
        text
    }
}

fn functions_table(shares: &[Share]) -> Table {
    let missed = shares.iter().any(|share| share.misses != Misses::default());
    let columns = [
        ("function", Side::Left),
        ("time", Side::Right),
        ("I-misses", Side::Right),
        ("D-misses", Side::Right),
    ];
    let shown = if missed { 4 } else { 2 };
    let mut table = Table::new(&columns[..shown]);
    for share in shares {
        let Misses { instructions, data } = share.misses;
        let cells = [
            readable_text(&share.name),
            share.time.to_string(),
            instructions.to_string(),
            data.to_string(),
        ];
        table.row(cells.into_iter().take(shown));
    }
    table
}

fn blocks_table(shares: &[Share]) -> Table {
    let columns = [
        ("block", Side::Left),
        ("address", Side::Right),
        ("executed", Side::Right),
        ("time", Side::Right),
    ];
    let mut table = Table::new(&columns);
    for share in shares.iter().take(LISTED) {
        let address = format!("{:#x}", share.address);
        table.row([
            readable_text(&share.name),
            address,
            share.executed.to_string(),
            share.time.to_string(),
        ]);
    }
    table
}

fn rest(all: usize, listed: usize, noun: &str) -> String {
    match all.saturating_sub(listed) {
        0 => String::new(),
        1 => format!("and 1 {noun} more; --json lists all\n"),
        more => format!("and {more} {noun}s more; --json lists all\n"),
    }
}

/// A block, with how often it is executed where rounds are summed up.
pub(crate) fn block_text(program: &Program, visit: &Visit) -> String {
    let place = readable_text(&program.describe(visit.block));
    if visit.times > 1 { format!("{} times {place}", visit.times) } else { place }
}

fn step_lines(of: Code<'_>, step: &Step, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    match step {
        Step::Block(visit) => {
            let place = format!("{indent}{}", block_text(of.program, visit));
            let line = of.lines.at(visit.block).into_iter().next().unwrap_or_default();
            let misses = match visit.misses {
                Misses { instructions: 0, data: 0 } => String::new(),
                Misses { instructions, data } => format!(" ({} missed)", instructions + data),
            };
            lines.push(
                format!("{:>9}{place:<40} {}{misses}", visit.time, source(&line))
                    .trim_end()
                    .to_owned(),
            );
        }
        Step::Repeated { times, steps } => {
            lines.push(format!("{:>9}{indent}{times} times:", step.time()));
            steps.iter().for_each(|step| step_lines(of, step, depth + 1, lines));
        }
    }
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

/// A place in the code, to add to what is said about it.
pub(crate) fn place_json(address: u64, symbol: &str) -> Value {
    json!({ "address": format!("{address:#x}"), "symbol": symbol })
}

fn misses_json(misses: Misses) -> Value {
    json!({ "instructions": misses.instructions, "data": misses.data })
}

/// A line as people write it; empty where it is not known.
pub(crate) fn source(line: &Line) -> String {
    match (line.file.rsplit('/').next().unwrap_or_default(), line.line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, number) => format!("{file}:{number}"),
    }
}

/// One instruction of the listing.
pub(crate) struct CodeLine {
    pub(crate) address: u64,
    pub(crate) text: String,
    pub(crate) source: String,
}

impl CodeLine {
    fn json(&self) -> Value {
        json!({ "address": format!("{:#x}", self.address), "text": self.text, "source": self.source })
    }
}

/// The instructions of a block, each with its line where that is another one than before.
pub(crate) fn code<'a>(
    of: Code<'a>,
    bound: &'a Bound,
    block: u64,
) -> impl Iterator<Item = CodeLine> + 'a {
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
