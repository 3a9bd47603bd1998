//! Upper bounds from linear programs, proved in whole numbers.
//!
//! Some bounds on blocking are the optimum of a linear program: maximize the
//! sections that can delay a job, under what is known of them. An optimum in
//! floating point is no bound. But every vector of dual prices gives one: the
//! optimum is at most the limits times their prices, plus, for each variable, its
//! largest value times what its gain exceeds the prices it pays (weak duality). So
//! the simplex method in floating point only *proposes* prices; [`certificate`]
//! rounds them to fractions of 2^20 and computes the bound in integers. However
//! wrong the proposal, the bound holds; it is only as good as the proposal. Gains
//! and counts are whole numbers, so the bound is rounded down to one at the end.
//!
//! A solver in C++ (HiGHS) would need a C++ compiler, cmake and clang and some seven
//! minutes of processor time to build; these programs have a few hundred variables
//! and are solved by the two hundred lines here.

mod certificate;
mod simplex;

/// One constraint: the sum of coefficients times variables is at most `limit`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// Variables and their coefficients; no variable twice.
    pub terms: Vec<(usize, i64)>,
    /// The limit of the sum.
    pub limit: u64,
}

/// Maximize the sum of gain times variable; variables are between 0 and `most`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Gain and largest value of each variable.
    pub variables: Vec<(u64, u64)>,
    /// The further limits on them.
    pub rows: Vec<Row>,
}

impl Program {
    /// A new variable.
    pub fn variable(&mut self, gain: u64, most: u64) -> usize {
        self.variables.push((gain, most));
        self.variables.len() - 1
    }

    /// A new constraint; rows without terms are left out.
    pub fn at_most(&mut self, terms: Vec<(usize, i64)>, limit: u64) {
        if !terms.is_empty() {
            self.rows.push(Row { terms, limit });
        }
    }

    /// A whole number that the optimum does not exceed; `None`: it does not fit.
    ///
    /// In practice the optimum rounded down. All whole solutions stay at or below it too.
    pub fn bound(&self) -> Option<u64> {
        certificate::bound(self, &simplex::prices(self))
    }
}

#[cfg(test)]
mod tests;
