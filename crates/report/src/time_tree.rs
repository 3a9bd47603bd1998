//! The tree of time: schedulers, their threads, and the time they give.

use crate::table::{Side, Table};
use fusee_model::{System, TaskId};

/// Returns all trees of schedulers for people, roots first.
pub fn table(system: &System) -> Table {
    let mut table = Table::new(&[
        ("time", Side::Left),
        ("priority", Side::Right),
        ("gets", Side::Right),
        ("in every", Side::Right),
        ("gives", Side::Right),
    ]);
    let roots = system.schedulers.iter().map(|scheduler| scheduler.task);
    for root in roots.filter(|&task| system.scheduler_of(task).is_none()) {
        let mut open = vec![(root, 0)];
        while let Some((task, depth)) = open.pop() {
            row(system, (task, depth), &mut table);
            let threads = system.scheduler(task).map_or(&[][..], |scheduler| &scheduler.threads);
            open.extend(threads.iter().rev().map(|thread| (thread.value, depth + 1)));
        }
    }
    table
}

fn row(system: &System, (task, depth): (TaskId, usize), table: &mut Table) {
    let own = system.task(task);
    let above = system.scheduler_of(task);
    let gets = match (above, system.account_limit(task)) {
        (None, _) => "all".to_owned(),
        (Some(_), amount) if amount.ns() == 0 => "-".to_owned(),
        (Some(_), amount) => amount.to_string(),
    };
    let every = above.and_then(|above| above.every).filter(|_| gets != "-");
    let gifts = system.scheduler(task).map_or(&[][..], |scheduler| &scheduler.delegates);
    let given = gifts.iter().fold(0_u64, |sum, gift| sum.saturating_add(gift.amount.value.ns()));
    table.row([
        format!("{}{}", "  ".repeat(depth), own.name),
        own.priority.value.to_string(),
        gets,
        every.map_or_else(|| "-".to_owned(), |every| every.value.to_string()),
        match given {
            0 => "-".to_owned(),
            given => fusee_model::Duration(given).to_string(),
        },
    ]);
}
