//! A small writer of Parquet files.
//!
//! The common crates for this format bring megabytes of code for reading, nesting
//! and compression. A table of results needs none of it: columns without holes or
//! nesting, one row group, plain values. The footer is Thrift's compact protocol,
//! of which three types of fields are enough. Independent readers (pyarrow,
//! polars) check the files in the tests of the Python package. It costs
//! compression: a file is about as large as the CSV.

mod thrift;

use crate::results::Row;
use crate::table::COLUMNS;
use crate::{Results, Value};
use thrift::Struct;

const MAGIC: &[u8; 4] = b"PAR1";

/// A column of equal values.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Whole numbers (INT64).
    Integers(Vec<i64>),
    /// Floats (DOUBLE).
    Reals(Vec<f64>),
    /// Texts (BYTE_ARRAY, UTF-8).
    Texts(Vec<String>),
}

impl Column {
    /// The number of the physical type.
    fn physical(&self) -> i64 {
        match self {
            Column::Integers(_) => 2,
            Column::Reals(_) => 5,
            Column::Texts(_) => 6,
        }
    }

    fn plain(&self) -> Vec<u8> {
        match self {
            Column::Integers(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Column::Reals(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Column::Texts(values) => {
                let text = |v: &String| {
                    (v.len() as u32).to_le_bytes().into_iter().chain(v.bytes()).collect::<Vec<u8>>()
                };
                values.iter().flat_map(text).collect()
            }
        }
    }
}

/// A file with these columns, all of `rows` values.
pub fn write(columns: &[(&str, Column)], rows: usize) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    let mut total = 0;
    for (name, column) in columns {
        let (offset, values) = (file.len() as i64, column.plain());
        file.extend(page_header(values.len(), rows));
        file.extend(values);
        let size = file.len() as i64 - offset;
        total += size;
        chunks.push(column_chunk(name, column, rows, offset, size));
    }
    let group = Struct::default().structs(1, chunks).integer(2, total).integer(3, rows as i64);
    let mut schema = vec![Struct::default().text(4, "results").integer32(5, columns.len() as i64)];
    schema.extend(columns.iter().map(|(name, column)| schema_element(name, column)));
    let footer = Struct::default()
        .integer32(1, 1)
        .structs(2, schema)
        .integer(3, rows as i64)
        .structs(4, vec![group]);
    let footer = footer.text(6, "fusee").finish();
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

fn schema_element(name: &str, column: &Column) -> Struct {
    let element = Struct::default().integer32(1, column.physical()).integer32(3, 0).text(4, name);
    // Converted type 0 is UTF-8.
    if matches!(column, Column::Texts(_)) { element.integer32(6, 0) } else { element }
}

/// A data page of plain values: encodings 0 (plain) and 3 (run-length, for levels that don't
/// occur).
fn page_header(bytes: usize, rows: usize) -> Vec<u8> {
    let data =
        Struct::default().integer32(1, rows as i64).integer32(2, 0).integer32(3, 3).integer32(4, 3);
    let bytes = bytes as i64;
    Struct::default()
        .integer32(1, 0)
        .integer32(2, bytes)
        .integer32(3, bytes)
        .structure(5, data)
        .finish()
}

fn column_chunk(name: &str, column: &Column, rows: usize, offset: i64, size: i64) -> Struct {
    let meta =
        Struct::default().integer32(1, column.physical()).integers32(2, &[0, 3]).texts(3, &[name]);
    let meta = meta
        .integer32(4, 0)
        .integer(5, rows as i64)
        .integer(6, size)
        .integer(7, size)
        .integer(9, offset);
    Struct::default().integer(2, offset).structure(3, meta)
}

impl Results {
    /// The table of [`csv`](Self::csv) as columns; a share that is not known is NaN.
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
            texts(&|row| row.test.to_owned()),
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

    /// The columns as a Parquet file.
    pub fn parquet(&self) -> Vec<u8> {
        write(&self.columns(), self.rows.len())
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
