//! Vectors with a fixed sum, uniformly distributed.
//!
//! - [`uunifast`] (Bini and Buttazzo 2005): on the simplex, any length, linear
//!   time. Components may exceed 1; UUniFast-discard draws again then (Davis and
//!   Burns 2009), which is hopeless for sums near n.
//! - [`uunisort`] (Bini and Buttazzo 2005): the same distribution from sorted
//!   points.
//! - [`rand_fixed_sum`] (Stafford 2006; Emberson, Stafford and Davis 2010): every
//!   component within the same bounds, without rejection.
//! - [`convolutional_fixed_sum`] (Griffin and Davis 2025): every component within
//!   its own bounds. Uniform vectors with a given sum are independent uniform
//!   variables under the condition of that sum. So draw one after the other: what
//!   remains for the others has the density of *their* sum, cut to what is
//!   possible. Those densities come from repeated convolution, here on a grid over
//!   the range that matters. (Dirichlet rescaling, which serves the same purpose,
//!   was withdrawn by its authors as not uniform.)

use super::math::power;
use super::random::Random;
use crate::effort;

/// `count` non-negative numbers with sum `total`: UUniFast.
pub fn uunifast(random: &mut Random, count: usize, total: f64) -> Vec<f64> {
    let mut values = Vec::with_capacity(count);
    let mut rest = total;
    for others in (1..count).rev() {
        let next = rest * power(random.positive_unit(), 1.0 / others as f64);
        values.push(rest - next);
        rest = next;
    }
    if count > 0 {
        values.push(rest);
    }
    values
}

/// `count` non-negative numbers with sum `total`: UUniSort.
pub fn uunisort(random: &mut Random, count: usize, total: f64) -> Vec<f64> {
    if count == 0 {
        return Vec::new();
    }
    let mut points: Vec<f64> = (1..count).map(|_| total * random.unit()).collect();
    points.sort_by(f64::total_cmp);
    points.push(total);
    let mut before = 0.0;
    points.into_iter().map(|point| point - std::mem::replace(&mut before, point)).collect()
}

/// `count` numbers in `low ..= high` with sum `total`: Stafford's randfixedsum.
///
/// `None`: no such numbers exist.
pub fn rand_fixed_sum(
    random: &mut Random,
    count: usize,
    total: f64,
    (low, high): (f64, f64),
) -> Option<Vec<f64>> {
    let n = count as f64;
    let possible = low < high && (n * low..=n * high).contains(&total);
    if count == 0 || !possible {
        return None;
    }
    let scaled = (total - n * low) / (high - low);
    let mut values = stafford(random, count, scaled)?;
    random.shuffle(&mut values);
    Some(values.into_iter().map(|x| low + (high - low) * x).collect())
}

/// Stafford's walk through the simplices of the cut cube; `sum` is within 0 ..= n.
fn stafford(random: &mut Random, n: usize, sum: f64) -> Option<Vec<f64>> {
    let whole = (sum.floor() as usize).min(n - 1);
    let mut s = sum.clamp(whole as f64, whole as f64 + 1.0);
    let transitions = transition_probabilities(n, whole, s)?;
    let mut values = Vec::with_capacity(n);
    let (mut j, mut shift, mut scale) = (whole + 1, 0.0, 1.0);
    for i in (1..n).rev() {
        let up = random.unit() <= transitions[i - 1][j - 1];
        let shrink = power(random.positive_unit(), 1.0 / i as f64);
        shift += (1.0 - shrink) * scale * s / (i as f64 + 1.0);
        scale *= shrink;
        values.push(shift + if up { scale } else { 0.0 });
        if up {
            s -= 1.0;
            j -= 1;
        }
    }
    values.push(shift + scale * s);
    Some(values)
}

/// Probabilities of the walk, from the volumes of the simplices.
fn transition_probabilities(n: usize, whole: usize, s: f64) -> Option<Vec<Vec<f64>>> {
    // The table has so many cells: whether there is room for that is known before it takes any.
    if !effort::spend((n * n) as u64) {
        return None;
    }
    let above: Vec<f64> = (0..n).map(|i| s - (whole as f64 - i as f64)).collect();
    let below: Vec<f64> = (0..n).map(|i| (whole + n - i) as f64 - s).collect();
    let mut volumes = vec![0.0; n + 1];
    volumes[1] = f64::MAX;
    let mut rows = Vec::with_capacity(n - 1);
    for i in 2..=n {
        if !effort::spend(n as u64) {
            return None;
        }
        let mut next = vec![0.0; n + 1];
        let mut row = vec![0.0; n];
        for j in 0..i {
            let from_same = volumes[j + 1] * above[j] / i as f64;
            let from_lower = volumes[j] * below[n - i + j] / i as f64;
            next[j + 1] = from_same + from_lower;
            let sum = next[j + 1] + f64::MIN_POSITIVE;
            let closer_to_lower = below[n - i + j] > above[j];
            row[j] = if closer_to_lower { from_lower / sum } else { 1.0 - from_same / sum };
        }
        volumes = next;
        rows.push(row);
    }
    Some(rows)
}

/// Points of the grid for [`convolutional_fixed_sum`].
const GRID: usize = 2048;

/// One number within each of `bounds`, with sum `total`: ConvolutionalFixedSum.
///
/// The densities are computed on a grid of 2048 points. `None`: no such numbers exist.
pub fn convolutional_fixed_sum(
    random: &mut Random,
    total: f64,
    bounds: &[(f64, f64)],
) -> Option<Vec<f64>> {
    let low: f64 = bounds.iter().map(|b| b.0).sum();
    let widths: Vec<f64> = bounds.iter().map(|b| b.1 - b.0).collect();
    let width: f64 = widths.iter().sum();
    let sum = total - low;
    if bounds.is_empty() || !widths.iter().all(|&w| w >= 0.0) || !(0.0..=width).contains(&sum) {
        return None;
    }
    // The mirror image has the smaller sum: there the grid is finer.
    let mirrored = sum > width / 2.0;
    let values = below_widths(random, if mirrored { width - sum } else { sum }, &widths)?;
    let place = |(x, b): (f64, &(f64, f64))| if mirrored { b.1 - x } else { b.0 + x };
    Some(values.into_iter().zip(bounds).map(place).collect())
}

/// Numbers x_i in 0 ..= w_i with the given sum.
fn below_widths(random: &mut Random, sum: f64, widths: &[f64]) -> Option<Vec<f64>> {
    // Distribution of the sum of the last k, for k = 1 .. n - 1, on [0, sum].
    let mut suffixes: Vec<Distribution> = Vec::with_capacity(widths.len());
    for (k, &width) in widths[1..].iter().rev().enumerate() {
        if !effort::spend(GRID as u64) {
            return None;
        }
        let next = if k == 0 {
            Distribution::uniform(width, sum)
        } else {
            suffixes[k - 1].plus_uniform(width)
        };
        suffixes.push(next);
    }
    let mut values = Vec::with_capacity(widths.len());
    let mut rest = sum;
    for (i, &width) in widths.iter().enumerate() {
        let others = widths.len() - 1 - i;
        let most_left: f64 = widths[i + 1..].iter().sum();
        let left = match others.checked_sub(1) {
            None => 0.0,
            Some(k) => {
                suffixes[k].draw_within(random, (rest - width).max(0.0), rest.min(most_left))
            }
        };
        values.push((rest - left).clamp(0.0, width));
        rest = left;
    }
    Some(values)
}

/// A cumulative distribution on [0, end], up to a constant factor.
#[derive(Clone)]
struct Distribution {
    step: f64,
    cumulative: Vec<f64>,
}

impl Distribution {
    /// Returns the distribution of a uniform variable on [0, width].
    fn uniform(width: f64, end: f64) -> Self {
        let step = end / GRID as f64;
        let at = |i| if width > 0.0 { (i as f64 * step).min(width) } else { 1.0 };
        Self { step, cumulative: (0..=GRID).map(at).collect() }
    }

    /// Returns the distribution of this variable plus a uniform one on [0, width]: the density is
    /// F(x) - F(x - width).
    fn plus_uniform(&self, width: f64) -> Self {
        if width <= 0.0 {
            return self.clone();
        }
        let mut cumulative = Vec::with_capacity(GRID + 1);
        let (mut sum, mut before) = (0.0, 0.0);
        for i in 0..=GRID {
            let x = i as f64 * self.step;
            let density = self.cumulative[i] - if x > width { self.at(x - width) } else { 0.0 };
            if i > 0 {
                sum += (density + before) / 2.0;
            }
            before = density;
            cumulative.push(sum);
        }
        let largest = sum.max(f64::MIN_POSITIVE);
        Self { step: self.step, cumulative: cumulative.into_iter().map(|c| c / largest).collect() }
    }

    fn at(&self, x: f64) -> f64 {
        let position = if self.step > 0.0 { x / self.step } else { 0.0 };
        let cell = (position as usize).min(GRID - 1);
        let (low, high) = (self.cumulative[cell], self.cumulative[cell + 1]);
        low + (high - low) * (position - cell as f64).clamp(0.0, 1.0)
    }

    /// A draw under the condition that it lies within low ..= high.
    fn draw_within(&self, random: &mut Random, low: f64, high: f64) -> f64 {
        let (from, to) = (self.at(low), self.at(high));
        let level = from + (to - from) * random.unit();
        let cell = self.cumulative.partition_point(|&c| c <= level).clamp(1, GRID) - 1;
        let (below, above) = (self.cumulative[cell], self.cumulative[cell + 1]);
        let within = if above > below { (level - below) / (above - below) } else { random.unit() };
        ((cell as f64 + within) * self.step).clamp(low, high.max(low))
    }
}
