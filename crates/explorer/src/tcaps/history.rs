//! A violation's history, told step by step.

use std::fmt::Write;

use super::step::standing_name;
use super::view::View;
use super::{System, Violation, World};

impl Violation {
    /// Returns the history: each step, and what stands how then.
    pub fn history(&self, system: &System) -> String {
        let tables = system.tables();
        let mut world = World::start(&tables);
        let mut text = format!("{}: {}\n", system.name, self.breach);
        for (number, step) in self.steps.iter().enumerate() {
            let taken = step.take(&tables, &mut world.store, &mut world.now);
            text += &format!("{:3}. {step}", number + 1);
            if let Err(error) = taken {
                text += &format!(", refused: {error:?}");
            }
            let view = View::of(&tables, &world.store, world.now);
            text += &format!("\n     {}\n", told(&view));
        }
        text
    }
}

/// Returns a state in a line.
pub(super) fn told(view: &View<'_>) -> String {
    let mut text = match view.running {
        None => "nobody runs;".to_owned(),
        Some(running) => format!("T{running} runs;"),
    };
    for thread in view.threads() {
        let _ = write!(text, " T{thread} {}", standing_name(view.standing(thread)));
        if let Some(account) = view.payer_of(thread) {
            let _ = write!(text, " on A{account}");
        }
    }
    for (number, held) in view.accounts.iter().enumerate() {
        let opinions: Vec<String> =
            held.opinions.iter().map(|(who, what)| format!("{who}:{what}")).collect();
        let balance = held.balance.map_or("infinite".to_owned(), |balance| balance.to_string());
        let _ = write!(text, "; A{number} {balance} {{{}}}", opinions.join(" "));
    }
    for scheduler in 0..view.tables.schedulers.len() {
        let _ = write!(text, "; S{scheduler} events {:?}", view.events(scheduler));
    }
    text
}
