//! Reads a text for its settings, and decides what must become of each.
//!
//! It knows nothing of the program's own catalogue: what a component is, it sees in the text, and
//! which attributes somebody reads when an image is built it has from CAmkES's manual.

use std::collections::HashMap;

/// A setting, as the text has it.
pub(crate) struct Setting {
    /// The line, from 0.
    pub(crate) line: usize,
    /// The full name, as in `c0.i1_priority`.
    pub(crate) name: String,
    owner: String,
    attribute: String,
    pub(crate) value: String,
}

/// The statements of a text about its components.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) settings: Vec<Setting>,
    /// Lines of component types, by their names.
    types: HashMap<String, Vec<String>>,
    /// Types of instances.
    instances: HashMap<String, String>,
}

impl Text {
    /// Reads a text with one thing a line.
    pub(crate) fn read(text: &str) -> Self {
        let mut read = Text::default();
        let (mut kind, mut configures) = (None, false);
        for (line, words) in text.lines().enumerate() {
            if let Some(name) = words.strip_prefix("component ") {
                match name.split_once(" {") {
                    Some((name, _)) => kind = Some(name.to_owned()),
                    None => {
                        let both = name.trim_end_matches(';').split_once(' ');
                        let (of, name) = both.expect("a component and a name");
                        read.instances.insert(name.to_owned(), of.to_owned());
                    }
                }
            } else if words == "configuration {" {
                configures = true;
            } else if words == "}" {
                (kind, configures) = (None, false);
            } else if let Some(kind) = &kind {
                read.types.entry(kind.clone()).or_default().push(words.to_owned());
            } else if configures {
                read.settings.extend(setting(line, words));
            }
        }
        read
    }

    fn lines(&self, instance: &str) -> &[String] {
        self.instances.get(instance).and_then(|of| self.types.get(of)).map_or(&[], Vec::as_slice)
    }

    fn has(&self, instance: &str, what: &str) -> bool {
        self.lines(instance).iter().any(|line| line == what)
    }

    /// Returns the reason for which a setting that is not told and changes nothing may still be no
    /// loss.
    pub(crate) fn excuse(&self, setting: &Setting) -> Option<&'static str> {
        let Setting { owner, attribute, value, .. } = setting;
        let declares = |line: &String| {
            let mut words = line.trim_end_matches(';').split_whitespace();
            words.next() == Some("attribute") && words.nth(1) == Some(attribute.as_str())
        };
        let of_threads = ["_domain", "_affinity", "affinity", "_priority", "single_threaded"];
        if self.lines(owner).iter().any(declares) && !of_threads.contains(&attribute.as_str()) {
            return Some("the component's own code has it");
        }
        if self.is_built(owner, attribute) {
            return Some("whoever builds an image reads it");
        }
        let first = |suffix: &str| attribute.ends_with(suffix);
        let number: Option<i64> = value.parse().ok();
        if first("domain") && number == Some(0) {
            return Some("threads are in domain 0 anyway");
        }
        let pairs = [("affinity", 2, Some(0)), ("priority", 77, None), ("period", -1, None)];
        let is_it =
            |(pair, ..): &&(&str, i64, Option<i64>)| attribute.trim_start_matches('_') == *pair;
        if let Some(pair) = pairs.iter().find(is_it)
            && self.says_the_same(owner, number, pair)
        {
            return Some("it says what holds without it");
        }
        if first("affinity") && self.is_everybodys_core(number) {
            return Some("everybody is on that core");
        }
        if first("passive") && (value == "true" || number.is_some_and(|n| n != 0)) {
            return Some("callers pay here, too");
        }
        if attribute == "single_threaded" {
            return Some("one at a time is inside anyway, or it is not asked for");
        }
        if attribute == "requestor" {
            return Some("it is checked to differ from others'");
        }
        if first("priority_protocol") && value == "\"inherited\"" {
            return Some("it is so where nothing is said");
        }
        if attribute == "environment" && value == "\"c\"" {
            return Some("it is C anyway");
        }
        self.is_no_limit(owner, attribute).then_some("a budget as long as its period is no limit")
    }

    /// Returns `true` if a number is the default, or that of the other one of two attributes; what
    /// components declare is part of the pair.
    fn says_the_same(
        &self,
        owner: &str,
        number: Option<i64>,
        (pair, declared, default): &(&str, i64, Option<i64>),
    ) -> bool {
        let line = |name: &str| format!("attribute int {name} = {declared};");
        let declares = self.has(owner, &line(pair)) || self.has(owner, &line(&format!("_{pair}")));
        let both = self
            .settings
            .iter()
            .filter(|set| set.owner == owner && set.attribute.trim_start_matches('_') == *pair);
        let both: Vec<Option<i64>> = both.map(|set| set.value.parse().ok()).collect();
        let default = if declares { Some(*declared) } else { *default };
        number.is_some() && number == default || both.len() == 2 && both[0] == both[1]
    }

    /// Returns `true` if CAmkES's manual uses the attribute for sizes, devices and rights, and it
    /// applies.
    fn is_built(&self, owner: &str, attribute: &str) -> bool {
        let device = self.has(owner, "hardware;");
        if !device && ["heap_size", "_stack_size", "dma_pool"].contains(&attribute) {
            return true;
        }
        let consumes = self.lines(owner).iter().any(|line| line.starts_with("consumes "));
        if !device && attribute == "priority" && consumes {
            return true;
        }
        let Some((port, suffix)) = attribute.split_once('_') else { return false };
        let is = |word: &str| {
            let end = format!(" {port};");
            self.lines(owner).iter().any(|line| line.starts_with(word) && line.ends_with(&end))
        };
        match suffix {
            "stack_size" => !device && (is("provides") || is("consumes")),
            "access" => !device && is("dataport"),
            "paddr" | "size" => device && is("dataport"),
            "irq_number" => device && is("emits"),
            "attributes" => !device && is("uses"),
            "priority" => !device && is("consumes"),
            _ => false,
        }
    }

    fn is_everybodys_core(&self, core: Option<i64>) -> bool {
        // Those that a setting or a default puts elsewhere are on another one.
        let moves = |name: &str| name == "_affinity" || name == "affinity";
        let elsewhere = |setting: &Setting| {
            moves(&setting.attribute)
                && self.has(&setting.owner, "control;")
                // A value that is no number is told, and moves nobody.
                && setting.value.parse().is_ok_and(|moved: i64| Some(moved) != core)
        };
        let by_default = self.instances.keys().any(|name| {
            self.has(name, "control;")
                && core != Some(0)
                && !self.settings.iter().any(|set| set.owner == *name && moves(&set.attribute))
                && !self.has(name, &format!("attribute int affinity = {};", core.unwrap_or(0)))
        });
        let declared = core == Some(0)
            && self.instances.keys().any(|name| {
                self.has(name, "control;") && self.has(name, "attribute int affinity = 2;")
            });
        !self.settings.iter().any(elsewhere) && !by_default && !declared
    }

    /// Returns `true` if both times of a scheduling context are the same, or say CAmkES's default,
    /// 10 ms.
    fn is_no_limit(&self, owner: &str, attribute: &str) -> bool {
        let time = |prefix: &str, what: &str| {
            let name = format!("{prefix}{what}");
            let given =
                self.settings.iter().find(|set| set.owner == owner && set.attribute == name);
            given.map_or(Some(10_000), |set| set.value.parse::<u64>().ok())
        };
        let prefix = attribute.strip_suffix("period").or(attribute.strip_suffix("budget"));
        prefix.is_some_and(|prefix| {
            let (budget, period) = (time(prefix, "budget"), time(prefix, "period"));
            budget.is_some() && budget == period
                // The general ones may say the same as those of the control thread.
                || prefix.len() <= 1
                    && ["period", "budget"].iter().all(|what| time("", what) == time("_", what))
                || prefix == "_" && budget.is_some() && budget >= time("", "period")
        })
    }
}

/// `c0.i1_priority = 5;`
fn setting(line: usize, words: &str) -> Option<Setting> {
    let (name, value) = words.trim_end_matches(';').split_once(" = ")?;
    let (owner, attribute) = name.rsplit_once('.')?;
    // Only the component `Outer`, of which there is one instance, has one of this name.
    let outer = if owner.starts_with("inner") { "outer." } else { "" };
    Some(Setting {
        line,
        name: format!("{outer}{name}"),
        owner: owner.to_owned(),
        attribute: attribute.to_owned(),
        value: value.to_owned(),
    })
}
