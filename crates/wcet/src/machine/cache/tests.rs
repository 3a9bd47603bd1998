//! The claim of the debt, held against every small execution.

use super::*;

const ONE_WAY: Shape = Shape { line: 32, sets: 2, ways: 1, replacement: Replacement::Lru };
const LRU: Shape = Shape { line: 32, sets: 1, ways: 2, replacement: Replacement::Lru };
const FIFO: Shape = Shape { line: 32, sets: 1, ways: 2, replacement: Replacement::Fifo };

/// A cache as it is: the lines of each set, the next victim last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Real(Vec<Vec<u64>>);

impl Real {
    fn access(&mut self, shape: &Shape, line: u64) -> u64 {
        let set = &mut self.0[shape.set_of(line) as usize];
        let at = set.iter().position(|&l| l == line);
        match at {
            Some(_) if shape.replacement == Replacement::Fifo => {}
            Some(at) => {
                set.remove(at);
                set.insert(0, line);
            }
            None => {
                set.insert(0, line);
                set.truncate(shape.ways.into());
            }
        }
        u64::from(at.is_none())
    }
}

/// An execution of the analysis with all real ones that it stands for.
struct Both {
    shape: Shape,
    cache: Cache,
    time: u64,
    real: std::collections::BTreeSet<(Real, u64)>,
}

impl Both {
    fn new(shape: Shape) -> Self {
        // All that two lines can leave behind: a cache begins with anything in it.
        let lines = [None, Some(0), Some(1), Some(2), Some(3), Some(4)];
        let mut real = std::collections::BTreeSet::new();
        for a in lines {
            for b in lines {
                let mut sets = vec![Vec::new(); shape.sets as usize];
                for line in [a, b].into_iter().flatten() {
                    let set: &mut Vec<u64> = &mut sets[shape.set_of(line) as usize];
                    if set.len() < usize::from(shape.ways) && !set.contains(&line) {
                        set.push(line);
                    }
                }
                real.insert((Real(sets), 0));
            }
        }
        Self { shape, cache: Cache::default(), time: 0, real }
    }

    fn any(&self, lines: &[u64]) -> Self {
        let mut cache = self.cache.clone();
        let missed = cache.access_any(&self.shape, lines).costs();
        let each = |(real, time): &(Real, u64)| {
            let one = |&line: &u64| {
                let mut real = real.clone();
                let missed = real.access(&self.shape, line);
                (real, time + missed)
            };
            lines.iter().map(one).collect::<Vec<_>>()
        };
        let real = self.real.iter().flat_map(each).collect();
        Self { shape: self.shape, cache, time: self.time + u64::from(missed), real }
    }

    fn maybe(&self, line: u64) -> Self {
        let mut cache = self.cache.clone();
        let missed = cache.access_maybe(&self.shape, line).costs();
        // Made and not made: both are executions that the state must stand for.
        let accessed = self.any(&[line]).real;
        let real = accessed.union(&self.real).cloned().collect();
        Self { shape: self.shape, cache, time: self.time + u64::from(missed), real }
    }

    fn meet(&self, other: &Self) -> Self {
        let mut cache = self.cache.clone();
        let lead = self.time as i64 - other.time as i64;
        cache.join(&other.cache, &self.shape, &mut Spare::of(lead), 1);
        // Without time to spare the join must cover both sides by its lines and its debt alone.
        let mut coarse = self.cache.clone();
        coarse.join(&other.cache, &self.shape, &mut Spare::of(0), 1);
        assert!(
            coarse.includes(&self.cache, &self.shape) && coarse.includes(&other.cache, &self.shape)
        );
        let real = self.real.union(&other.real).cloned().collect();
        Self { shape: self.shape, cache, time: self.time.max(other.time), real }
    }

    /// Returns what is known of another one's cache instead, if it covers this one.
    fn covered(self, other: &Cache) -> Self {
        match other.includes(&self.cache, &self.shape) {
            true => Self { cache: other.clone(), ..self },
            false => self,
        }
    }

    /// Without what is doubtful.
    fn simple(self) -> Self {
        let mut cache = self.cache.clone();
        cache.forget_doubts();
        assert!(cache.includes(&self.cache, &self.shape), "{:?}", self.cache);
        Self { cache, ..self }
    }

    fn check(&self) {
        for (real, time) in &self.real {
            assert!(
                *time <= self.time,
                "{real:?} took {time}, bound {}: {:?}",
                self.time,
                self.cache
            );
        }
    }
}

/// A generator of small numbers: the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a generator repeat soon.
        (self.0 >> 33) % limit
    }
}

fn walk(draw: &mut Draw, from: Both, steps: u64, depth: u64) -> Both {
    let mut at = from;
    for _ in 0..steps {
        at = match draw.below(9) {
            0 if depth > 0 => {
                let again = Both { real: at.real.clone(), cache: at.cache.clone(), ..at };
                let (left, right) = (1 + draw.below(3), draw.below(3));
                let left = walk(draw, again, left, depth - 1);
                let right = walk(draw, at, right, depth - 1);
                left.meet(&right)
            }
            1 => {
                let first = draw.below(4);
                at.any(&[first, first + 1])
            }
            2 => at.maybe(draw.below(5)),
            3 if depth > 0 => {
                let (all, steps) = (Both::new(at.shape), 1 + draw.below(6));
                let other = walk(draw, all, steps, depth - 1).cache;
                at.covered(&other)
            }
            // Seldom, or no debt would ever grow large.
            4 if draw.below(4) == 0 => at.simple(),
            _ => at.any(&[draw.below(5)]),
        };
        at.check();
    }
    at
}

#[test]
fn no_execution_takes_longer_than_the_analysis_says() {
    for shape in [ONE_WAY, LRU, FIFO] {
        for seed in 0..400 {
            let mut draw = Draw(seed);
            walk(&mut draw, Both::new(shape), 14, 2);
        }
    }
}

#[test]
fn branches_that_load_a_line_each_pay_once() {
    let shape = Shape { line: 32, sets: 8, ways: 1, replacement: Replacement::Lru };
    let mut cache = Cache::default();
    let mut misses = 0;
    for _ in 0..20 {
        let (mut left, mut right) = (cache.clone(), cache.clone());
        let l = u64::from(left.access(&shape, 1).costs());
        let r = u64::from(right.access(&shape, 2).costs());
        misses += l.max(r);
        left.join(&right, &shape, &mut Spare::of(l as i64 - r as i64), 1);
        cache = left;
    }
    assert_eq!(misses, 2);
}

#[test]
fn an_access_that_may_be_made_pays_once() {
    let mut cache = Cache::default();
    let misses = (0..20).filter(|_| cache.access_maybe(&ONE_WAY, 1).costs()).count();
    assert_eq!(misses, 1);
    assert_eq!(cache.access(&ONE_WAY, 1), Found::Paid);
}

#[test]
fn a_table_costs_as_many_misses_as_it_has_lines() {
    let shape = Shape { line: 32, sets: 8, ways: 1, replacement: Replacement::Lru };
    let mut cache = Cache::default();
    let misses = (0..50).filter(|_| cache.access_any(&shape, &[1, 2, 3, 4]).costs()).count();
    assert_eq!(misses, 4);
}

#[test]
fn shapes_are_checked_and_random_is_one_way() {
    let random = Shape::new(32 << 10, 64, 4, Replacement::Random).expect("a shape");
    assert_eq!((random.sets, random.ways), (128, 1));
    for (size, line, ways) in
        [(0, 32, 1), (4096, 0, 1), (4096, 32, 0), (4096, 48, 1), (3000, 32, 1)]
    {
        assert_eq!(Shape::new(size, line, ways, Replacement::Lru), None);
    }
}
