//! `make soundness`: the campaign from the command line.
//!
//! Usage: `fusee-soundness [--systems N] [--seed S] [--first I] [--effort K]`.
//! Exit status 0: no bound was exceeded; 1: one was; 2: wrong usage.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program's output")]

use fusee_generate::{Mix, case};
use fusee_soundness::{Campaign, Effort, Findings, describe, shrink};
use std::process::ExitCode;

fn main() -> ExitCode {
    let campaign = match campaign(std::env::args().skip(1)) {
        Ok(campaign) => campaign,
        Err(message) => {
            eprintln!("fusee-soundness: {message}");
            eprintln!("usage: fusee-soundness [--systems N] [--seed S] [--first I] [--effort K]");
            return ExitCode::from(2);
        }
    };
    let step = (campaign.count / 20).max(1);
    let total = campaign.count;
    let findings = campaign.run(&|done| {
        if done.is_multiple_of(step) {
            eprintln!("{done} of {total} systems");
        }
    });
    print!("{}", findings.tally);
    report(&campaign, &findings)
}

fn campaign(arguments: impl Iterator<Item = String>) -> Result<Campaign, String> {
    let mut campaign = Campaign { mix: Mix::default(), seed: 1, first: 0, count: 100_000, effort: Effort::default() };
    let mut arguments = arguments;
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{name}` needs a number"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{value}` is no number"))?;
        match name.as_str() {
            "--systems" => campaign.count = number,
            "--seed" => campaign.seed = number,
            "--first" => campaign.first = number,
            "--effort" => campaign.effort = campaign.effort.times(number),
            _ => return Err(format!("unknown option `{name}`")),
        }
    }
    Ok(campaign)
}

fn report(campaign: &Campaign, findings: &Findings) -> ExitCode {
    for (index, reason) in &findings.refused {
        println!("\nsystem {index} of seed {} cannot be run: {reason}", campaign.seed);
    }
    for &index in findings.violations.iter().take(3) {
        println!("\nsystem {index} of seed {} breaks a bound; shrunk:", campaign.seed);
        let case = case(&campaign.mix, campaign.seed, index);
        if let Some((smallest, violation)) = shrink(&case, &campaign.effort) {
            print!("{}", describe(&smallest, &violation));
        }
    }
    if findings.violations.is_empty() && findings.refused.is_empty() {
        println!("\nno bound was exceeded");
        return ExitCode::SUCCESS;
    }
    println!("\nbounds exceeded in systems {:?}", findings.violations);
    ExitCode::from(1)
}
