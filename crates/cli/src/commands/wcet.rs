//! How long can a function of a program take, and why?

use std::collections::BTreeSet;
use std::fmt::Write;

use fusee_diagnostics::{Diagnostic, SourceMap, render};
use fusee_wcet::execute::{Bound, Obstacle};
use fusee_wcet::machine::{Instructions, Machine};
use fusee_wcet::profile::{Profile, Share};
use serde_json::{Value, json};

use crate::args::Wcet;
use crate::output::{Output, bad};
use crate::status::Status;
use crate::table::{Side, Table};
use crate::wcet::{Task, bounds, load};

/// Blocks of the worst path that are listed for people; JSON has all.
const BLOCKS: usize = 20;

/// Prints a bound for each entry, or what stands in its way.
pub(crate) fn run(arguments: &Wcet, output: &mut Output) -> Status {
    let mut sources = SourceMap::default();
    let task = match load(arguments, &mut sources) {
        Ok(task) => task,
        Err(diagnostics) => return not_bounded(&diagnostics, &sources, output),
    };
    let bounds = match bounds(&task, arguments.machine) {
        Ok(bounds) => bounds,
        Err(failure) => return output.failed(failure),
    };
    let used: BTreeSet<u64> = bounds.iter().flat_map(|bound| bound.facts_used.iter().copied()).collect();
    let diagnostics = task.facts.unused(&used);
    let profiles: Vec<Option<Profile>> =
        bounds.iter().map(|bound| arguments.path.then(|| Profile::of(&task.program, &bound.path))).collect();
    output.json(|| document(&task, &bounds, &profiles, render::json(&diagnostics, &sources)));
    output.diagnostics(&diagnostics, &sources);
    for (index, (((name, _), bound), profile)) in task.entries.iter().zip(&bounds).zip(&profiles).enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        output.text(format!("{gap}{}", entry_text(&task, name, bound, profile.as_ref())));
    }
    if bounds.iter().all(|bound| bound.time.is_some()) { Status::Fine } else { Status::Missed }
}

/// The same shape of result where there is nothing to bound.
fn not_bounded(diagnostics: &[Diagnostic], sources: &SourceMap, output: &mut Output) -> Status {
    output.json(
        || json!({ "machine": Instructions.name(), "entries": [], "diagnostics": render::json(diagnostics, sources) }),
    );
    output.diagnostics(diagnostics, sources);
    Status::BadInput
}

fn document(task: &Task, bounds: &[Bound], profiles: &[Option<Profile>], diagnostics: Value) -> Value {
    let entries = task.entries.iter().zip(bounds).zip(profiles);
    let entries: Vec<Value> =
        entries.map(|(((name, _), bound), profile)| entry_json(task, name, bound, profile.as_ref())).collect();
    let mut document = json!({ "machine": Instructions.name(), "unit": Instructions.unit(), "entries": entries });
    let obstacles: BTreeSet<&Obstacle> = bounds.iter().flat_map(|bound| &bound.obstacles).collect();
    if !obstacles.is_empty() {
        document["obstacles"] = obstacles.into_iter().map(obstacle_json).collect();
    }
    document["diagnostics"] = diagnostics;
    document
}

fn entry_json(task: &Task, name: &str, bound: &Bound, profile: Option<&Profile>) -> Value {
    let facts: Vec<&str> = task.facts.about(&bound.facts_used).map(|given| given.line.as_str()).collect();
    let mut entry = json!({
        "name": name,
        "bound": bound.time,
        "observed": null,
        "facts": facts,
        "stack_bytes": stack(bound),
        "assumptions": bound.assumptions,
    });
    if !bound.obstacles.is_empty() {
        entry["obstacles"] = bound.obstacles.iter().map(obstacle_json).collect();
    }
    if let Some(profile) = profile {
        let shares = |shares: &[Share]| shares.iter().map(share_json).collect::<Vec<_>>();
        entry["path"] = json!({ "functions": shares(&profile.functions), "blocks": shares(&profile.blocks) });
    }
    entry
}

fn obstacle_json(obstacle: &Obstacle) -> Value {
    json!({
        "address": format!("{:#x}", obstacle.address),
        "symbol": obstacle.symbol,
        "what": obstacle.what,
        "fact": obstacle.fact,
    })
}

fn share_json(share: &Share) -> Value {
    json!({
        "address": format!("{:#x}", share.address),
        "symbol": share.name,
        "executed": share.executed,
        "time": share.time,
    })
}

/// The deepest stack, which is only known when every path was followed to its end.
fn stack(bound: &Bound) -> Option<u64> {
    bound.stack_bytes.filter(|_| bound.time.is_some())
}

fn entry_text(task: &Task, name: &str, bound: &Bound, profile: Option<&Profile>) -> String {
    let mut text = match bound.time {
        Some(time) => format!("{name}: at most {time} {}\n", Instructions.unit()),
        None => format!("{name}: {} ({})\n", bad("no bound"), count(bound.obstacles.len(), "obstacle")),
    };
    if bound.time.is_some() {
        let stack =
            stack(bound).map_or("not known".to_owned(), |bytes| format!("at most {}", count(bytes as usize, "byte")));
        let _ = writeln!(text, "  stack: {stack}");
    }
    for given in task.facts.about(&bound.facts_used) {
        let _ = writeln!(text, "  rests on the fact: {}", given.line);
    }
    for assumption in &bound.assumptions {
        let _ = writeln!(text, "  assumes: {assumption}");
    }
    for obstacle in &bound.obstacles {
        text += &obstacle_text(obstacle);
    }
    if let Some(profile) = profile.filter(|_| bound.time.is_some()) {
        text += &profile_text(profile);
    }
    text
}

fn obstacle_text(obstacle: &Obstacle) -> String {
    let place = match format!("{:#x}", obstacle.address) {
        address if address == obstacle.symbol => address,
        address => format!("{} ({address})", obstacle.symbol),
    };
    let settled = match obstacle.fact.as_str() {
        "" => "no fact can settle this".to_owned(),
        fact => format!("add to the facts: {fact}"),
    };
    format!("  {place}: {}\n      {settled}\n", obstacle.what)
}

fn profile_text(profile: &Profile) -> String {
    let mut functions = Table::new(&[("function", Side::Left), ("time", Side::Right)]);
    for share in &profile.functions {
        functions.row([share.name.clone(), share.time.to_string()]);
    }
    let columns = [("block", Side::Left), ("address", Side::Right), ("executed", Side::Right), ("time", Side::Right)];
    let mut blocks = Table::new(&columns);
    for share in profile.blocks.iter().take(BLOCKS) {
        let address = format!("{:#x}", share.address);
        blocks.row([share.name.clone(), address, share.executed.to_string(), share.time.to_string()]);
    }
    let rest = match profile.blocks.len().saturating_sub(BLOCKS) {
        0 => String::new(),
        more => format!("and {} more; --json lists all\n", count(more, "block")),
    };
    format!("\nThe worst path by function:\n\n{functions}\nby block:\n\n{blocks}{rest}")
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
