//! Distributions, limits, and what (seed, index) promises.

use proptest::prelude::*;

use super::fixed_sum::{convolutional_fixed_sum, rand_fixed_sum, uunifast, uunisort};
use super::*;
use crate::TaskSet;

const DRAWS: u64 = 4000;

/// The first components of many vectors, sorted.
fn firsts(draw: impl Fn(&mut Random) -> Vec<f64>) -> Vec<f64> {
    let mut values: Vec<f64> =
        (0..DRAWS).map(|i| draw(&mut Random::new(1, i, Part::Utilizations))[0]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Largest distance of two empirical distributions (Kolmogorov and Smirnov).
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let below = |v: &[f64], x: f64| v.partition_point(|&y| y <= x) as f64 / v.len() as f64;
    a.iter().chain(b).map(|&x| (below(a, x) - below(b, x)).abs()).fold(0.0, f64::max)
}

/// Five percent of equal distributions are farther apart than 1.36 sqrt(2 / n) = 0.0304; 1e-6 of
/// them than this.
const FAR: f64 = 0.06;

/// Uniform on the simplex by the gaps of exponential variables: independent of all generators here.
fn reference(random: &mut Random, bounds: &[(f64, f64)], total: f64) -> Vec<f64> {
    let free = total - bounds.iter().map(|b| b.0).sum::<f64>();
    loop {
        let gaps: Vec<f64> = bounds
            .iter()
            .map(|b| if b.0 < b.1 { -random.positive_unit().ln() } else { 0.0 })
            .collect();
        let sum: f64 = gaps.iter().sum();
        let values: Vec<f64> = gaps.iter().zip(bounds).map(|(g, b)| b.0 + free * g / sum).collect();
        if values.iter().zip(bounds).all(|(v, b)| *v <= b.1) {
            return values;
        }
    }
}

#[test]
fn simplex_generators_are_uniform() {
    let bounds = [(0.0, 2.5); 5];
    let expected = firsts(|r| reference(r, &bounds, 2.5));
    assert!(distance(&expected, &firsts(|r| uunifast(r, 5, 2.5))) < FAR);
    assert!(distance(&expected, &firsts(|r| uunisort(r, 5, 2.5))) < FAR);
    let biased = firsts(|r| rand_fixed_sum(r, 5, 2.5, (0.0, 1.0)).unwrap());
    assert!(distance(&expected, &biased) > FAR, "the measure sees a wrong distribution");
}

#[test]
fn bounded_generators_are_uniform() {
    for total in [0.6, 2.5, 4.1] {
        let bounds = [(0.0, 1.0); 5];
        let expected = firsts(|r| reference(r, &bounds, total));
        let stafford = firsts(|r| rand_fixed_sum(r, 5, total, (0.0, 1.0)).unwrap());
        assert!(distance(&expected, &stafford) < FAR, "{total}");
        let convolution = firsts(|r| convolutional_fixed_sum(r, total, &bounds).unwrap());
        assert!(distance(&expected, &convolution) < FAR, "{total}");
    }
    let mixed = [(0.1, 0.4), (0.0, 1.0), (0.2, 0.3), (0.0, 0.7), (0.05, 0.05)];
    for total in [0.5, 1.2, 1.9] {
        for turn in 0..5 {
            let mut bounds = mixed;
            bounds.rotate_left(turn);
            let expected = firsts(|r| reference(r, &bounds, total));
            let convolution = firsts(|r| convolutional_fixed_sum(r, total, &bounds).unwrap());
            assert!(distance(&expected, &convolution) < FAR, "{total} {turn}");
        }
    }
}

#[test]
fn many_tasks_keep_their_sum() {
    let mut random = Random::new(3, 0, Part::Other);
    for n in [1, 2, 50, 100] {
        let total = n as f64 * 0.93;
        for values in [
            rand_fixed_sum(&mut random, n, total, (0.0, 1.0)).unwrap(),
            convolutional_fixed_sum(&mut random, total, &vec![(0.0, 1.0); n]).unwrap(),
        ] {
            assert!((values.iter().sum::<f64>() - total).abs() < 1e-9 * n as f64, "{n}");
            assert!(values.iter().all(|v| (-1e-9..=1.0 + 1e-9).contains(v)), "{n} {values:?}");
        }
    }
    assert_eq!(rand_fixed_sum(&mut random, 3, 3.1, (0.0, 1.0)), None);
    assert_eq!(convolutional_fixed_sum(&mut random, 0.1, &[(0.2, 0.3)]), None);
}

fn generator(text: &str) -> Generator {
    Generator::new(toml::from_str(text).unwrap()).unwrap()
}

fn sets(text: &str) -> Vec<TaskSet> {
    let generator = generator(text);
    (0..200).map(|i| generator.set(5, i).unwrap()).collect()
}

const BASE: &str = "tick = '1 us'\n\
    utilizations = { method = 'until-cap', cap = 2.0, distribution = { kind = 'exponential-medium' \
    } }\n\
    periods = { kind = 'log-uniform', min = '10 ms', max = '100 ms' }\n";

#[test]
fn resources_leave_the_tasks_as_they_are() {
    let extra =
        "resources = { kind = 'random', count = 4, access = 0.5, length = ['1 us', '25 us'] }";
    let (plain, shared) = (sets(BASE), sets(&format!("{BASE}{extra}")));
    for (plain, shared) in plain.iter().zip(&shared) {
        assert_eq!(plain.tasks(), shared.tasks());
    }
    let requests = shared.iter().flat_map(|s| (0..s.tasks().len()).flat_map(|i| s.requests(i)));
    let pairs = shared.iter().map(|s| s.tasks().len() * 4).sum::<usize>() as f64;
    assert!((requests.clone().count() as f64 / pairs - 0.5).abs() < 0.03);
    assert!(requests.clone().all(|r| r.count == 1 && r.nested.is_empty() && r.length <= 25));
}

#[test]
fn open_choices_do_what_they_say() {
    let utilization =
        |s: &TaskSet| s.tasks().iter().map(|t| t.wcet as f64 / t.period as f64).sum::<f64>();
    assert!(sets(BASE).iter().all(|s| utilization(s) <= 2.0 + 1e-3));
    let squeezed = BASE.replace("cap = 2.0", "cap = 2.0, last = 'squeeze'");
    assert!(sets(&squeezed).iter().all(|s| (utilization(s) - 2.0).abs() < 1e-2));
    let long = "resources = { kind = 'random', count = 16, access = 1.0, length = ['1 ms', '9 \
                ms'], excess = '";
    let with = |excess: &str| sets(&format!("{BASE}{long}{excess}' }}"));
    let wcets =
        |s: &[TaskSet]| s.iter().flat_map(|s| s.tasks().iter().map(|t| t.wcet)).collect::<Vec<_>>();
    let (plain, cut, extended, added) = (sets(BASE), with("cut"), with("extend"), with("add"));
    assert_eq!(wcets(&plain), wcets(&cut));
    assert!(wcets(&plain).iter().zip(wcets(&extended)).any(|(a, b)| *a < b));
    assert!(wcets(&extended).iter().zip(wcets(&added)).all(|(a, b)| *a <= b));
    let redraw = generator(&format!("{BASE}{long}redraw' }}"));
    assert!((0..50).any(|i| redraw.set(5, i) == Err(Discarded { attempts: 1000 })));
    let cut_at_one = BASE.replace("-medium' }", "-heavy' }, above_one = 'cut'");
    assert!(sets(&cut_at_one).iter().flat_map(|s| s.tasks()).any(|t| t.wcet == t.period));
}

#[test]
fn nesting_rises_and_stays_shallow() {
    let text = "resources = { kind = 'random', count = 6, access = 1.0, length = ['1 us', '9 us'], \
                nesting = 0.7, depth = 3 }";
    let sets = sets(&format!("{BASE}{text}"));
    let depths: Vec<usize> = sets
        .iter()
        .flat_map(|s| (0..s.tasks().len()).flat_map(|i| s.sections(i)))
        .map(|s| s.depth)
        .collect();
    assert_eq!(depths.iter().max(), Some(&2));
    for set in &sets {
        for section in (0..set.tasks().len()).flat_map(|i| set.sections(i)) {
            assert!(section.request.nested.iter().all(|r| r.resource > section.request.resource));
        }
    }
}

#[test]
fn periods_come_from_where_they_should() {
    let periods = |kind: &str| {
        let text = format!(
            "utilizations = {{ method = 'each', tasks = 50, distribution = {{ kind = \
             'uniform-light' }} }}\nperiods = {{ {kind} }}"
        );
        let all: Vec<u64> =
            sets(&text).iter().flat_map(|s| s.tasks().iter().map(|t| t.period)).collect();
        all
    };
    const MS: u64 = 1_000_000;
    let share = |list: &[u64], test: &dyn Fn(u64) -> bool| {
        list.iter().filter(|&&p| test(p)).count() as f64 / list.len() as f64
    };
    let log = periods("kind = 'log-uniform', min = '1 ms', max = '100 ms'");
    assert!((share(&log, &|p| p < 10 * MS) - 0.5).abs() < 0.02);
    let uniform = periods("kind = 'uniform', min = '1 ms', max = '100 ms', multiple_of = '1 ms'");
    assert!((share(&uniform, &|p| p <= 50 * MS) - 0.5).abs() < 0.02);
    assert!(uniform.iter().all(|p| p % MS == 0));
    let harmonic = periods("kind = 'harmonic', min = '10 ms', max = '1000 ms'");
    assert!((share(&harmonic, &|p| p == 640 * MS) - 1.0 / 7.0).abs() < 0.02);
    let car = periods("kind = 'automotive'");
    assert!((share(&car, &|p| p == 10 * MS) - 25.0 / 85.0).abs() < 0.02);
    let modes =
        "{ weight = 3, min = '1 ms', max = '2 ms' }, { weight = 1, min = '1 s', max = '2 s' }";
    let modal = periods(&format!("kind = 'multi-modal', modes = [{modes}]"));
    assert!((share(&modal, &|p| p <= 2 * MS) - 0.75).abs() < 0.02);
    let choice = periods("kind = 'choice', values = ['7 ms', '9 ms']");
    assert!((share(&choice, &|p| p == 7 * MS) - 0.5).abs() < 0.02);
}

#[test]
fn call_paths_share_components() {
    let text = "tick = '1 us'\n\
        utilizations = { method = 'uunisort', tasks = 4, total = 0.9 }\n\
        periods = { kind = 'harmonic', min = '10 ms', max = '1000 ms' }\n\
        resources = { kind = 'call-paths', paths = [[0, 2], [0, 2], [1, 3], [1, 4]], exclusive = \
        [0, 1, 4] }";
    let generator = generator(text);
    let drawn: Vec<TaskSet> = (0..200).filter_map(|i| generator.set(5, i).ok()).collect();
    assert!(drawn.len() > 100);
    for set in &drawn {
        let length = |i: usize| set.requests(i)[0].length;
        assert_eq!(length(0), length(1));
        assert_eq!(set.sections(3).iter().map(|s| s.request.resource).collect::<Vec<_>>(), [1, 4]);
        assert!(set.tasks().is_sorted_by_key(|t| t.wcet));
    }
}

#[test]
fn a_set_is_a_function_of_seed_and_index() {
    // Written once from this implementation: any change of these numbers changes every published
    // experiment.
    let set = generator(BASE).set(42, 1_000_000).unwrap();
    let numbers: Vec<(u64, u64)> = set.tasks().iter().map(|t| (t.wcet, t.period)).collect();
    assert_eq!(numbers, FIXED);
}

const FIXED: &[(u64, u64)] = &[
    (5680, 47545),
    (4367, 16266),
    (401, 23628),
    (121, 10616),
    (758, 24776),
    (2410, 13742),
    (47916, 92493),
    (15825, 18696),
];

#[test]
fn wrong_recipes_name_the_field() {
    let refused = |from: &str, to: &str| {
        let recipe: Recipe = toml::from_str(&BASE.replace(from, to)).unwrap();
        Generator::new(recipe).unwrap_err().field
    };
    assert_eq!(refused("cap = 2.0", "cap = -1.0"), "utilizations.cap");
    assert_eq!(refused("cap = 2.0", "cap = nan"), "utilizations.cap");
    assert_eq!(
        refused("'exponential-medium'", "'exponential', mean = 0.0"),
        "utilizations.distribution"
    );
    assert_eq!(
        refused("'exponential-medium'", "'uniform', low = 0.0, high = 0.0"),
        "utilizations.distribution"
    );
    assert_eq!(refused("'10 ms'", "'0 ms'"), "periods");
    assert_eq!(refused("'10 ms'", "'101 ms'"), "periods");
    assert_eq!(refused("'1 us'", "'0 us'"), "tick");
    assert_eq!(refused("tick", "cores = 0\ntick"), "cores");
    assert_eq!(refused("tick", "jitter = [0.5, 0.2]\ntick"), "jitter");
    let unknown =
        toml::from_str::<Recipe>(&BASE.replace("cap", "captain")).unwrap_err().to_string();
    assert!(unknown.contains("captain"), "{unknown}");
    let time = toml::from_str::<Recipe>(&BASE.replace("100 ms", "100")).unwrap_err().to_string();
    assert!(time.contains("`100` is no time"), "{time}");
}

proptest! {
    #[test]
    fn any_numbers_give_sets_or_errors(
        total in -1.0_f64..20.0, min in -0.5_f64..1.5, max in -0.5_f64..1.5, tasks in 0_usize..40,
        access in -0.1_f64..1.1, jitter in 0.0_f64..1.1, seed: u64, index: u64,
    ) {
        let recipe = Recipe {
            tick: Span::microseconds(1),
            cores: 2,
            utilizations: Utilizations::RandFixedSum { tasks, total, min, max },
            periods: Periods::LogUniform {
                min: Span::milliseconds(1),
                max: Span { nanoseconds: u64::MAX },
                multiple_of: None,
            },
            deadlines: Deadlines::Constrained { low: 0.0, high: 1.0 },
            jitter: (0.0, jitter),
            suspension: (0.0, 1.0),
            offset: (0.0, 0.5),
            priorities: Priorities::DeadlineMonotonic,
            resources: Some(Resources::Random(RandomAccess {
                count: 3, access, requests: (1, 4),
                length: (Span::microseconds(0), Span::milliseconds(1)),
                excess: Excess::Cut, reads: 0.0,
                nesting: 0.5, depth: 2,
            })),
        };
        let text = toml::to_string(&recipe).unwrap();
        prop_assert_eq!(&toml::from_str::<Recipe>(&text).unwrap(), &recipe);
        if let Ok(generator) = Generator::new(recipe) {
            let set = generator.set(seed, index).unwrap();
            prop_assert_eq!(set.tasks().len(), tasks);
        }
    }
}
