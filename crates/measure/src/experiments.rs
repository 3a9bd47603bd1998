//! The systems that measure.
//!
//! The kernel's search for the next release grows with the number of threads, and the table is
//! meant for systems of up to so many: where releases are measured, other threads do nothing,
//! but they are there.

use fusee_model::Protocol;

use crate::decisions::decisions;
use crate::experiment::{Experiment, files};
use crate::lifting::{CEILINGS, lifted};
use crate::queue::queue;
use crate::setting::Setting;
use crate::setting::THREADS;
use crate::sleepers::sleepers;
use crate::words::{nest, words};

/// The longest queue that a system of so many threads can have: all but the holder and one that
/// runs.
pub(crate) const fn most_waiters(threads: usize) -> usize {
    threads - 2
}

/// Returns all systems, the quick ones first. Queues are as long as `longest`.
pub fn experiments(setting: Setting, longest: usize) -> Vec<Experiment> {
    let mut all = vec![gates()];
    all.extend(["inherited", "fifo"].map(contention).map(without_budgets));
    all.extend([mutexes(), queued_jobs(), interrupt(), messages()]);
    all.extend([chain(), jobs(), events(), slices(), deepest()].map(without_budgets));
    all.extend([
        with_budgets(contention("inherited"), "low high"),
        with_budgets(chain(), "high task1 task2 task3 task4 task5 task6 task7"),
        with_budgets(jobs(), "spinner job"),
        with_budgets(events(), "waiter sender late last"),
        with_budgets(slices(), "one two"),
        with_budgets(deepest(), "low high"),
    ]);
    all.extend(["suspend", "continue"].map(budgets));
    all.extend(["continue", "restart"].map(faults));
    let most = most_waiters(setting.threads);
    let waiters: String = (0..most).map(|i| format!(" waiter{i}")).collect();
    all.push(with_budgets(queue(most), &format!("holder releaser spinner{waiters}")));
    all.push(without_budgets(queue(longest.max(most))));
    all.into_iter().map(|experiment| experiment.in_setting(setting)).collect()
}

/// The same for a kernel that orders threads by deadlines. The one that is left out needs a
/// callback that preempts, and callbacks have no deadline.
pub fn experiments_by_deadline(setting: Setting, longest: usize) -> Vec<Experiment> {
    let mut all = experiments(setting, longest);
    all.retain(|experiment| experiment.name != "interrupt");
    let mut all: Vec<_> =
        all.into_iter().map(|experiment| experiment.with_deadlines(Protocol::Srp)).collect();
    let more = gates().in_setting(setting).called("non_preemptive");
    all.push(more.with_deadlines(Protocol::NonPreemptive));
    all
}

/// The same for a kernel that has the priority ceiling protocol.
pub fn experiments_by_ceiling(setting: Setting, longest: usize) -> Vec<Experiment> {
    let mut more = vec![without_budgets(contention("ceiling"))];
    more.push(with_budgets(contention("ceiling"), "low high"));
    more.extend([1, CEILINGS].map(lifted));
    let more = more.into_iter().map(|experiment| experiment.in_setting(setting));
    let all = experiments(setting, longest).into_iter().chain(more);
    let instead = gates().called("ceiling").in_setting(setting);
    let instead = instead.with_ceilings(Some(Protocol::Ceiling));
    all.map(|experiment| experiment.with_ceilings(None)).chain([instead]).collect()
}

/// The same for a kernel that has schedulers as well.
pub fn experiments_by_ceiling_below_schedulers(
    setting: Setting,
    longest: usize,
) -> Vec<Experiment> {
    let longer = longer_below_schedulers(setting);
    let all = experiments_by_ceiling(longer, longest).into_iter();
    let all = all.map(Experiment::beside_schedulers);
    all.chain(decisions(setting).into_iter().map(|own| own.with_ceilings(None))).collect()
}

/// Returns these for a kernel that has, besides what they are for, mutexes that are words;
/// `ordered` makes a system one for the kernel that they are for.
pub fn by_word(
    all: Vec<Experiment>,
    setting: Setting,
    ordered: fn(Experiment) -> Experiment,
) -> Vec<Experiment> {
    let own = [words(setting), nest(setting)].map(ordered);
    all.into_iter().map(Experiment::with_word).chain(own).collect()
}

/// The same for a kernel that lets threads sleep on each other's account.
pub fn by_service(
    all: Vec<Experiment>,
    setting: Setting,
    ordered: fn(Experiment) -> Experiment,
) -> Vec<Experiment> {
    let words = [words(setting), nest(setting)].map(ordered);
    let own = [without_budgets(sleepers()), with_budgets(sleepers(), "holder top sleeper0")];
    let own = own.map(|experiment| ordered(experiment.in_setting(setting)));
    all.into_iter().chain(words).map(Experiment::with_service).chain(own).collect()
}

/// The same for a kernel that has schedulers, with what those take that come with Fusee.
pub fn experiments_below_schedulers(setting: Setting, longest: usize) -> Vec<Experiment> {
    let longer = longer_below_schedulers(setting);
    let all = experiments(longer, longest).into_iter().map(Experiment::beside_schedulers);
    all.chain(decisions(setting)).collect()
}

/// Returns a setting for a kernel with schedulers: its ways are so many times as long, at most.
fn longer_below_schedulers(setting: Setting) -> Setting {
    Setting { stretch: 2, crowded_stretch: 4, ..setting }
}

/// Returns a system whose threads may run as long as they like.
fn without_budgets(experiment: Experiment) -> Experiment {
    experiment.with("budgets", "").with("kind", "")
}

/// Returns a system in which some threads have budgets, which never end: their time is counted at
/// each switch.
fn with_budgets(experiment: Experiment, threads: &str) -> Experiment {
    let budgets =
        threads.split(' ').map(|thread| format!("{thread}.budget = \"1000 s\";\n        "));
    experiment
        .with("budgets", &budgets.collect::<String>())
        .with("kind", ".budget")
        .called("budget")
}

fn gates() -> Experiment {
    let files = files!(
        "gates",
        "components/Client/client.c",
        "components/Server/server.c",
        "components/Pass/pass.c",
        "components/Inner/inner.c"
    );
    Experiment::new("gates", files, 1_000, THREADS)
}

fn contention(protocol: &str) -> Experiment {
    let files = files!(
        "contention",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Server/server.c"
    );
    Experiment::new("contention", files, 240, THREADS).with("protocol", protocol).called(protocol)
}

/// Mutexes each of whose locks is a call.
fn mutexes() -> Experiment {
    let files = files!(
        "mutex",
        "components/Alone/alone.c",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Server/server.c"
    );
    let mutexes = Experiment::new("mutex", files, 290, THREADS).with("locking", "");
    mutexes.with("waits", "mutex.waits").with("served", "mutex.served")
}

fn chain() -> Experiment {
    let files = files!(
        "chain",
        "components/Task/task.c",
        "components/High/high.c",
        "components/Link/link.c",
        "components/End/end.c"
    );
    Experiment::new("chain", files, 2_200, THREADS)
}

/// Jobs that begin at once.
fn jobs() -> Experiment {
    let files = files!("jobs", "components/Job/job.c", "components/Spinner/spinner.c");
    Experiment::new("jobs", files, 101, 3)
        .with("other_period", "1000 s")
        .with("other_offset", "999 s")
        .with("period", "10007")
        .with("what", "board((volatile uint64_t *)board)")
}

/// Jobs that find a higher one at work, and one that never begins.
fn queued_jobs() -> Experiment {
    let files = files!("jobs", "components/Job/job.c", "components/Spinner/spinner.c");
    let jobs = Experiment::new("jobs", files, 101, 3)
        .with("other_period", "10007 ns")
        .with("other_offset", "5 us");
    without_budgets(jobs).with("period", "1000000000").with("what", "clock()").called("queued")
}

fn events() -> Experiment {
    let files = files!(
        "events",
        "components/Waiter/waiter.c",
        "components/Sender/sender.c",
        "components/Late/late.c",
        "components/Last/last.c"
    );
    Experiment::new("events", files, 200, THREADS)
}

fn interrupt() -> Experiment {
    // The handler's thread is one more.
    Experiment::new("interrupt", files!("interrupt", "components/Device/device.c"), 60, 2)
}

fn deepest() -> Experiment {
    let files = files!(
        "deepest",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Level/level.c",
        "components/Last/last.c"
    );
    Experiment::new("deepest", files, 240, 2)
}

fn messages() -> Experiment {
    let files = files!("messages", "components/Client/client.c", "components/Server/server.c");
    Experiment::new("messages", files, 4_000, 1)
}

fn slices() -> Experiment {
    Experiment::new("slices", files!("slices", "components/Spinner/spinner.c"), 230, THREADS)
}

fn budgets(action: &str) -> Experiment {
    let files = files!("budgets", "components/Eager/eager.c", "components/Spinner/spinner.c");
    Experiment::new("budgets", files, 130, 2).with("action", action).called(action)
}

fn faults(action: &str) -> Experiment {
    let files = files!("faults", "components/Client/client.c", "components/Server/server.c");
    Experiment::new("faults", files, 200, THREADS).with("action", action).called(action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Others;

    #[test]
    fn every_word_is_filled_in() {
        let setting = Setting {
            runs: 8,
            threads: 40,
            stretch: 4,
            crowded_stretch: 5,
            startup: 6,
            gap: 7,
            serial: 1,
            serial_interrupt: 2,
            others: Others::Walk,
        };
        let all = [
            experiments(setting, 3),
            experiments_by_deadline(setting, 3),
            experiments_by_ceiling(setting, 3),
            by_word(experiments(setting, 3), setting, |experiment| experiment),
            by_service(experiments(setting, 3), setting, |one| one.with_ceilings(None)),
            experiments_below_schedulers(setting, 3),
        ];
        for experiment in all.concat() {
            for (name, text) in experiment.files {
                let text = experiment.fill(text);
                assert!(!text.contains('@'), "{}/{name}: {text}", experiment.name);
            }
        }
    }

    #[test]
    fn larger_systems_are_filled_up_and_have_longer_queues() {
        let of = |threads| experiments(Setting { threads, ..Setting::instructions(8) }, 30);
        let named = |all: &[Experiment], name: &str| {
            let found = all.iter().find(|experiment| experiment.name == name).cloned();
            found.unwrap_or_else(|| panic!("there is {name}"))
        };
        let padding = |experiment: &Experiment| {
            let text = experiment.fill(experiment.files[0].1);
            (text.matches("component Padding ").count(), text.matches(".period").count())
        };
        let (usual, larger) = (of(THREADS), of(64));
        let (few, many) = (named(&usual, "jobs-budget"), named(&larger, "jobs-budget"));
        assert_eq!(padding(&many).0 - padding(&few).0, 32);
        assert_eq!(padding(&many).1 - padding(&few).1, 32);
        // All but the holder and one that runs.
        for name in ["queue-62", "queue-62-budget"] {
            named(&larger, name);
            assert!(!usual.iter().any(|experiment| experiment.name == name));
        }
        let same = ["contention-fifo", "chain", "events"];
        assert!(
            same.iter().all(|name| padding(&named(&usual, name)) == padding(&named(&larger, name)))
        );
    }
}
