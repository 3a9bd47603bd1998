//! The bound that given prices prove, in integers.

use super::Program;

/// Prices are fractions of this.
const ONE: i128 = 1 << 20;

/// Sum of price times limit, plus for each variable its largest value times what its gain exceeds
/// its costs.
pub(super) fn bound(program: &Program, prices: &[f64]) -> Option<u64> {
    let prices: Vec<i128> = prices.iter().map(|&p| rounded(p)).collect();
    let mut total: i128 = 0;
    let mut left: Vec<i128> = program
        .variables
        .iter()
        .map(|(gain, _)| i128::from(*gain).checked_mul(ONE))
        .collect::<Option<_>>()?;
    for (row, &price) in program.rows.iter().zip(&prices) {
        total = total.checked_add(price.checked_mul(i128::from(row.limit))?)?;
        for &(variable, factor) in &row.terms {
            left[variable] = left[variable].checked_sub(price.checked_mul(i128::from(factor))?)?;
        }
    }
    for (left, (_, most)) in left.into_iter().zip(&program.variables) {
        total = total.checked_add(left.max(0).checked_mul(i128::from(*most))?)?;
    }
    u64::try_from(total / ONE).ok()
}

/// The nearest fraction; what is no number or far too large counts as 0, which proves less but
/// nothing wrong.
fn rounded(price: f64) -> i128 {
    let scaled = (price * ONE as f64).round();
    if scaled.is_finite() && (0.0..1e30).contains(&scaled) { scaled as i128 } else { 0 }
}
