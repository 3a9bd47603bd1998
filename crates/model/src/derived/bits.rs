//! A table of equally long bit sets.

/// Rows of bits, all in one vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BitTable {
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitTable {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let words_per_row = columns.div_ceil(64);
        Self { words_per_row, words: vec![0; rows * words_per_row] }
    }

    pub(super) fn set(&mut self, row: usize, column: usize) {
        self.words[row * self.words_per_row + column / 64] |= 1 << (column % 64);
    }

    pub(super) fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.words_per_row + column / 64] >> (column % 64) & 1 == 1
    }

    /// Adds row `from` of this table to row `to`.
    pub(super) fn merge(&mut self, to: usize, from: usize) {
        for word in 0..self.words_per_row {
            self.words[to * self.words_per_row + word] |=
                self.words[from * self.words_per_row + word];
        }
    }

    /// Adds row `from` of another table of the same width to row `to`.
    pub(super) fn merge_from(&mut self, to: usize, other: &BitTable, from: usize) {
        for word in 0..self.words_per_row {
            self.words[to * self.words_per_row + word] |=
                other.words[from * self.words_per_row + word];
        }
    }

    /// Returns the columns that are set in a row, ascending.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.words[row * self.words_per_row..(row + 1) * self.words_per_row];
        words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }
}
