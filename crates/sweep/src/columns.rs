//! Results as columns, for files and for arrays.

use crate::results::Row;
use crate::table::COLUMNS;
use crate::{Results, Value};

/// A column of equal values.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// A column of whole numbers.
    Integers(Vec<i64>),
    /// A column of floats.
    Reals(Vec<f64>),
    /// A column of texts.
    Texts(Vec<String>),
}

impl Results {
    /// Returns the table of [`csv`](Self::csv) as columns; a share that is not known is NaN.
    pub fn columns(&self) -> Vec<(&str, Column)> {
        let mut columns: Vec<(&str, Column)> = self
            .axes
            .iter()
            .enumerate()
            .map(|(k, name)| (name.as_str(), axis(&self.rows, k)))
            .collect();
        let integers = |f: &dyn Fn(&Row) -> u64| {
            Column::Integers(self.rows.iter().map(|row| f(row) as i64).collect())
        };
        let reals = |f: &dyn Fn(&Row) -> f64| Column::Reals(self.rows.iter().map(f).collect());
        let texts = |f: &dyn Fn(&Row) -> String| Column::Texts(self.rows.iter().map(f).collect());
        let values = [
            texts(&|row| row.label.clone()),
            texts(&|row| row.test.clone()),
            integers(&|row| row.sets),
            integers(&|row| row.outside),
            integers(&|row| row.schedulable),
            reals(&|row| row.ratio().unwrap_or(f64::NAN)),
            reals(&|row| row.interval().0),
            reals(&|row| row.interval().1),
        ];
        columns.extend(COLUMNS.into_iter().zip(values));
        columns
    }
}

fn axis(rows: &[Row], axis: usize) -> Column {
    let values = || rows.iter().filter_map(move |row| row.values.get(axis));
    match rows.first().and_then(|row| row.values.get(axis)) {
        Some(Value::Real(_)) => Column::Reals(values().filter_map(|v| v.number()).collect()),
        Some(Value::Word(_)) => Column::Texts(values().map(Value::to_string).collect()),
        _ => Column::Integers(
            values().map(|v| if let Value::Integer(v) = v { *v as i64 } else { 0 }).collect(),
        ),
    }
}
