//! Chains without guarantee as diagnostics.

use fusee_model::{Chain, Duration, System};

use super::message::{Message, Places};
use crate::bound::Analysis;
use crate::chain_bound::{ChainBound, ChainObstacle, ChainPart, ChainPartKind};
use crate::rules;

/// One message for each time of a chain that is not bounded, or longer than allowed.
pub(super) fn all(system: &System, analysis: &Analysis, places: Places<'_>) -> Vec<Message> {
    let chains = system.chains.iter().zip(&analysis.chains);
    chains.flat_map(|(chain, bound)| of_chain(system, (chain, bound), places)).collect()
}

fn of_chain(
    system: &System,
    (chain, bound): (&Chain, &ChainBound),
    places: Places<'_>,
) -> Vec<Message> {
    let mut messages = Vec::new();
    let times = [
        ("reaction time", bound.reaction, bound.within, (&bound.parts, "reads")),
        ("data age", bound.age, bound.age_limit, (&bound.age_parts, "writes")),
    ];
    for (what, found, limit, (parts, does)) in times {
        match found {
            // An age that nobody has limited is worth a message only beside a reaction without a
            // bound.
            Err(obstacle) if limit.is_some() || bound.reaction.is_err() => {
                messages.push(unbounded(system, (chain, what), obstacle, places));
            }
            Ok(found) if limit.is_some_and(|limit| found > limit) => {
                let limit = limit.unwrap_or_default();
                let text =
                    format!("the {what} of `{}` may be {found}, {limit} allowed", chain.name);
                let message = Message::new(&rules::CHAIN, text).place(
                    places,
                    chain.origin,
                    "this chain".to_owned(),
                );
                let parts = longest(system, parts, does);
                messages.push(parts.into_iter().fold(message, Message::note));
            }
            Ok(_) | Err(_) => {}
        }
    }
    // The same reason need not be told twice.
    if messages.len() == 2 && bound.reaction == bound.age {
        messages.pop();
    }
    messages
}

/// Returns the three largest parts, and what the others come to: together they are the bound.
fn longest(system: &System, parts: &[ChainPart], does: &str) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut parts = parts.to_vec();
    parts.retain(|part| part.time > Duration::ZERO);
    parts.sort_by_key(|part| std::cmp::Reverse(part.time));
    // One that is left over takes no more room than a sum.
    let shown = if parts.len() == SHOWN + 1 { parts.len() } else { SHOWN.min(parts.len()) };
    let (largest, others) = parts.split_at(shown);
    let mut notes: Vec<String> = largest.iter().map(|part| describe(system, *part, does)).collect();
    if !others.is_empty() {
        let rest = others
            .iter()
            .map(|part| part.time)
            .fold(Duration::ZERO, |sum, time| Duration(sum.ns().saturating_add(time.ns())));
        notes.push(format!("{rest} in {} shorter parts", others.len()));
    }
    notes
}

fn describe(system: &System, part: ChainPart, does: &str) -> String {
    let (name, time): (&str, Duration) = (&system.task(part.task).name, part.time);
    match part.kind {
        ChainPartKind::Wait => format!("{time} until `{name}` {does} again"),
        ChainPartKind::Response => format!("{time} for the response of `{name}`"),
        ChainPartKind::Deferral => {
            format!("{time} until `{name}` may be released by a signal that came with others")
        }
    }
}

fn unbounded(
    system: &System,
    (chain, what): (&Chain, &str),
    obstacle: ChainObstacle,
    places: Places<'_>,
) -> Message {
    let name = |task: fusee_model::TaskId| system.task(task).name.as_str();
    let event =
        |event: fusee_model::NotificationId| system.notifications[event.index()].name.as_str();
    let (why, note) = match obstacle {
        ChainObstacle::NoResponse { task } => {
            (format!("the response of `{}` has none", name(task)), None)
        }
        ChainObstacle::Unpaced { task } => (
            format!("nothing says how long `{}` may have no job", name(task)),
            Some(
                "a `period` of a sporadic task or of an event from outside is the least time \
                 between two",
            ),
        ),
        ChainObstacle::NotAlways { task, event: id } => {
            (format!("not every job of `{}` signals `{}`", name(task), event(id)), None)
        }
        ChainObstacle::Joined { task, event: id } => (
            format!(
                "`{}` is released by a device or the end of a budget, too, which signals `{}`",
                name(task),
                event(id)
            ),
            Some("how often that comes is not known"),
        ),
        ChainObstacle::TooOften { task, event: id } => (
            format!("`{}` comes more often than `{}` may be released", event(id), name(task)),
            Some("releases that come before the `period` is over are deferred, and beyond 16 lost"),
        ),
        ChainObstacle::OtherCore { task } => (
            format!("`{}` is released from another core", name(task)),
            Some("nobody knows how long that core takes to look for signals of others"),
        ),
        ChainObstacle::Overflow => ("the sum does not fit 64 bits".to_owned(), None),
    };
    let text = format!("the {what} of `{}` has no bound: {why}", chain.name);
    let message = Message::new(&rules::CHAIN_WITHOUT_BOUND, text).place(
        places,
        chain.origin,
        "this chain".to_owned(),
    );
    note.into_iter().fold(message, Message::note)
}
