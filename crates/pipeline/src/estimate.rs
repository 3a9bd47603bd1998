//! The time of a run on this host, said before it begins.
//!
//! A run on a terminal has a sign of life, but a script's reader, and who has mistyped a
//! time, want to know before. Both estimates are of the host's order of magnitude, on
//! the slow side, and nothing rests on them.

use fusee_model::{Duration, System};
use fusee_platform::{Host, Platform};

/// Jobs that are simulated in a second.
const JOBS: u64 = 1_000_000;
/// Virtual seconds of execution that QEMU emulates in ten seconds.
const EMULATED: u64 = 2;
/// Nothing is said of what takes less, in seconds.
const PATIENCE: u64 = 20;

/// Returns a sentence about a simulation that takes long.
pub fn simulation(system: &System, duration: Duration) -> Option<String> {
    let releases = system.tasks.iter().filter_map(|task| task.release.as_ref());
    let jobs = releases
        .map(|release| duration.ns() / release.period.value.ns().max(1))
        .fold(0, u64::saturating_add);
    said(jobs / JOBS, &format!("simulating about {jobs} jobs"))
}

/// Returns a sentence about a run on so many cores of a machine that takes long.
pub fn machine(platform: Platform, cores: u32, duration: Duration) -> Option<String> {
    match platform.descriptor().host {
        Host::Emulator(_) => emulation(duration),
        Host::Board(board) => said(
            duration.ns() / board.cycles_a_second(cores),
            &format!("simulating each cycle of {duration}"),
        ),
    }
}

/// Returns a sentence about a run on an emulated machine that takes long.
fn emulation(duration: Duration) -> Option<String> {
    let seconds = duration.ns() / 1_000_000_000;
    said(
        seconds.saturating_mul(10) / EMULATED,
        &format!("emulating {duration}, if the processor is busy all the time,"),
    )
    .filter(|_| seconds > 10)
}

fn said(seconds: u64, what: &str) -> Option<String> {
    let time = Duration(seconds.saturating_mul(1_000_000_000));
    let long = seconds > PATIENCE;
    long.then(|| {
        format!("{what} may take about {time}; `--for` makes it shorter, Ctrl-C ends it\n")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_model::{Origin, Release, ReleaseKind, Sourced};

    #[test]
    fn what_takes_long_is_said_before() {
        let mut system = System::default();
        assert_eq!(simulation(&system, Duration(u64::MAX)), None);
        let sourced = |ns| Sourced { value: Duration(ns), origin: Origin::NONE };
        let release = |ns| Release {
            kind: ReleaseKind::Periodic,
            period: sourced(ns),
            offset: Duration::ZERO,
            jitter: sourced(0),
        };
        system.tasks.push(fusee_model::Task {
            name: "t".into(),
            component: 0_usize.into(),
            release: Some(release(100)),
            deadline: None,
            priority: Sourced { value: 1, origin: Origin::NONE },
            priority_source: fusee_model::PrioritySource::Given,
            core: 0,
            budget: None,
            body: fusee_model::Body::default(),
            origin: Origin::NONE,
        });
        let text = simulation(&system, Duration(10_000_000_000)).expect("a hundred million jobs");
        assert!(
            text.starts_with("simulating about 100000000 jobs may take about 100 s; `--for`"),
            "{text}"
        );
        system.tasks[0].release = Some(release(1_000_000));
        assert_eq!(simulation(&system, Duration(10_000_000_000)), None);
    }

    #[test]
    fn a_long_emulation_is_said_before() {
        assert_eq!(emulation(Duration(10_000_000_000)), None);
        let text = emulation(Duration(1_000_000_000_000)).expect("a thousand seconds");
        assert!(text.contains("emulating 1000 s") && text.contains("about 5000 s"), "{text}");
        let is_board = |it: &Platform| matches!(it.descriptor().host, Host::Board(_));
        let board = Platform::ALL.into_iter().find(is_board).expect("a board");
        assert_eq!(machine(board, 2, Duration(2_000_000)), None);
        let text = machine(board, 2, Duration(12_000_000)).expect("a hundred seconds");
        assert!(text.contains("cycle of 12 ms") && text.contains("about 100 s"), "{text}");
        let text = machine(board, 3, Duration(8_000_000)).expect("more cores take longer");
        assert!(text.contains("about 100 s"), "{text}");
    }
}
