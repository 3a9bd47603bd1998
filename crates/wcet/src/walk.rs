//! The worst path as a sequence that people can follow.
//!
//! The path is known block by block, with the time of each. What comes again
//! and again is folded: `16 times` in front of what is repeated, loops within
//! loops as well. Unfolded, the sequence is the path itself, so nothing is
//! lost. Iterations that take another time, such as the first one on empty
//! caches, stand for themselves.

use std::collections::HashMap;

use crate::execute::Visit;

/// A piece of the path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A single block.
    Block(Visit),
    /// Steps that are taken several times in a row.
    Repeated {
        /// The number of times.
        times: u64,
        /// The steps of one iteration.
        steps: Vec<Step>,
    },
}

impl Step {
    /// Returns the time that it takes, with all repetitions.
    pub fn time(&self) -> u64 {
        match self {
            Self::Block(visit) => visit.time,
            Self::Repeated { times, steps } => times * steps.iter().map(Step::time).sum::<u64>(),
        }
    }
}

/// Iterations with more pieces than this are not folded.
const LONGEST: usize = 48;

/// A piece by its number; equal pieces have equal numbers.
type Piece = u32;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Shape {
    Block(Visit),
    Repeated(u64, Vec<Piece>),
}

#[derive(Default)]
struct Folder {
    shapes: Vec<Shape>,
    numbers: HashMap<Shape, Piece>,
    line: Vec<Piece>,
}

/// Folds a path.
pub fn fold(path: &[Visit]) -> Vec<Step> {
    let mut folder = Folder::default();
    for &visit in path {
        let piece = folder.number(Shape::Block(visit));
        folder.line.push(piece);
        // A fold may complete an iteration of the loop around, so it is tried until nothing folds.
        while folder.repeats() {}
    }
    let line = std::mem::take(&mut folder.line);
    line.into_iter().map(|piece| folder.step(piece)).collect()
}

impl Folder {
    fn number(&mut self, shape: Shape) -> Piece {
        if let Some(&known) = self.numbers.get(&shape) {
            return known;
        }
        // Equal shapes share a number, so whole iterations are compared by numbers alone.
        let number = self.shapes.len() as Piece;
        self.shapes.push(shape.clone());
        self.numbers.insert(shape, number);
        number
    }

    /// Folds the end of the line if it repeats what stands before it.
    fn repeats(&mut self) -> bool {
        let line = &self.line;
        // The shortest repetition comes first, so inner loops are folded before those around them.
        for length in 1..=LONGEST.min(line.len().saturating_sub(1)) {
            let (before, iteration) = line.split_at(line.len() - length);
            // One more of what is folded already counts before a new pair of equal iterations.
            let again = before.last().and_then(|&piece| match &self.shapes[piece as usize] {
                Shape::Repeated(times, steps) if steps == iteration => Some((times + 1, 1)),
                _ => None,
            });
            let twice = || before.ends_with(iteration).then_some((2, length));
            if let Some((times, covered)) = again.or_else(twice) {
                let shape = Shape::Repeated(times, iteration.to_vec());
                self.line.truncate(self.line.len() - length - covered);
                let piece = self.number(shape);
                self.line.push(piece);
                return true;
            }
        }
        false
    }

    fn step(&self, piece: Piece) -> Step {
        match &self.shapes[piece as usize] {
            Shape::Block(visit) => Step::Block(*visit),
            Shape::Repeated(times, steps) => Step::Repeated {
                times: *times,
                steps: steps.iter().map(|&piece| self.step(piece)).collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfold(steps: &[Step], into: &mut Vec<Visit>) {
        for step in steps {
            match step {
                Step::Block(visit) => into.push(*visit),
                Step::Repeated { times, steps } => (0..*times).for_each(|_| unfold(steps, into)),
            }
        }
    }

    fn visit(block: u64) -> Visit {
        Visit { block, time: block * 2, times: 1, misses: Default::default() }
    }

    #[test]
    fn folds_loops_in_loops_and_loses_nothing() {
        let iteration: Vec<u64> = [1].into_iter().chain([2, 3].repeat(4)).chain([4]).collect();
        let path: Vec<Visit> =
            [0].into_iter().chain(iteration.repeat(5)).chain([9]).map(visit).collect();
        let steps = fold(&path);
        assert_eq!(steps.len(), 3, "{steps:?}");
        let Step::Repeated { times: 5, steps: inner } = &steps[1] else { panic!("{steps:?}") };
        assert!(matches!(inner[1], Step::Repeated { times: 4, .. }), "{inner:?}");
        let mut all = Vec::new();
        unfold(&steps, &mut all);
        assert_eq!(all, path);
        assert_eq!(
            steps.iter().map(Step::time).sum::<u64>(),
            path.iter().map(|visit| visit.time).sum::<u64>()
        );
    }

    #[test]
    fn iterations_with_another_time_stand_for_themselves() {
        let mut path = vec![visit(1); 4];
        path[0].time = 30;
        let steps = fold(&path);
        assert_eq!(steps.len(), 2, "{steps:?}");
    }
}
