//! The obstacles to a bound, in words.

use fusee_pipeline::program::Code;
use fusee_pipeline::program::obstacles::{Group, groups, idle, place_text};
use fusee_pipeline::program::worst_path::source_at;
use fusee_wcet::execute::{Bound, Obstacle};
use fusee_wcet::names::readable_text;
use fusee_wcet::place::readable_fact;

/// Stores that are listed; the others are counted.
const SHOWN: usize = 8;

/// All of it, and behind it what may not matter.
pub(crate) fn text(code: Code<'_>, bound: &Bound) -> String {
    let mut text = String::new();
    groups(bound, code).iter().for_each(|group| text += &group_text(group, code));
    let idle: Vec<&Obstacle> = idle(bound).collect();
    if idle.is_empty() {
        return text;
    }
    text += "  may not matter, as the obstacles above decide: nothing bounds where these stores \
             go, so they\n  may have changed what obstacles depend on\n";
    for store in idle.iter().take(SHOWN) {
        let place = place_text(store, &source_at(code, store.address));
        text += &format!("      {place}: {}\n", store.fact);
    }
    if let Some(more) = idle.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        text += &format!("      and {more} more, which --json lists\n");
    }
    text
}

fn group_text(group: &Group<'_>, code: Code<'_>) -> String {
    let places = group.place_texts(code);
    let mut text = format!("  {}: {}\n", places[0], readable_text(group.what()));
    places[1..].iter().for_each(|place| text += &format!("      also {place}\n"));
    text + &settled(&readable_fact(code.program, &group.fact))
}

/// One obstacle by itself.
pub(crate) fn single(obstacle: &Obstacle) -> String {
    let what = readable_text(&obstacle.what);
    format!("  {}: {what}\n{}", place_text(obstacle, ""), settled(&obstacle.fact))
}

fn settled(fact: &str) -> String {
    match fact {
        "" => "      no fact can settle this\n".to_owned(),
        fact => format!("      add to the facts: {fact}\n"),
    }
}
