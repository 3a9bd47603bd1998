//! Linear programs as in the papers, for a solver that is not ours.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// Maximize what requests of others add.
pub(crate) struct Maximum(Problem);

impl Maximum {
    pub(crate) fn new() -> Self {
        Self(Problem::new(OptimizationDirection::Maximize))
    }

    /// Adds the number of delays by a kind of request, at most so often, for so long each time.
    pub(crate) fn variable(&mut self, length: u64, most: u64) -> Variable {
        self.0.add_var(length as f64, (0.0, most as f64))
    }

    /// 0 or 1.
    pub(crate) fn choice(&mut self) -> Variable {
        self.0.add_binary_var(0.0)
    }

    /// The sum of variables is at most `limit`.
    pub(crate) fn at_most(&mut self, terms: impl IntoIterator<Item = Variable>, limit: u64) {
        self.at_most_times(terms, limit, &[]);
    }

    /// The sum of variables is at most `limit`, plus some of the others times a number each.
    pub(crate) fn at_most_times(
        &mut self,
        terms: impl IntoIterator<Item = Variable>,
        limit: u64,
        more: &[(Variable, u64)],
    ) {
        let terms = terms.into_iter().map(|v| (v, 1.0));
        let more = more.iter().map(|&(v, n)| (v, -(n as f64)));
        let all: Vec<(Variable, f64)> = terms.chain(more).collect();
        if !all.is_empty() {
            self.0.add_constraint(all, ComparisonOp::Le, limit as f64);
        }
    }

    /// The optimum rounded down; what delays is a whole number of ticks.
    pub(crate) fn solve(&self) -> u64 {
        let solved = self.0.solve().expect("doing nothing is feasible, and all is bounded");
        assert!(solved.is_optimal(), "no time limit is set");
        let objective = solved.solution().expect("it is optimal").objective();
        (objective + 1e-6).floor() as u64
    }
}
