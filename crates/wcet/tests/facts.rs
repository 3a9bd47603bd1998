//! Facts: bounds as low as they allow, none below a run, wrong ones refused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_diagnostics::SourceMap;
use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Bound, Effort, bound};
use fusee_wcet::facts::FactsFile;
use fusee_wcet::lines::Lines;
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts/programs.c")
}

struct Fixture {
    program: Program,
    lines: Lines,
}

impl Fixture {
    fn new(level: &str) -> Self {
        Self::linked(level, "--relax")
    }

    fn linked(level: &str, how: &str) -> Self {
        // Nothing is inlined, so that each function has its loops for itself.
        let flags = [
            "-g",
            "-fno-inline",
            "-fno-optimize-sibling-calls",
            "-fno-unroll-loops",
            "-fno-ipa-icf",
            &format!("-Wl,{how}"),
        ];
        let name = format!("facts{level}{how}");
        let elf = build_with(&[&source()], &name, Target::Rv64, level, &flags);
        let bytes = std::fs::read(elf).expect("the ELF");
        Self { program: Program::load(&bytes).expect("a program"), lines: Lines::read(&bytes) }
    }

    fn address(&self, name: &str) -> u64 {
        self.program.symbol(name).unwrap_or_else(|| panic!("no {name}")).address
    }

    /// Returns the bound of a function with facts, and the codes of what is wrong with them.
    fn bound(&self, entry: &str, facts: &str) -> (Bound, Vec<&'static str>) {
        let mut sources = SourceMap::default();
        let file = sources.add("facts.toml", facts.to_owned());
        let facts = match FactsFile::read(&sources, file, &self.program, &self.lines) {
            Ok(facts) => facts,
            Err(wrong) => return (Bound::default(), wrong.iter().map(|d| d.code.0).collect()),
        };
        let effort = Effort { blocks: 100_000, ..Effort::default() };
        let found = bound(&self.program, &Instructions, self.address(entry), &facts.facts, effort)
            .expect("no failure");
        let wrong = facts.judge(std::slice::from_ref(&found)).iter().map(|d| d.code.0).collect();
        (found, wrong)
    }

    fn time(&self, entry: &str, facts: &str) -> u64 {
        let (found, wrong) = self.bound(entry, facts);
        assert_eq!(wrong, Vec::<&str>::new(), "{entry}: {facts}");
        found.time.unwrap_or_else(|| panic!("{entry}: {facts}: {:?}", found.obstacles))
    }

    /// Returns the header that a function's obstacle names.
    fn obstacle(&self, entry: &str) -> String {
        let (found, _) = self.bound(entry, "");
        let [only] = &found.obstacles[..] else { panic!("{entry}: {:?}", found.obstacles) };
        only.symbol.clone()
    }

    /// Returns the instructions of a run on the inputs that `prepare` makes of a number.
    fn run(&self, entry: &str, argument: u64) -> u64 {
        let mut interpreter = Interpreter::new(&self.program);
        interpreter.call(self.address("prepare"), argument);
        interpreter.call(self.address(entry), 0)
    }
}

/// Returns the line of source with a mark, as facts name it.
fn line(mark: &str) -> String {
    let text = std::fs::read_to_string(source()).expect("the source");
    let mark = format!("/* {mark} */");
    let number = text.lines().position(|line| line.contains(&mark)).expect("a mark") + 1;
    format!("programs.c:{number}")
}

const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];

#[test]
fn a_total_is_the_true_total() {
    for level in LEVELS {
        let fixture = Fixture::new(level);
        let header = fixture.obstacle("triangle");
        let run = fixture.run("triangle", 4);
        let total = |iterations: u64| {
            fixture.time("triangle", &format!("totals.\"{header}\" = {iterations}\n"))
        };
        // With rows of 4, control comes back to the header 64 times or, where the test is at the
        // end, 48 times.
        let iterations = if total(48) < run { 64 } else { 48 };
        let one = total(iterations);
        assert_eq!(one, run, "{level}");
        let (found, _) =
            fixture.bound("triangle", &format!("totals.\"{header}\" = {iterations}\n"));
        assert_eq!(found.path.iter().map(|visit| visit.time).sum::<u64>(), one, "{level}");
        assert_eq!(
            fixture.time("triangle", &format!("[totals]\n\"{}\" = {iterations}\n", line("inner"))),
            one,
            "{level}"
        );
        let each = fixture.time("triangle", &format!("loops.\"{header}\" = {iterations}\n"));
        assert!(each > one * 8, "{level}: {each}");
        // Twice as much for two calls, and half for a total over both.
        let twice = fixture.time("twice", &format!("totals.\"{header}\" = {iterations}\n"));
        assert_eq!(twice, fixture.run("twice", 4), "{level}");
        let both =
            format!("totals.\"{header}\" = {{ iterations = {iterations}, during = \"twice\" }}\n");
        assert!(
            (fixture.run("twice", 2)..twice - run / 4).contains(&fixture.time("twice", &both)),
            "{level}"
        );
    }
}

#[test]
fn of_exclusive_places_only_the_longest_counts() {
    for level in LEVELS {
        let fixture = Fixture::new(level);
        let all = fixture.time("serve", "");
        assert_eq!(all, fixture.run("serve", 3), "{level}");
        let longest = fixture.run("serve", 2);
        assert!(longest > fixture.run("serve", 1));
        let lines = format!("exclusive = [[\"{}\", \"{}\"]]\n", line("reading"), line("writing"));
        for facts in ["exclusive = [[\"read\", \"write\"]]\n", &lines] {
            assert_eq!(fixture.time("serve", facts), longest, "{level}: {facts}");
        }
        // Over three iterations it is one of them for good; in each call it is one of them anew.
        let good = fixture.time("rounds", "exclusive = [[\"read\", \"write\"]]\n");
        let anew = fixture.time(
            "rounds",
            "exclusive = [{ places = [\"read\", \"write\"], during = \"serve\" }]\n",
        );
        assert_eq!((good, anew), (fixture.run("rounds", 2), fixture.run("rounds", 2)), "{level}");
        assert!(fixture.time("rounds", "") > anew);
    }
}

#[test]
fn a_depth_bounds_recursion() {
    for level in ["-O1", "-Os"] {
        let fixture = Fixture::new(level);
        let (refused, _) = fixture.bound("start", "");
        assert_eq!(refused.obstacles[0].fact, "recursion.\"follow\" = N", "{level}");
        let five = fixture.time("start", "recursion.\"follow\" = 5\n");
        assert_eq!(five, fixture.run("start", 5), "{level}");
        assert!(five > fixture.time("start", "recursion.follow = 3\n"));
    }
}

#[test]
fn calls_within_calls_are_summed_up_by_depth_or_by_their_number() {
    for level in ["-O1", "-Os"] {
        let fixture = Fixture::new(level);
        // 31 calls, each of them executed.
        let five = fixture.time("root", "recursion.climb = 5\n");
        // 2^19 times as many, none of them executed twice at one depth.
        let deep = fixture.time("root", "recursion.climb = 24\n");
        assert!((five << 19) - (five << 16) < deep && deep < five << 20, "{level}: {five}, {deep}");
        let counted = fixture.time("root", "recursion.climb = 24\ncalls.climb = 31\n");
        assert!(five <= counted && counted < 2 * five, "{level}: {five}, {counted}");
        let endless = fixture.bound("root", "recursion.climb = 100\n").0;
        assert_eq!(endless.obstacles[0].fact, "calls.\"climb\" = N", "{level}");
    }
}

/// Such calls keep the address of what they call in a register.
#[test]
fn calls_that_the_linker_left_long_are_summed_up_as_others_are() {
    let facts = "recursion.climb = 24\ncalls.climb = 31\n";
    let time = |how: &str| Fixture::linked("-O1", how).time("root", facts);
    let (short, long) = (time("--relax"), time("--no-relax"));
    // Some more instructions in each call.
    assert!(short < long && long < short * 2, "{short}, {long}");
}

/// If the first call cannot be summed up, the time of the calls within it is not taken.
#[test]
fn calls_take_no_time_only_where_the_first_one_takes_theirs() {
    let fixture = Fixture::new("-O1");
    let five = fixture.time("trunk", "recursion.twig = 5\n");
    let counted = fixture.bound("trunk", "recursion.twig = 24\ncalls.twig = 31\n").0;
    assert!(counted.time.is_none_or(|time| five <= time), "{five}, {:?}", counted.time);
}

/// Three of the calls of a run have all iterations of three loops, the others return at once; the
/// bound is for 31 calls of which each is as long as the longest.
#[test]
fn loops_inside_one_another_take_all_their_iterations_in_each_call() {
    let fixture = Fixture::new("-O1");
    let loops: String = ["outermost", "between", "innermost"]
        .map(|mark| format!("loops.\"{}\" = 3\n", line(mark)))
        .concat();
    let calls = "recursion.orchard = 24\ncalls.orchard = 31\n";
    let (run, counted) =
        (fixture.run("grove", 4), fixture.time("grove", &format!("{loops}{calls}")));
    assert!(run * 9 < counted && counted < run * 10, "{run}, {counted}");
}

/// Control comes back to the first of two places only: 4 times, and 5 times to it in all where the
/// loop is entered at the second.
#[test]
fn a_loop_that_is_entered_at_two_places_is_counted_at_those_where_it_begins_anew() {
    let fixture = Fixture::new("-O1");
    let run = fixture.run("crossing", 5);
    let asked = fixture.bound("crossing", "").0.obstacles;
    let [first] = &asked[..] else { panic!("{asked:?}") };
    assert!(first.what.contains("entered at several places"), "{}", first.what);
    let time = fixture.time("crossing", &first.fact.replace('N', "4\n"));
    assert!((run..run + 4).contains(&time), "{run}, {time}");
    // Nobody knows how often it is entered at which, so no total is about it.
    let total = format!("totals.\"{}\" = 9\n", first.symbol);
    assert_eq!(fixture.bound("crossing", &total).0.time, None);
}

#[test]
fn unreachable_lines_are_cut_out() {
    let fixture = Fixture::new("-O1");
    let facts = format!("unreachable = [\"{}\"]\n", line("writing"));
    assert_eq!(fixture.time("serve", &facts), fixture.run("serve", 1));
    assert_eq!(fixture.time("serve", "unreachable = [\"write\"]\n"), fixture.run("serve", 1));
}

/// Returns the place of the store that stands in the way of an entry's bound, with the fact that
/// would bound it.
fn unbounded_store(fixture: &Fixture, entry: &str) -> String {
    let (found, _) = fixture.bound(entry, "");
    let facts: Vec<&str> = found.obstacles.iter().map(|obstacle| obstacle.fact.as_str()).collect();
    let (stores, others): (Vec<_>, Vec<_>) =
        found.obstacles.iter().partition(|o| o.fact.starts_with("tables."));
    let [store] = stores[..] else { panic!("{entry}: {facts:?}") };
    assert!(!others.is_empty(), "a store alone is in nobody's way");
    assert_eq!(store.fact, format!("tables.\"{}\" = \"TABLE\"", store.symbol));
    store.symbol.clone()
}

#[test]
fn a_table_bounds_where_a_store_goes() {
    for level in LEVELS {
        let fixture = Fixture::new(level);
        let run = fixture.run("count_one", 1);
        let place = unbounded_store(&fixture, "count_one");
        for place in [place, line("counting")] {
            let facts = format!("tables.\"{place}\" = \"histogram\"\n");
            assert_eq!(fixture.time("count_one", &facts), run, "{level}: {facts}");
            let too_much =
                fixture.bound("count_one", &format!("tables.\"{place}\" = \"limit\"\n")).0;
            assert_eq!(too_much.time, None, "{level}");
        }
        // Where the table is in the stack depends on the compiler.
        let (place, run) = (unbounded_store(&fixture, "local"), fixture.run("local", 1));
        let facts = |above| format!("tables.\"{place}\" = {{ stack = {above}, bytes = 16 }}\n");
        let times = (0..=48).step_by(4).map(|above| fixture.bound("local", &facts(above)).0.time);
        assert!(times.flatten().any(|time| time == run), "{level}");
    }
}

#[test]
fn facts_that_cannot_be_true_or_do_nothing_are_refused() {
    let fixture = Fixture::new("-O1");
    let header = fixture.obstacle("triangle");
    let counted = line("counted");
    for (entry, facts, code) in [
        ("fixed", format!("loops.\"{counted}\" = 3\n"), "F0810"),
        ("fixed", format!("totals.\"{counted}\" = 3\n"), "F0810"),
        ("fixed", format!("loops.\"{counted}\" = 40\n"), "F0807"),
        ("fixed", "unreachable = [\"fixed\"]\n".to_owned(), "F0810"),
        ("fixed", "unreachable = [\"follow\"]\n".to_owned(), "F0807"),
        ("rounds", "recursion.serve = 0\n".to_owned(), "F0810"),
        ("serve", format!("loops.\"{header}\" = 4\n"), "F0807"),
        ("serve", "exclusive = [[\"read\", \"follow\"]]\n".to_owned(), "F0807"),
        ("serve", "exclusive = [[\"read\"]]\n".to_owned(), "F0805"),
        ("serve", "[totals]\nread = { during = \"serve\" }\n".to_owned(), "F0805"),
        ("serve", "loops.\"programs.c:9999\" = 1\n".to_owned(), "F0806"),
        ("once", format!("tables.\"{}\" = \"work\"\n", line("plain")), "F0810"),
        ("once", format!("tables.\"{}\" = \"limit\"\n", line("plain")), "F0807"),
        ("once", format!("tables.\"{}\" = {{ stack = 8, bytes = 16 }}\n", line("plain")), "F0810"),
        ("once", format!("tables.\"{}\" = \"limits\"\n", line("plain")), "F0806"),
        ("once", format!("tables.\"{}\" = {{ stack = 8 }}\n", line("plain")), "F0805"),
        ("once", "tables.\"fixed\" = \"limit\"\n".to_owned(), "F0805"),
        ("nested", format!("loops.\"{}\" = 4\n", line("both")), "F0810"),
    ] {
        let (found, wrong) = fixture.bound(entry, &facts);
        assert_eq!(wrong, [code], "{entry}: {facts}");
        assert_eq!(found.time.is_some(), code == "F0807", "{entry}: {facts}");
    }
}

#[test]
fn all_that_never_ends_is_named_in_one_run() {
    for level in ["-O1", "-O2"] {
        let fixture = Fixture::new(level);
        let (found, _) = fixture.bound("sort_all", "");
        let facts: Vec<&str> =
            found.obstacles.iter().map(|obstacle| obstacle.fact.as_str()).collect();
        let loops = facts.iter().filter(|fact| fact.starts_with("loops.\"sort+")).count();
        assert!(loops >= 3 && facts.contains(&"recursion.\"sort\" = N"), "{level}: {facts:#?}");
        // Long before the effort is used up, in all executions together.
        let tired = found.obstacles.iter().any(|obstacle| obstacle.what.contains("no end"));
        assert!(
            !tired && found.blocks < 15_000,
            "{level}: {} blocks, {:#?}",
            found.blocks,
            found.obstacles
        );
        // What follows a call that is not known is not lost sight of.
        let (found, _) = fixture.bound("behind", "");
        let has =
            |start: &str| found.obstacles.iter().any(|obstacle| obstacle.fact.starts_with(start));
        assert!(
            has("targets.\"behind+") && has("loops.\"behind+"),
            "{level}: {:#?}",
            found.obstacles
        );
        // Nor is what is only guessed there held against facts.
        let (found, wrong) =
            fixture.bound("set_behind", &format!("loops.\"{}\" = 3\n", line("set")));
        assert!(found.time.is_none() && wrong.is_empty(), "{level}: {wrong:?}");
    }
}

/// Returns the bound that pragmas in a source give for a function, and its longest run; all their
/// lines may be those of any of their loops.
fn with_pragmas(entry: &str, level: &str, blur: bool) -> (Bound, u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts/pragmas.c");
    let elf = build_with(&[&path], &format!("pragmas{level}"), Target::Rv32, level, &["-g"]);
    let bytes = std::fs::read(elf).expect("the ELF");
    let (program, lines) = (Program::load(&bytes).expect("a program"), Lines::read(&bytes));
    let mut sources = SourceMap::default();
    let file = sources.add(&path, std::fs::read_to_string(&path).expect("the source"));
    let mut facts = FactsFile::default();
    facts.add_pragmas((&sources, &[file]), (&program, &lines)).expect("pragmas");
    let fixture = Fixture { program, lines };
    let address = fixture.address(entry);
    if blur {
        let bounds = &mut facts.facts.line_bounds;
        let statements = || bounds.iter().filter_map(|bound| bound.statement.as_ref());
        let all: BTreeSet<u64> = statements().flat_map(|one| &one.all).copied().collect();
        for bound in bounds {
            bound.line.clone_from(&all);
            bound.statement.iter_mut().for_each(|statement| statement.by_branch = true);
        }
    }
    let effort = Effort { blocks: 100_000, ..Effort::default() };
    let found = bound(&fixture.program, &Instructions, address, &facts.facts, effort);
    (found.expect("no failure"), fixture.run(entry, 3))
}

#[test]
fn a_pragma_is_about_its_own_loop_alone() {
    for level in LEVELS {
        // Even if any branch could decide over any loop.
        for (entry, blur) in ["drain", "reverse"].into_iter().flat_map(|e| [(e, false), (e, true)])
        {
            let (found, run) = with_pragmas(entry, level, blur);
            assert!(found.grounds.contradictions.is_empty(), "{entry} {level}: {found:?}");
            let time = found.time.unwrap_or_else(|| panic!("{entry} {level}: {found:?}"));
            assert!((run..2 * run).contains(&time), "{entry} {level}: {time} for {run}");
        }
        // Of another loop inside of it nobody has said anything.
        for entry in ["total", "nested", "seek"] {
            let (found, run) = with_pragmas(entry, level, false);
            assert!(found.time.is_none_or(|time| time >= run), "{entry} {level} for {run}");
        }
    }
}
