//! `make soundness`: the campaign from the command line.
//!
//! Usage: `fusee-soundness [--systems N] [--seed S] [--first I] [--effort K]
//! [--described]`, which writes each system as a description and reads it again.
//! Without a seed each campaign draws its own, and says which: a number that somebody has
//! tried before finds nothing new.
//! Exit status 0: no bound was exceeded and nothing refused; 1: else; 2: wrong usage.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program's output")]

use fusee_generate::{Mix, Random};
use fusee_soundness::{Campaign, Effort, Findings, describe, shrink};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> ExitCode {
    let campaign = match campaign(std::env::args().skip(1)) {
        Ok(campaign) => campaign,
        Err(message) => {
            eprintln!("fusee-soundness: {message}");
            eprintln!(
                "usage: fusee-soundness [--systems N] [--seed S] [--first I] [--effort K] \
                 [--described]"
            );
            return ExitCode::from(2);
        }
    };
    println!("seed {}, systems {} to {}", campaign.seed, campaign.first, campaign.last());
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
    let seed = fresh_seed();
    let mut campaign = Campaign {
        mix: Mix::both_policies(),
        seed,
        first: 0,
        count: 100_000,
        effort: Effort::default(),
        described: false,
    };
    let mut arguments = arguments;
    while let Some(name) = arguments.next() {
        if name == "--described" {
            campaign.described = true;
            continue;
        }
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

/// A number that nobody has chosen, short enough to be typed.
fn fresh_seed() -> u64 {
    let time =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    Random::new(time, u64::from(std::process::id())).below(1_000_000_000)
}

fn report(campaign: &Campaign, findings: &Findings) -> ExitCode {
    let seed = campaign.seed;
    for (index, reason) in findings.refused.iter().take(10) {
        println!("\nsystem {index} of seed {seed} cannot be run: {reason}");
    }
    for &index in findings.violations.iter().take(3) {
        println!("\nsystem {index} of seed {seed} breaks a bound; shrunk:");
        let shrunk = campaign.case(index).ok().and_then(|case| shrink(&case, &campaign.effort));
        if let Some((smallest, violation)) = shrunk {
            print!("{}", describe(&smallest, &violation));
        }
    }
    if findings.violations.is_empty() && findings.refused.is_empty() {
        println!("\nno bound was exceeded, and the kernel refused nothing");
        return ExitCode::SUCCESS;
    }
    let refused: Vec<u64> = findings.refused.iter().map(|&(index, _)| index).collect();
    println!(
        "\nof seed {seed}, {} systems exceed a bound: {:?}",
        findings.violations.len(),
        findings.violations
    );
    println!("{} systems are refused something: {refused:?}", refused.len());
    println!("one alone is run again by: fusee-soundness --seed {seed} --systems 1 --first NUMBER");
    ExitCode::from(1)
}
