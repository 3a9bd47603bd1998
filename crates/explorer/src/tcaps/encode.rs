//! States as byte strings, equal when they behave equally.

use fusee_kernel::tcaps::Funding;
use fusee_kernel::{NEVER, Time};

use super::Ledger;
use super::view::View;

/// Returns the canonical encoding of a state: times from now, tokens left out, cycles that have
/// still to be told left to the ledger, of which what schedulers know counts.
pub(super) fn encode(view: &View<'_>, ledger: &Ledger) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(96);
    let list = |members: Vec<usize>, bytes: &mut Vec<u8>| {
        bytes.extend(members.iter().map(|member| *member as u8));
        bytes.push(u8::MAX);
    };
    list(view.ready(), &mut bytes);
    for (number, held) in view.accounts.iter().enumerate() {
        let due = u8::from(view.is_due(number));
        bytes.extend([held.balance.map_or(i8::MAX, |balance| balance as i8) as u8, due]);
        if matches!(view.tables.accounts[number].funding, Funding::Delegated { .. }) {
            bytes.extend(held.opinions.iter().flat_map(|(who, what)| [*who as u8, *what as u8]));
            bytes.push(u8::MAX);
        }
    }
    for end_point in &view.store.end_points {
        let priority = end_point.priority.map_or(u8::MAX, |priority| priority as u8);
        let place = (end_point.account.0 as u8, u8::from(end_point.pending));
        bytes.extend([end_point.standing as u8, place.0, place.1, priority]);
    }
    let known = ledger.blocked.iter().zip(&ledger.news);
    bytes.extend(known.map(|(blocked, news)| u8::from(*blocked) + 2 * u8::from(*news)));
    for (number, scheduler) in view.store.schedulers.iter().enumerate() {
        bytes.extend([scheduler.place.0 as u8, relative(scheduler.timeout, view.now)]);
        list(view.events(number), &mut bytes);
        list(view.funded(number), &mut bytes);
    }
    bytes.into_boxed_slice()
}

fn relative(time: Time, now: Time) -> u8 {
    if time == NEVER { u8::MAX } else { (time as i64 - now as i64) as i8 as u8 }
}
