//! One chunk: make the sets, ask the tests, count.
//!
//! This is a pure function of the experiment and the chunk. The random numbers of
//! a point depend on the experiment's seed and on the point's settings by name, so
//! that points are independent of each other and adding a value to an axis leaves
//! the sets of all other points as they were.

use fusee_analysis::effort::{self, Ended};
use fusee_analysis::generation::Generator;
use fusee_analysis::placement::Placement;
use fusee_analysis::{TaskSet, Verdict};

use crate::checksum::identity;
use crate::experiment::Test;
use crate::faults::{self, Fault};
use crate::options::{Charge, Unanswered};
use crate::own::{Draw, Place};
use crate::{Cell, Chunk, Counts, Experiment, Options, Plan, Point, Sharing, Stage};

/// A point of the grid has a recipe or options that make no sense together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Impossible {
    /// The point in question.
    pub place: String,
    /// The problem as a sentence.
    pub problem: String,
}

/// Returns the verdicts of a chunk's tests.
///
/// # Errors
/// The point's recipe or options are impossible.
pub fn count(experiment: &Experiment, plan: &Plan, chunk: Chunk) -> Result<Counts, Impossible> {
    let nowhere = Point::default();
    let point = plan.points.get(chunk.point).unwrap_or(&nowhere);
    let drawing = Drawing::of(experiment, point)?;
    let variants: Vec<(Point, Options)> = plan
        .variants
        .iter()
        .map(|v| Ok((point.with(v), options(experiment, v)?)))
        .collect::<Result<_, Impossible>>()?;
    for (place, options) in &variants {
        if let Some(problem) = unplaced(experiment, place, &drawing, options) {
            return Err(Impossible { place: self::place(experiment, place), problem });
        }
    }
    let variants: Vec<Variant<'_>> =
        variants.iter().map(|(p, o)| Variant::new(experiment, p, o)).collect();
    let seed = seed(experiment, point);
    let mut counts =
        Counts { discarded: 0, cells: vec![Cell::default(); Counts::cells(experiment, plan)] };
    for index in chunk.first..chunk.end {
        // Whoever has ended this sees no counts.
        if !effort::step() {
            break;
        }
        let within = |ended| too_long(experiment, point, index, ended);
        let drawn =
            effort::at_most(experiment.effort, 1, || drawing.set(seed, index)).map_err(within)?;
        let Some(set) = drawn else {
            counts.discarded += 1;
            continue;
        };
        let weight = set.tasks().len();
        let mut cells = counts.cells.iter_mut();
        let mut placed: Option<Placed<'_>> = None;
        for variant in &variants {
            let same = placed.take().filter(|placed| placed.is_by(variant.options));
            let asked = effort::at_most(experiment.effort, weight, || {
                let placed = same.unwrap_or_else(|| {
                    Placed::new(variant.options, &set, experiment.own.place.as_deref())
                });
                variant.ask(&placed, &mut cells);
                placed
            });
            placed = Some(asked.map_err(within)?);
        }
    }
    Ok(counts)
}

/// Returns a set on which the work has ended before its time. If somebody has stopped the run,
/// nobody reads that.
fn too_long(experiment: &Experiment, point: &Point, set: u64, ended: Ended) -> Impossible {
    if ended == Ended::Stopped {
        effort::end();
    }
    let (steps, more) = (experiment.effort, experiment.effort.saturating_mul(10));
    let problem = format!(
        "set {set} takes more than {steps} steps, which is the limit for one set; `effort = \
         {more}` allows ten times as many"
    );
    Impossible { place: place(experiment, point), problem }
}

/// A set on its cores, with and without its resources.
struct Placed<'a> {
    by: (Option<&'a Placement>, bool),
    /// `None`: there is no place for some task.
    sets: Option<(TaskSet, TaskSet)>,
}

impl<'a> Placed<'a> {
    fn new(options: &'a Options, set: &TaskSet, own: Option<&dyn Place>) -> Self {
        let alone = |set: TaskSet| {
            let alone = set.clone().without_requests();
            (set, alone)
        };
        Self { by: Self::by(options), sets: options.placed(set, own).map(alone) }
    }

    /// Returns the options that decide the placement of a set.
    fn by(options: &Options) -> (Option<&Placement>, bool) {
        (options.placement.as_ref(), options.group_locks)
    }

    fn is_by(&self, options: &Options) -> bool {
        self.by == Self::by(options)
    }
}

/// A way to analyze the sets of a point, and who is asked.
struct Variant<'a> {
    options: &'a Options,
    /// The tests of the experiment, with what they are charged; `None` where a test is not asked.
    questions: Vec<Option<(&'a Test, Option<&'a Charge>)>>,
}

/// A set with its overheads, as far as they are known; `None` if nothing could keep up with them.
type Charged = Result<Option<TaskSet>, Unanswered>;

impl<'a> Variant<'a> {
    fn new(experiment: &'a Experiment, place: &Point, options: &'a Options) -> Self {
        let question = |test: &'a Test| {
            let asked = test.only.iter().all(|choice| choice.admits(place));
            asked.then(|| (test, options.charge(&test.label)))
        };
        Self { options, questions: experiment.tests.iter().map(question).collect() }
    }

    /// Asks every test that applies, and adds its answer to its cell. Tests that are charged alike
    /// share the set.
    fn ask<'c>(&self, placed: &Placed<'_>, cells: &mut impl Iterator<Item = &'c mut Cell>) {
        let mut known: Vec<(&Charge, Sharing, Charged)> = Vec::new();
        for (question, cell) in self.questions.iter().zip(cells) {
            // A set that fits no placement is not schedulable, whatever the test.
            let (Some((test, charge)), Some((shared, alone))) = (question, &placed.sets) else {
                continue;
            };
            let seen = match test.resources {
                Sharing::Seen => shared,
                Sharing::Ignored => alone,
            };
            let answer = match charge {
                None => test.test.check(seen).map_err(Unanswered::from),
                Some(charge) => {
                    let like = |(c, s, _): &(&Charge, Sharing, _)| {
                        std::ptr::eq(*c, *charge) && *s == test.resources
                    };
                    let at = known.iter().position(like).unwrap_or_else(|| {
                        known.push((charge, test.resources, charge.applied(seen)));
                        known.len() - 1
                    });
                    match &known[at].2 {
                        Ok(Some(charged)) => charge.ask(test, charged),
                        Ok(None) => Ok(Verdict::NotShown),
                        Err(unanswered) => Err(*unanswered),
                    }
                }
            };
            match answer {
                Ok(verdict) => cell.schedulable += u32::from(verdict.is_schedulable()),
                Err(Unanswered) => cell.outside += 1,
            }
        }
    }
}

/// Among so many sets of a generator of one's own one is looked for that can be drawn.
const LOOKED_AT: u64 = 20;

/// The generator of a point's sets.
enum Drawing<'a> {
    /// A recipe of Fusee's.
    Recipe(Box<Generator>),
    /// The program's own generator, with the fields that it reads.
    Own(&'a dyn Draw, toml::Table),
}

impl<'a> Drawing<'a> {
    fn of(experiment: &'a Experiment, point: &Point) -> Result<Self, Impossible> {
        let recipe = experiment.tables(point, Stage::Recipe);
        match &experiment.own.draw {
            Some(own) => Ok(Drawing::Own(&**own, recipe)),
            None => faults::generator(recipe)
                .map(|generator| Drawing::Recipe(Box::new(generator)))
                .map_err(|problem| Impossible { place: place(experiment, point), problem }),
        }
    }

    fn set(&self, seed: u64, index: u64) -> Option<TaskSet> {
        match self {
            Drawing::Recipe(generator) => generator.set(seed, index).ok(),
            Drawing::Own(own, recipe) => own.draw(recipe, seed, index),
        }
    }

    /// Returns the number of cores of sets that still need places.
    fn unplaced_cores(&self, seed: u64) -> usize {
        match self {
            Drawing::Recipe(generator) => generator.recipe().cores,
            Drawing::Own(..) => {
                let drawn = (0..LOOKED_AT).find_map(|index| self.set(seed, index));
                drawn.filter(|set| !set.is_placed()).map_or(1, |set| set.cores())
            }
        }
    }
}

/// Returns the options of a variant.
fn options(experiment: &Experiment, variant: &Point) -> Result<Options, Impossible> {
    let impossible = |problem: String| Impossible { place: place(experiment, variant), problem };
    let options =
        faults::options(experiment.tables(variant, Stage::Analysis)).map_err(impossible)?;
    match options.problems(&experiment.tests).into_iter().next() {
        Some(problem) => Err(impossible(problem)),
        None => Ok(options),
    }
}

/// Everything that is wrong with a point: first its recipe, then its analysis, then the two
/// together. What rests on tests is left out unless all of them are known.
pub(crate) fn faults(
    experiment: &Experiment,
    point: &Point,
    tests_are_known: bool,
) -> Vec<(Option<Stage>, Fault)> {
    let of_stage = |stage: Stage| {
        let settings =
            point.settings.iter().filter(|(axis, _)| experiment.axes[*axis].stage == stage);
        Point { settings: settings.copied().collect() }
    };
    let tables = |stage: Stage| experiment.tables(&of_stage(stage), stage);
    let (recipe, analysis) = (tables(Stage::Recipe), tables(Stage::Analysis));
    let of_recipe = match experiment.own.draw {
        Some(_) => Vec::new(),
        None => faults::of_recipe(&recipe),
    };
    let of_recipe = of_recipe.into_iter().map(|f| (Some(Stage::Recipe), f));
    let of_analysis =
        faults::of_analysis(&analysis, tests_are_known.then_some(&experiment.tests[..]));
    let of_analysis = of_analysis.into_iter().map(|f| (Some(Stage::Analysis), f));
    let mut found: Vec<_> = of_recipe.chain(of_analysis).collect();
    if found.is_empty()
        && let (Ok(drawing), Ok(options)) =
            (Drawing::of(experiment, &of_stage(Stage::Recipe)), faults::options(analysis))
        && let Some(problem) = unplaced(experiment, point, &drawing, &options)
    {
        found.push((None, Fault { field: None, problem }));
    }
    found
}

/// Returns the problem if a test is asked about sets for several cores that nothing places.
///
/// On one core too many they would all fail, and nothing would say why.
fn unplaced(
    experiment: &Experiment,
    point: &Point,
    drawing: &Drawing<'_>,
    options: &Options,
) -> Option<String> {
    if options.placement.is_some() || experiment.own.place.is_some() {
        return None;
    }
    let cores = drawing.unplaced_cores(seed(experiment, point));
    if cores <= 1 {
        return None;
    }
    let asked = |test: &&Test| test.only.iter().all(|choice| choice.admits(point));
    let mut needing =
        experiment.tests.iter().filter(|test| !test.test.metadata().family.is_global());
    let label = &needing.find(asked)?.label;
    Some(format!(
        "the sets are for {cores} cores and nothing places their tasks, which `{label}` needs: \
         write `placement = {{ fit = \"worst\" }}` into `[analysis]`"
    ))
}

/// A point by the names and values of its axes.
fn place(experiment: &Experiment, point: &Point) -> String {
    let name = |&(axis, setting): &(usize, usize)| {
        let axis = &experiment.axes[axis];
        format!("{} = {}", axis.name, axis.settings[setting].label)
    };
    let names: Vec<String> = point.settings.iter().map(name).collect();
    if names.is_empty() { "the only point".to_owned() } else { names.join(", ") }
}

/// Returns the seed of a point's sets: with the index of a set, all that its random numbers depend
/// on.
pub fn seed(experiment: &Experiment, point: &Point) -> u64 {
    let text = format!("{} {}", experiment.seed, place(experiment, point));
    let identity = identity(text.as_bytes());
    identity as u64 ^ (identity >> 64) as u64
}
