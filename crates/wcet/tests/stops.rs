//! The ends of a program: paths count up to there, none is dropped.

use std::path::{Path, PathBuf};

use fusee_diagnostics::SourceMap;
use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, Faults, bound};
use fusee_wcet::facts::FactsFile;
use fusee_wcet::lines::Lines;
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

/// The stated number for code that is not executed.
const STATED: u64 = 1234;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stops/programs.c")
}

/// Returns the line of source with a mark, as facts name it.
fn line(mark: &str) -> String {
    let text = std::fs::read_to_string(source()).expect("the source");
    let mark = format!("/* {mark} */");
    let number = text.lines().position(|line| line.contains(&mark)).expect("a mark") + 1;
    format!("programs.c:{number}")
}

struct Fixture {
    program: Program,
    lines: Lines,
    case: String,
}

impl Fixture {
    fn new(target: Target, level: &str) -> Self {
        let case = format!("stops-{target:?}{level}");
        let flags = ["-g", "-fno-optimize-sibling-calls", "-fno-ipa-icf"];
        let flags = &flags[..if matches!(target, Target::Rv32 | Target::Rv64) { 3 } else { 2 }];
        let bytes = std::fs::read(build_with(&[&source()], &case, target, level, flags));
        let bytes = bytes.expect("the ELF");
        let program = Program::load(&bytes).expect("a program");
        Self { program, lines: Lines::read(&bytes), case }
    }

    fn address(&self, name: &str) -> u64 {
        self.program.symbol(name).unwrap_or_else(|| panic!("no {name}")).address
    }

    fn read(&self, facts: &str) -> Result<FactsFile, Vec<&'static str>> {
        let mut sources = SourceMap::default();
        let file = sources.add("facts.toml", facts.to_owned());
        FactsFile::read(&sources, file, &self.program, &self.lines)
            .map_err(|wrong| wrong.iter().map(|diagnostic| diagnostic.code.0).collect())
    }

    fn with(&self, entry: &str, facts: &Facts) -> Bound {
        let effort = Effort { blocks: 200_000, ..Effort::default() };
        bound(&self.program, &Instructions, self.address(entry), facts, effort).expect("no failure")
    }

    fn bound(&self, entry: &str, facts: &str) -> Bound {
        let facts = self.read(facts).unwrap_or_else(|wrong| panic!("{facts}: {wrong:?}"));
        let found = self.with(entry, &facts.facts);
        let wrong = facts.judge(std::slice::from_ref(&found));
        assert!(wrong.is_empty(), "{} {entry}: {wrong:?}", self.case);
        found
    }

    /// Returns the bound where paths end as is asked for: nothing else is in the way.
    fn settled(&self, entry: &str) -> u64 {
        let found = self.bound(entry, "");
        assert_eq!(found.time, None, "{} {entry}", self.case);
        let facts: Vec<String> =
            found.obstacles.iter().map(|obstacle| obstacle.fact.clone()).collect();
        let ends = facts.iter().filter_map(|fact| fact.strip_prefix("ends = ["));
        let ends: Vec<&str> = ends.filter_map(|list| list.strip_suffix(']')).collect();
        let text = format!("ends = [{}]\n", ends.join(", "));
        let found = self.bound(entry, &text);
        assert_eq!(found.path.iter().map(|visit| visit.time).sum::<u64>(), found.time.unwrap_or(0));
        found.time.unwrap_or_else(|| panic!("{} {entry}: {:?}", self.case, found.obstacles))
    }

    fn run(&self, entry: &str, argument: u64) -> u64 {
        Interpreter::new(&self.program).call(self.address(entry), argument)
    }
}

/// Does something for all processors at two levels.
fn everywhere(check: impl Fn(&Fixture) + Sync) {
    let targets = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
    let cases = targets.map(|target| ["-O1", "-Os"].map(|level| (target, level))).concat();
    side_by_side(&cases, |_, &(target, level)| check(&Fixture::new(target, level)));
}

#[test]
fn a_path_to_a_breakpoint_counts_up_to_it() {
    everywhere(|fixture| {
        for (entry, worst) in [
            ("stop_behind_work", 1),
            ("stop_undefined", 1),
            ("stop_in_callee", 1),
            ("stop_late", 19_999),
        ] {
            let (time, run) = (fixture.settled(entry), fixture.run(entry, worst));
            let case = format!("{} {entry}: {time}, {run}", fixture.case);
            assert!(run <= time && time <= run + run / 100 + 2, "{case}");
        }
    });
}

#[test]
fn whoever_goes_back_from_a_trap_does_not_return_to_a_caller() {
    everywhere(|fixture| {
        for entry in ["back_at_once", "back_or_return", "back_from_loop", "back_otherwise"] {
            let found = fixture.bound(entry, "");
            let case = format!("{} {entry}: {:?}", fixture.case, found.obstacles);
            assert_eq!(found.time, Some(fixture.run(entry, 1)), "{case}");
            let behind = fixture.address("not_reached");
            assert!(!found.coverage.reached.contains_key(&behind), "{case}");
        }
    });
}

#[test]
fn what_comes_back_takes_the_time_that_is_stated() {
    everywhere(|fixture| {
        let entry = "ask_in_callee";
        let run = fixture.run(entry, 0);
        // Memory may be written meanwhile: how often the last loop iterates is not known.
        let place = fixture.bound(entry, "").obstacles[0].symbol.clone();
        let open = fixture.bound(entry, &format!("times.\"{place}\" = {STATED}\n"));
        assert_eq!(open.time, None, "{}", fixture.case);
        let stated = |place: &str, writes: &str| {
            let time = format!("{{ time = {STATED}, writes = [{writes}], stack = 48 }}");
            fixture.bound(entry, &format!("times.\"{place}\" = {time}\n"))
        };
        let [trap, call] = [place.as_str(), "asks"].map(|place| stated(place, "\"sink\""));
        assert_eq!(trap.time, Some(run + STATED), "{} {:?}", fixture.case, trap.obstacles);
        let own = fixture.run("asks", 0);
        match place.as_str() {
            // A function that begins with its system call is executed up to there and behind it.
            "asks" => assert_eq!(call.time, trap.time),
            _ => assert_eq!(call.time, Some(run - own + STATED), "{}", fixture.case),
        }
        assert!(call.stack_bytes.is_some_and(|bytes| bytes >= 48), "{:?}", call.stack_bytes);
        assert_eq!(stated("asks", "\"sink\", \"counter\"").time, None, "{}", fixture.case);
        let found = fixture.bound(entry, &format!("ends = [\"{place}\"]\n"));
        assert!(found.time.is_some_and(|time| time < run), "{} {:?}", fixture.case, found.time);
    });
}

/// A request to a debugger is a breakpoint that comes back: what follows is an obstacle until its
/// time is stated, and then it is counted.
#[test]
fn a_request_to_a_debugger_takes_the_time_that_is_stated() {
    everywhere(|fixture| {
        let entry = "logged";
        let (until, run) = (fixture.run(entry, 1), fixture.run("logged_by_kernel", 1));
        assert!(run > until + 2000, "{}: {run} goes on behind {until}", fixture.case);
        assert_eq!(fixture.settled(entry), until, "{}", fixture.case);
        let faults = Faults::Counted;
        let counted = fixture.with(entry, &Facts { faults, ..Facts::default() });
        assert_eq!(counted.time, Some(until), "{}", fixture.case);
        let place = fixture.bound(entry, "").obstacles[0].symbol.clone();
        for place in [place, line("asks a debugger")] {
            let time = format!("{{ time = {STATED}, writes = [], stack = 0 }}");
            let found = fixture.bound(entry, &format!("times.\"{place}\" = {time}\n"));
            let case = format!("{} {place}: {:?}", fixture.case, found.obstacles);
            assert_eq!(found.time, Some(run + STATED), "{case}");
        }
    });
}

#[test]
fn what_leads_nowhere_is_an_obstacle() {
    everywhere(|fixture| {
        for (entry, fact) in [("never_endless", "unreachable"), ("never_elsewhere", "")] {
            let found = fixture.bound(entry, "");
            let facts: Vec<&str> =
                found.obstacles.iter().map(|obstacle| obstacle.fact.as_str()).collect();
            let case = format!("{} {entry}: {facts:?}", fixture.case);
            assert!(found.time.is_none() && facts.len() == 1, "{case}");
            assert!(facts[0].starts_with(fact) && facts[0].is_empty() == fact.is_empty(), "{case}");
        }
    });
}

#[test]
fn what_waits_says_so() {
    everywhere(|fixture| {
        let found = fixture.bound("waits", "");
        assert!(found.time.is_some_and(|time| time > 3), "{}", fixture.case);
        let says = |one: &String| one.contains("waits for an interrupt");
        assert!(found.grounds.assumptions.iter().any(says), "{:?}", found.grounds.assumptions);
        assert_eq!(fixture.bound("wait_for_it", "").time, None, "{}", fixture.case);
    });
}

#[test]
fn faults_that_do_not_happen_are_listed_and_those_that_count_are_counted() {
    everywhere(|fixture| {
        let entry = "stop_in_callee";
        let with = |faults| fixture.with(entry, &Facts { faults, ..Facts::default() });
        let counted = with(Faults::Counted);
        assert_eq!(counted.time, Some(fixture.run(entry, 1)), "{}", fixture.case);
        let excluded = with(Faults::Excluded([fixture.address("gives_up")].into()));
        assert_eq!(excluded.time, Some(fixture.run(entry, 0)), "{}", fixture.case);
        let says = |bound: &Bound| {
            bound.grounds.assumptions.iter().any(|one| one == "no fault happens, at `gives_up`")
        };
        assert!(says(&excluded) && !says(&counted), "{:?}", excluded.grounds.assumptions);
        assert!(says(&with(Faults::Excluded([].into()))));
    });
}

#[test]
fn facts_about_what_leaves_nothing_are_refused() {
    let fixture = Fixture::new(Target::Rv64, "-O1");
    for facts in [
        "ends = [\"work+0x2\"]",
        "ends = \"work\"",
        "times.\"work\" = -1",
        "times.\"work\" = 18446744073709551615",
        "times.\"work\" = { time = 1, stack = 9223372036854775808 }",
        "times.\"work\" = { writes = [] }",
        "times.\"work\" = { time = 1, reads = [] }",
        "times.\"work\" = { time = 1, writes = \"sink\" }",
        "[times]\nwork = 1\n\"work+0x0\" = 2",
    ] {
        assert_eq!(fixture.read(facts).err(), Some(vec!["F0805"]), "{facts}");
    }
    for facts in ["ends = [\"nobody\"]", "times.\"work\" = { time = 1, writes = [\"nothing\"] }"] {
        assert_eq!(fixture.read(facts).err(), Some(vec!["F0806"]), "{facts}");
    }
}
