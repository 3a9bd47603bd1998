//! Campaigns that boot drawn descriptions.

use std::path::Path;

use serde_json::Value;

use crate::{Campaign, Held, Tool, write_project};

/// The name of each file in its folder.
const DESCRIPTION: &str = "drawn.camkes";

/// Descriptions that are drawn and built from themselves alone, each component without sources a
/// stub, and what sources there are the same for all.
#[derive(Debug, Clone, Copy)]
pub struct Drawn {
    /// The platform that they run on.
    pub platform: &'static str,
    /// The variable that says how many; those that begin with `BOOTED` say which again.
    pub count: &'static str,
    /// The number of without that it.
    pub few: u64,
    /// The seed then.
    pub seed: u64,
    /// System so many of a seed.
    pub draw: fn(u64, u64) -> String,
    /// The code of component types that are no stubs.
    pub code: &'static [(&'static str, &'static str)],
}

impl Drawn {
    /// Boots each of them in a folder of the campaign's own, and holds it against its bounds.
    ///
    /// # Panics
    /// When a bound is exceeded, a call refused or a run without a result, or when there are fewer
    /// bounds than systems.
    #[expect(clippy::print_stdout, reason = "what was seen is for people")]
    pub fn hold(self, tool: Tool, folder: &Path) {
        let Self { platform, count: variable, few, seed, draw, code } = self;
        let campaign = Campaign::asked(variable, "BOOTED", (few, seed));
        let Campaign { seed, first, count } = campaign;
        println!("{campaign:?}");
        let folder = folder.join(format!("{seed}-{first}"));
        std::fs::create_dir_all(&folder).expect("a scratch folder");
        let (mut broken, mut held) = (Vec::new(), Held::default());
        for index in campaign.systems() {
            let text = draw(seed, index);
            write_project(&folder, (DESCRIPTION, &text), code);
            let run = boot(tool, platform, &folder);
            let wrong = run.map_or_else(|why| vec![why], |run| held.judge(&run));
            if !wrong.is_empty() {
                println!("system {index} of seed {seed}:\n{text}\n  {}", wrong.join("\n  "));
                broken.push(index);
            }
        }
        println!("{held:?}");
        assert!(
            broken.is_empty(),
            "of seed {seed}, systems {broken:?}: again by BOOTED_SEED, BOOTED_FIRST, {variable}"
        );
        assert!(held.bounds >= count, "only {held:?} for {count} systems");
    }
}

/// Boots the system in a folder; what the command says of it.
fn boot(tool: Tool, platform: &str, folder: &Path) -> Result<Value, String> {
    let how = ["--platform", platform, "--stubs", "--json", "--for", "100ms", "-o", "build"];
    let run = tool.run_in(folder, &[&["run", DESCRIPTION][..], &how].concat());
    let said = || String::from_utf8_lossy(&run.stderr).into_owned();
    serde_json::from_slice(&run.stdout).map_err(|error| format!("{error}\n{}", said()))
}
