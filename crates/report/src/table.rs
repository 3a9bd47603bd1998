//! Plain tables: columns as wide as their widest cell.

use std::fmt;

/// The side at which a column's cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words stand at the left.
    Left,
    /// Numbers stand at the right.
    Right,
}

/// A column: its name, and a cell for each row.
pub struct Column {
    name: &'static str,
    side: Side,
    cells: Vec<String>,
}

/// Returns a column of words.
pub fn left(name: &'static str, cells: Vec<String>) -> Column {
    Column { name, side: Side::Left, cells }
}

/// Returns a column of numbers.
pub fn right(name: &'static str, cells: Vec<String>) -> Column {
    Column { name, side: Side::Right, cells }
}

/// A table with a heading.
pub struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table with these columns.
    pub fn new(columns: &[(&str, Side)]) -> Self {
        let sides = columns.iter().map(|&(_, side)| side).collect();
        let heading = columns.iter().map(|&(name, _)| name.to_owned()).collect();
        Self { sides, rows: vec![heading] }
    }

    /// Returns a table of columns that are equally long.
    pub fn of(columns: impl IntoIterator<Item = Column>) -> Self {
        let columns: Vec<Column> = columns.into_iter().collect();
        let count = columns.first().map_or(0, |column| column.cells.len());
        let row = |row: usize| {
            columns.iter().filter_map(|column| column.cells.get(row).cloned()).collect()
        };
        let heading = columns.iter().map(|column| column.name.to_owned()).collect();
        let sides = columns.iter().map(|column| column.side).collect();
        Self { sides, rows: std::iter::once(heading).chain((0..count).map(row)).collect() }
    }

    /// Adds a row; missing cells stay empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(width).collect();
        for row in &self.rows {
            let cells =
                row.iter().zip(&self.sides).zip(&widths).map(|((cell, side), &width)| match side {
                    Side::Left => format!("{cell:<width$}"),
                    Side::Right => format!("{cell:>width$}"),
                });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_up_columns() {
        let mut table =
            Table::new(&[("task", Side::Left), ("period", Side::Right), ("verdict", Side::Left)]);
        table.row(["é", "10 ms", "holds"].map(str::to_owned));
        table.row(["long name".to_owned()]);
        assert_eq!(
            table.to_string(),
            "task       period  verdict\né           10 ms  holds\nlong name\n"
        );
    }
}
