//! The counts of one path of the kernel.

use serde_json::{Value, json};

/// Minimum, maximum and moments of a path, in ticks of the platform's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The name as it is shown.
    pub name: String,
    /// The number of times that it was taken.
    pub runs: u64,
    /// The shortest time in ticks.
    pub min: u64,
    /// The longest time in ticks.
    pub max: u64,
    sum: u64,
    squares: u64,
}

/// A path that the table needs was not measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the path `{0}` was not measured")]
pub struct NotMeasured(pub String);

/// Returns the longest of a path, between threads without budgets and, where that was measured,
/// with them.
pub(crate) fn longest(paths: &[Path], name: &str) -> Result<u64, NotMeasured> {
    let of_name = paths.iter().filter(|path| path.name.trim_end_matches(".budget") == name);
    of_name.map(|path| path.max).max().ok_or_else(|| NotMeasured(name.to_owned()))
}

impl Path {
    /// Returns a path from a line that a measuring component printed; none from other lines.
    pub fn parse(line: &str) -> Option<Path> {
        let mut words = line.strip_prefix("path ")?.split(' ');
        let name = words.next()?.to_owned();
        let mut number = || words.next()?.parse().ok();
        let (runs, min, max, sum, squares) =
            (number()?, number()?, number()?, number()?, number()?);
        (runs > 0 && words.next().is_none()).then_some(Path { name, runs, min, max, sum, squares })
    }

    /// Adds a path to a list; what two components counted of the same path becomes one.
    pub fn add(paths: &mut Vec<Path>, path: Path) {
        match paths.iter_mut().find(|known| known.name == path.name) {
            Some(known) => {
                known.runs += path.runs;
                known.min = known.min.min(path.min);
                known.max = known.max.max(path.max);
                known.sum += path.sum;
                known.squares += path.squares;
            }
            None => paths.push(path),
        }
    }

    /// The same numbers under another name.
    pub fn called(&self, name: &str) -> Path {
        Path { name: name.to_owned(), ..self.clone() }
    }

    /// Returns the mean time in ticks.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.runs as f64
    }

    /// The standard deviation over all runs.
    pub fn deviation(&self) -> f64 {
        // n * sum of squares - square of the sum: whole numbers, so nothing is lost before the
        // root.
        let (runs, sum) = (u128::from(self.runs), u128::from(self.sum));
        let spread = (runs * u128::from(self.squares)).saturating_sub(sum * sum);
        (spread as f64).sqrt() / self.runs as f64
    }

    /// For programs; mean and deviation to a thousandth.
    pub fn json(&self) -> Value {
        let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
        json!({
            "name": self.name,
            "runs": self.runs,
            "min": self.min,
            "max": self.max,
            "mean": rounded(self.mean()),
            "std": rounded(self.deviation()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_path_counts_once() {
        let mut paths = Vec::new();
        for line in ["path x 2 3 5 8 34", "path y 1 1 1 1 1", "path x 1 1 1 1 1"] {
            Path::add(&mut paths, Path::parse(line).unwrap());
        }
        assert_eq!(
            paths,
            ["path x 3 1 5 9 35", "path y 1 1 1 1 1"].map(|line| Path::parse(line).unwrap())
        );
    }

    #[test]
    fn a_line_becomes_a_path() {
        // 4, 4, 6, 10
        let path = Path::parse("path round_trip.fixed 4 4 10 24 168").unwrap();
        assert_eq!((path.runs, path.min, path.max, path.mean()), (4, 4, 10, 6.0));
        assert_eq!(path.json()["std"], 2.449);
        for wrong in [
            "path x 0 0 0 0 0",
            "path x 1 1 1 1",
            "path x 1 1 1 1 1 1",
            "hello",
            "path x 1 1 -1 1 1",
        ] {
            assert_eq!(Path::parse(wrong), None, "{wrong}");
        }
    }
}
