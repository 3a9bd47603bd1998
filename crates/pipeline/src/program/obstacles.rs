//! The obstacles to a bound: each cause once, idle stores apart.
//!
//! What has one cause, and is settled by one fact, is one obstacle however many
//! places it has: loops without a way out (assertions, as a rule), system calls.
//! Stores that may go anywhere stand in the way of nothing by themselves: where
//! facts settle all the obstacles, there is a bound whatever these stores do.

use std::collections::BTreeMap;

use fusee_wcet::execute::{Bound, Obstacle};
use fusee_wcet::facts::{ends_line, time_line, unreachable_line};
use fusee_wcet::names::readable_text;
use serde_json::Value;

use super::Code;
use super::worst_path::{place_json, source_at};

/// The kinds of facts that list places.
const LISTS: [&str; 2] = ["unreachable", "ends"];
/// The kind of facts about what is not executed.
const TIMES: &str = "times.";

/// An obstacle, with all places of its cause.
pub struct Group<'a> {
    /// Each place; there is at least one.
    pub places: Vec<&'a Obstacle>,
    /// The fact that settles all of it; empty if none does.
    pub fact: String,
}

impl Group<'_> {
    /// Returns the fact that is not known.
    pub fn what(&self) -> &str {
        &self.places[0].what
    }

    /// Returns the places for people.
    pub fn place_texts(&self, code: Code<'_>) -> Vec<String> {
        let text = |place: &&Obstacle| place_text(place, &source_at(code, place.address));
        self.places.iter().map(text).collect()
    }

    /// It in a sentence; the first place stands for all.
    pub fn sentence(&self) -> String {
        let more = match self.places.len() {
            1 => String::new(),
            several => format!(" and {} more", several - 1),
        };
        format!("`{}`{more}: {}", readable_text(&self.places[0].symbol), readable_text(self.what()))
    }

    /// It for programs.
    pub fn json(&self, code: Code<'_>) -> Value {
        let mut said = placed_json(self.places[0], code);
        said["fact"] = self.fact.clone().into();
        if let [_, others @ ..] = &self.places[..]
            && !others.is_empty()
        {
            let place = |other: &&Obstacle| {
                let mut said = place_json(other.address, &other.symbol);
                said["source"] = source_at(code, other.address).into();
                said
            };
            said["also_at"] = others.iter().map(place).collect();
        }
        said
    }
}

/// Returns the obstacles to a bound of a program with these lines of source.
pub fn groups<'b>(bound: &'b Bound, code: Code<'_>) -> Vec<Group<'b>> {
    let mut found: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for obstacle in bound.obstacles.iter().filter(|one| one.decides()) {
        let is_list = LISTS.iter().any(|list| obstacle.fact.starts_with(list));
        // What was inlined at several places has one line, and a time for that is one for all.
        let line = match obstacle.fact.starts_with(TIMES) {
            true => line_at(code, obstacle.address),
            false => String::new(),
        };
        let is_common = is_list || obstacle.fact.is_empty() || !line.is_empty();
        let cause = (obstacle.what.as_str(), line);
        let same = known.get(&cause).filter(|_| is_common);
        match same {
            Some(&index) => found[index].places.push(obstacle),
            None => {
                if is_common {
                    known.insert(cause, found.len());
                }
                let fact = obstacle.fact.clone();
                found.push(Group { places: vec![obstacle], fact });
            }
        }
    }
    for group in &mut found {
        let places: Vec<&str> = group.places.iter().map(|place| place.symbol.as_str()).collect();
        match LISTS.map(|list| group.fact.starts_with(list)) {
            [true, _] => group.fact = unreachable_line(&places),
            [_, true] => group.fact = ends_line(&places),
            _ if places.len() > 1 && group.fact.starts_with(TIMES) => {
                group.fact = time_line(&line_at(code, group.places[0].address), "N");
            }
            _ => {}
        }
    }
    found
}

/// Returns the line of source at an address as facts name it; empty where it is not known.
fn line_at(code: Code<'_>, address: u64) -> String {
    let line = source_at(code, address);
    if line.contains(':') { line } else { String::new() }
}

/// Iterates over the obstacles that do not prevent the bound by themselves.
pub fn idle(bound: &Bound) -> impl Iterator<Item = &Obstacle> {
    bound.obstacles.iter().filter(|obstacle| !obstacle.decides())
}

/// Returns an obstacle for programs, with its line of source.
pub fn placed_json(obstacle: &Obstacle, code: Code<'_>) -> Value {
    let mut said = obstacle_json(obstacle);
    said["source"] = source_at(code, obstacle.address).into();
    said
}

/// Returns the place of an obstacle, with its line of source where that is known.
pub fn place_text(obstacle: &Obstacle, source: &str) -> String {
    let place = match format!("{:#x}", obstacle.address) {
        address if address == obstacle.symbol => address,
        address => format!("{} ({address})", readable_text(&obstacle.symbol)),
    };
    if source.is_empty() { place } else { format!("{place}, {source}") }
}

/// Returns an obstacle for programs.
pub fn obstacle_json(obstacle: &Obstacle) -> Value {
    let mut said = place_json(obstacle.address, &obstacle.symbol);
    said["what"] = obstacle.what.clone().into();
    said["fact"] = obstacle.fact.clone().into();
    said
}
