//! Prices for a linear program, by the simplex method in floating point.
//!
//! All limits are at least 0, so doing nothing is a solution to start from. The
//! dictionary is dense: rows of basic variables over columns of the others. The
//! column that promises most enters; after many steps the first one does, which
//! cannot go round in circles (Bland). Whatever state it stops in, the prices of
//! that state are handed over: what they are worth is for the certificate to say.

use super::Program;
use crate::effort;

/// Below this a number counts as 0.
const TINY: f64 = 1e-9;

struct Dictionary {
    width: usize,
    /// Row by row; the last entry of a row is its limit.
    cells: Vec<f64>,
    /// Gains of the columns, and at the end minus the value reached.
    gains: Vec<f64>,
    /// The variable of each row and column; from `variables` on, slack.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Dictionary {
    fn new(program: &Program) -> Self {
        let count = program.variables.len();
        let width = count + 1;
        let mut cells = vec![0.0; program.rows.len() * width];
        for (row, line) in program.rows.iter().zip(cells.chunks_exact_mut(width)) {
            if !effort::spend(width as u64) {
                break;
            }
            row.terms.iter().for_each(|&(variable, factor)| line[variable] += factor as f64);
            line[count] = row.limit as f64;
        }
        let mut gains: Vec<f64> = program.variables.iter().map(|(gain, _)| *gain as f64).collect();
        gains.push(0.0);
        Self {
            width,
            cells,
            gains,
            rows: (count..count + program.rows.len()).collect(),
            columns: (0..count).collect(),
        }
    }

    fn cell(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.width + column]
    }

    /// The column that enters: of largest gain, or the one of the first variable.
    fn entering(&self, first: bool) -> Option<usize> {
        let candidates = (0..self.columns.len()).filter(|&j| self.gains[j] > TINY);
        if first {
            return candidates.min_by_key(|&j| self.columns[j]);
        }
        candidates.max_by(|&a, &b| self.gains[a].total_cmp(&self.gains[b]))
    }

    /// The row that limits a column most; among equals the first variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let limit = |row: usize| self.cell(row, self.width - 1) / self.cell(row, column);
        let candidates = (0..self.rows.len()).filter(|&row| self.cell(row, column) > TINY);
        candidates
            .min_by(|&a, &b| limit(a).total_cmp(&limit(b)).then(self.rows[a].cmp(&self.rows[b])))
    }

    /// Exchanges a row and a column; whether to go on.
    ///
    /// A large dictionary takes a tenth of a second, so who wants it to end is heard between rows.
    fn pivot(&mut self, row: usize, column: usize) -> bool {
        let width = self.width;
        let inverse = 1.0 / self.cell(row, column);
        let mut line: Vec<f64> =
            self.cells[row * width..(row + 1) * width].iter().map(|x| x * inverse).collect();
        line[column] = inverse;
        for (index, other) in self.cells.chunks_exact_mut(width).enumerate() {
            if !effort::spend(width as u64) {
                return false;
            }
            if index != row {
                subtract(other, &line, column);
            }
        }
        subtract(&mut self.gains, &line, column);
        self.cells[row * width..(row + 1) * width].copy_from_slice(&line);
        std::mem::swap(&mut self.rows[row], &mut self.columns[column]);
        true
    }
}

/// other -= other[column] * line, with the column itself replaced.
fn subtract(other: &mut [f64], line: &[f64], column: usize) {
    let factor = other[column];
    if factor == 0.0 {
        return;
    }
    other[column] = 0.0;
    other.iter_mut().zip(line).for_each(|(x, y)| *x -= factor * y);
}

/// A price for each row; at least 0, and nothing else is certain.
pub(super) fn prices(program: &Program) -> Vec<f64> {
    let count = program.variables.len();
    let mut dictionary = Dictionary::new(program);
    let patience = 4 * (count + program.rows.len()) + 100;
    for step in 0..3 * patience {
        let Some(column) = dictionary.entering(step > patience) else { break };
        let Some(row) = dictionary.leaving(column) else { break };
        // Whatever state this leaves, its prices are good for a bound.
        if !dictionary.pivot(row, column) {
            break;
        }
    }
    let mut prices = vec![0.0; program.rows.len()];
    for (&variable, gain) in dictionary.columns.iter().zip(&dictionary.gains) {
        if variable >= count {
            prices[variable - count] = (-gain).max(0.0);
        }
    }
    prices
}
