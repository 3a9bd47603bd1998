//! Small programs by hand, and any prices: the bound is never below a solution.

use proptest::prelude::*;

use super::*;

fn program(variables: &[(u64, u64)], rows: &[(&[(usize, i64)], u64)]) -> Program {
    let mut program = Program { variables: variables.to_vec(), rows: Vec::new() };
    rows.iter().for_each(|(terms, limit)| program.at_most(terms.to_vec(), *limit));
    program
}

#[test]
fn finds_optima() {
    // max 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6).
    let known = program(&[(3, 4), (5, 100)], &[(&[(1, 2)], 12), (&[(0, 3), (1, 2)], 18)]);
    assert_eq!(known.bound(), Some(36));
    // A fraction is rounded down: x + y <= 1.5.
    assert_eq!(program(&[(1, 9), (1, 9)], &[(&[(0, 2), (1, 2)], 3)]).bound(), Some(1));
    // One variable allows another one: y <= x <= 3.
    assert_eq!(
        program(&[(0, 9), (7, 9)], &[(&[(1, 1), (0, -1)], 0), (&[(0, 1)], 3)]).bound(),
        Some(21)
    );
    // Without rows only the largest values hold.
    assert_eq!(program(&[(3, 4), (5, 2)], &[]).bound(), Some(22));
    assert_eq!(program(&[(u64::MAX, u64::MAX)], &[]).bound(), None);
}

fn small() -> impl Strategy<Value = Program> {
    let row = (proptest::collection::vec(-1_i64..3, 4), 0_u64..8);
    let variables = proptest::collection::vec((0_u64..9, 0_u64..4), 4);
    (variables, proptest::collection::vec(row, 0..5)).prop_map(|(variables, rows)| {
        let mut program = Program { variables, rows: Vec::new() };
        for (factors, limit) in rows {
            program
                .at_most(factors.into_iter().enumerate().filter(|(_, f)| *f != 0).collect(), limit);
        }
        program
    })
}

/// The best whole solution, by trying all.
fn best_whole(program: &Program) -> u64 {
    let mut best = 0;
    let mut values = vec![0_u64; program.variables.len()];
    loop {
        let fits = |row: &Row| {
            let sum: i64 = row.terms.iter().map(|&(v, f)| values[v] as i64 * f).sum();
            sum <= row.limit as i64
        };
        if program.rows.iter().all(fits) {
            best = best
                .max(program.variables.iter().zip(&values).map(|((gain, _), v)| gain * v).sum());
        }
        let Some(next) = (0..values.len()).find(|&v| values[v] < program.variables[v].1) else {
            return best;
        };
        values[..next].fill(0);
        values[next] += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_whole_solution_is_above_the_bound(
        program in small(),
        prices in proptest::collection::vec(-1.0..9.0, 5),
    ) {
        let best = best_whole(&program);
        prop_assert!(program.bound().unwrap() >= best);
        prop_assert!(certificate::bound(&program, &prices[..program.rows.len()]).unwrap() >= best);
    }

    #[test]
    fn any_numbers_are_fine(gain: u64, most: u64, limit: u64, factor: i64) {
        let wild = program(&[(gain, most), (1, 1)], &[(&[(0, factor), (1, -1)], limit)]);
        // Doing nothing, or one of the second alone if its row allows, is a solution.
        prop_assert!(wild.bound().is_none_or(|bound| bound >= 1));
    }
}

#[test]
fn degenerate_limits_of_zero() {
    // s + b <= 1, s <= 0, b <= z, z <= 0, -z <= 0, z <= 1.
    let rows: &[(&[(usize, i64)], u64)] = &[
        (&[(0, 1)], 0),
        (&[(0, -1)], 0),
        (&[(1, 1), (2, 1)], 1),
        (&[(1, 1)], 0),
        (&[(0, -1), (2, 1)], 0),
        (&[(0, 1)], 1),
    ];
    let program = program(&[(0, 1), (1, 1), (1, 1)], rows);
    assert_eq!(simplex::prices(&program), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    assert_eq!(program.bound(), Some(0));
}
