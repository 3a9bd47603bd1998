//! Times as people read them.
//!
//! One time alone stands in the largest unit that is not larger than it, with all its
//! decimals: what is shown is what is meant, and can be read again. Only from a day on,
//! where nobody reads nanoseconds any more, a time that is no whole number of seconds is
//! rounded, and says so; [`Duration::exact`] is for what a machine reads again. Times in
//! one column share a unit and the number of decimals, so that they can be compared by
//! looking at them.

use std::fmt;

use super::Duration;

const MINUTE: u64 = 60 * Unit::S.ns();
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// A Julian year, 365.25 days.
const YEAR: u64 = 365 * DAY + 6 * HOUR;

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Ns,
    Us,
    Ms,
    S,
}

impl Unit {
    /// Returns the largest unit that is not larger than a time.
    fn of(time: Duration) -> Unit {
        match time.0 {
            0..1_000 => Unit::Ns,
            1_000..1_000_000 => Unit::Us,
            1_000_000..1_000_000_000 => Unit::Ms,
            _ => Unit::S,
        }
    }

    /// Returns the number of nanoseconds that it has.
    const fn ns(self) -> u64 {
        10_u64.pow(self.decimals())
    }

    /// Returns the number of decimals that a time in this unit can have.
    const fn decimals(self) -> u32 {
        match self {
            Unit::Ns => 0,
            Unit::Us => 3,
            Unit::Ms => 6,
            Unit::S => 9,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Unit::Ns => "ns",
            Unit::Us => "us",
            Unit::Ms => "ms",
            Unit::S => "s",
        }
    }

    /// Returns the number of decimals that a time needs in this unit.
    fn needed(self, time: Duration) -> u32 {
        let mut rest = time.0 % self.ns();
        let mut needed = self.decimals();
        while needed > 0 && rest.is_multiple_of(10) {
            rest /= 10;
            needed -= 1;
        }
        needed
    }

    /// Returns a time in this unit, with as many decimals; the unit has that many, and the time
    /// needs no more.
    fn write(self, time: Duration, decimals: u32) -> String {
        let (whole, rest, name) = (time.0 / self.ns(), time.0 % self.ns(), self.name());
        if decimals == 0 {
            return format!("{whole} {name}");
        }
        let shown = rest / 10_u64.pow(self.decimals() - decimals);
        let width = decimals as usize;
        format!("{whole}.{shown:0width$} {name}")
    }
}

impl Duration {
    /// Returns the time with all its digits, as descriptions have it.
    pub fn exact(self) -> String {
        if self == Duration::ZERO {
            return "0".to_owned();
        }
        let unit = Unit::of(self);
        unit.write(self, unit.needed(self))
    }

    /// About how long it is, if its digits would hide that.
    fn roughly(self) -> Option<String> {
        if self.0 < DAY || self.0.is_multiple_of(Unit::S.ns()) {
            return None;
        }
        let (unit, name) = if self.0 < YEAR { (DAY, "days") } else { (YEAR, "years") };
        let hundredths = (u128::from(self.0) * 100 + u128::from(unit / 2)) / u128::from(unit);
        Some(format!("about {}.{:02} {name}", hundredths / 100, hundredths % 100))
    }
}

/// All its digits below a day; see the module.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.roughly().unwrap_or_else(|| self.exact()))
    }
}

/// The way in which the times of one column are shown: in the unit of the one in the middle, all
/// with the same decimals. One long time then does not make decimals of all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeColumn {
    unit: Unit,
    decimals: u32,
}

impl TimeColumn {
    /// Returns the column that shows all these times with all their digits.
    pub fn of(times: impl IntoIterator<Item = Duration>) -> Self {
        // A time that is rounded has a unit of its own, and must not make decimals of the others.
        let in_the_unit = |time: &Duration| *time > Duration::ZERO && time.roughly().is_none();
        let mut times: Vec<Duration> = times.into_iter().filter(in_the_unit).collect();
        times.sort_unstable();
        let unit = times.get(times.len() / 2).map_or(Unit::Ns, |&middle| Unit::of(middle));
        let decimals = times.iter().map(|&time| unit.needed(time)).max().unwrap_or(0);
        Self { unit, decimals }
    }

    /// Returns a time of the column; from a day on as it would be shown alone.
    pub fn show(self, time: Duration) -> String {
        match time.roughly() {
            Some(text) => text,
            None if time == Duration::ZERO => "0".to_owned(),
            None => self.unit.write(time, self.decimals),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_time_keeps_all_its_digits() {
        for (ns, text) in [
            (0, "0"),
            (7, "7 ns"),
            (999, "999 ns"),
            (1_250, "1.25 us"),
            (12_500_000, "12.5 ms"),
            (5_006_953, "5.006953 ms"),
            (1_000_000_001, "1.000000001 s"),
            (86_399_999_999_999, "86399.999999999 s"),
        ] {
            assert_eq!(
                (Duration(ns).to_string(), Duration(ns).exact()),
                (text.to_owned(), text.to_owned())
            );
            if ns > 0 {
                assert_eq!(Duration::parse(text, Duration(1)), Ok(Duration(ns)));
            }
        }
        assert_eq!(format!("{:>7}|{:<7}|", Duration(7), Duration(7)), "   7 ns|7 ns   |");
    }

    #[test]
    fn long_times_are_rounded_and_say_so() {
        assert_eq!(Duration(205_994_077_661_696_324).to_string(), "about 6.53 years");
        assert_eq!(Duration(205_994_077_661_696_324).exact(), "205994077.661696324 s");
        assert_eq!(Duration(DAY + 1).to_string(), "about 1.00 days");
        assert_eq!(Duration(100_000_000_000_000).to_string(), "100000 s");
        assert_eq!(Duration(u64::MAX).to_string(), "about 584.54 years");
    }

    #[test]
    fn a_column_has_one_unit_and_one_number_of_decimals() {
        let times = [5_003_000, 5_006_953, 20, 0].map(Duration);
        let column = TimeColumn::of(times);
        assert_eq!(
            times.map(|t| column.show(t)),
            ["5.003000 ms", "5.006953 ms", "0.000020 ms", "0"]
        );
        let whole = TimeColumn::of([10_000_000, 2_000_000].map(Duration));
        assert_eq!(whole.show(Duration(10_000_000)), "10 ms");
        assert_eq!(TimeColumn::of([]).show(Duration(3)), "3 ns");
        let deadlines = [10_000_000, 100_000_000, 2_000_000_000].map(Duration);
        assert_eq!(
            deadlines.map(|t| TimeColumn::of(deadlines).show(t)),
            ["10 ms", "100 ms", "2000 ms"]
        );
        let long = TimeColumn::of([Duration(1_500), Duration(u64::MAX)]);
        assert_eq!(long.show(Duration(u64::MAX)), "about 584.54 years");
        assert_eq!(long.show(Duration(1_500)), "1.5 us");
    }
}
