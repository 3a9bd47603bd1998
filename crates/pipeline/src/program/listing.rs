//! The worst path as text: its time, its steps and its code.

use std::fmt::Write;

use fusee_report::table::{Side, Table};
use fusee_wcet::execute::Bound;
use fusee_wcet::machine::Misses;
use fusee_wcet::names::readable_text;
use fusee_wcet::profile::{Profile, Share};
use fusee_wcet::walk::Step;

use super::Code;
use super::worst_path::{WorstPath, block_text, code, source};

/// Blocks and lines of the worst path that are listed for people; JSON has all.
const LISTED: usize = 20;
/// Steps that are listed for people.
const STEPS: usize = 60;
/// Blocks whose code is listed for people.
const CODE: usize = 5;

/// Returns the most important of it as text, with names as people write them.
pub fn text(path: &WorstPath, of: Code<'_>, bound: &Bound) -> String {
    let Profile { functions, blocks, lines } = &path.profile;
    let mut text = format!("\nThe worst path by function:\n\n{}\n", functions_table(functions));
    if !lines.is_empty() {
        let mut table =
            Table::new(&[("line", Side::Left), ("function", Side::Left), ("time", Side::Right)]);
        for share in lines.iter().take(LISTED) {
            table.row([source(&share.line), share.line.function.clone(), share.time.to_string()]);
        }
        let _ =
            writeln!(text, "by line of source:\n\n{table}{}", rest(lines.len(), LISTED, "line"));
    }
    let _ = writeln!(
        text,
        "by block:\n\n{}{}",
        blocks_table(blocks),
        rest(blocks.len(), LISTED, "block")
    );
    text += "step by step, with the time of each:\n\n";
    let mut listed = Vec::new();
    path.steps.iter().for_each(|step| step_lines(of, step, 1, &mut listed));
    for line in listed.iter().take(STEPS) {
        let _ = writeln!(text, "{line}");
    }
    text += &rest(listed.len(), STEPS, "line");
    text += "\nand the code that takes longest:\n";
    for share in blocks.iter().take(CODE) {
        let name = readable_text(&share.name);
        let _ =
            writeln!(text, "\n{name}: executed {} times, {} together", share.executed, share.time);
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
