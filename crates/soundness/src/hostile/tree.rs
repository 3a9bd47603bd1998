//! Drawn trees of schedulers.
//!
//! The root is any of those that come with Fusee; in a slot of a table may be another one. Above
//! and below it are tasks of the kernel's own.

use fusee_generate::Random;

use super::{Draft, Place, us};

/// The schedulers, and the files that they are in.
const SCHEDULERS: [(&str, &str); 6] = [
    ("Partitions", "partitions"),
    ("FixedPriority", "fixed_priority"),
    ("EarliestDeadline", "earliest_deadline"),
    ("RoundRobin", "round_robin"),
    ("DeferrableServer", "deferrable_server"),
    ("PriorityServers", "priority_servers"),
];

/// Draws the root's kind: a table in every third tree.
pub(super) fn root(random: &mut Random) -> &'static str {
    SCHEDULERS[random.below(9).saturating_sub(3) as usize].0
}

/// A system with a tree.
pub(super) fn fill(draft: &mut Draft, random: &mut Random) {
    let kind = draft.drawn.root.unwrap_or_default();
    let protocol = match kind {
        "FixedPriority" | "EarliestDeadline" | "RoundRobin" if random.chance(40) => "inherited",
        _ => "propagated",
    };
    draft.store(random, (Some(0), protocol, true));
    scheduler(draft, kind, "root");
    draft.set("root.priority = 100");
    let mut tree = Tree { kind, name: "root", slots: Vec::new(), serial: 0 };
    if kind == "Partitions" {
        tree.table(draft, random);
    } else {
        for hostile in [false, true].into_iter().chain((0..random.below(3)).map(|one| one == 1)) {
            tree.thread(draft, random, hostile);
        }
    }
    tree.limits(draft, random);
    // What those below would lend were in nobody's slots.
    let beside = random.between(40, 160);
    for (name, priority, share) in [("above", 150, 60), ("below", 50, 40), ("beside", beside, 30)] {
        if !random.chance(share) {
            continue;
        }
        draft.set(&format!("{name}.priority = {priority}"));
        let (name, calls) = (name.to_owned(), priority > 100);
        let place = Place { name, core: 0, scheduled: false, calls };
        match place.name == "beside" {
            true => draft.hostile(random, &place),
            false => draft.honest(random, &place),
        }
    }
}

fn scheduler(draft: &mut Draft, kind: &str, name: &str) {
    let file = SCHEDULERS.iter().find(|(own, _)| *own == kind).map_or("", |own| own.1);
    draft.import(file);
    draft.instance(kind, name);
}

/// A scheduler with its threads.
struct Tree<'t> {
    kind: &'t str,
    name: &'t str,
    /// The lines about the time that a table or servers give.
    slots: Vec<String>,
    serial: u64,
}

impl Tree<'_> {
    /// A thread of this scheduler.
    fn thread(&mut self, draft: &mut Draft, random: &mut Random, hostile: bool) -> String {
        let name = match hostile {
            true => format!("{}_hostile{}", self.name, self.serial),
            false => format!("{}_honest{}", self.name, self.serial),
        };
        self.serial += 1;
        self.member(draft, random, &name);
        let place = Place { name: name.clone(), core: 0, scheduled: true, calls: true };
        match hostile {
            true => draft.hostile(random, &place),
            false => draft.honest(random, &place),
        }
        name
    }

    /// Writes the lines about a thread.
    fn member(&mut self, draft: &mut Draft, random: &mut Random, name: &str) {
        draft.set(&format!("{name}.scheduler = \"{}\"", self.name));
        match self.kind {
            "FixedPriority" | "DeferrableServer" => {
                draft.set(&format!("{name}.priority = {}", random.between(1, 4)));
            }
            "PriorityServers" => {
                draft.set(&format!("{name}.priority = {}", random.between(1, 4)));
                self.slots.push(format!("\"{} us to {name}\"", random.between(200, 900)));
            }
            "Partitions" => {
                self.slots.push(format!("\"{} us to {name}\"", random.between(400, 1_800)));
            }
            _ => {}
        }
    }

    /// Slots for an honest task or two, a hostile one, and perhaps a scheduler of hostile ones.
    fn table(&mut self, draft: &mut Draft, random: &mut Random) {
        for hostile in [false, true, false].into_iter().take(random.between(2, 3) as usize) {
            let name = self.thread(draft, random, hostile);
            draft.drawn.alone.extend(Some(name).filter(|_| !hostile));
        }
        if random.chance(50) {
            let kind = SCHEDULERS[random.between(1, 3) as usize].0;
            scheduler(draft, kind, "inner");
            self.member(draft, random, "inner");
            let mut inner = Tree { kind, name: "inner", slots: Vec::new(), serial: 0 };
            for hostile in [true, random.chance(50)] {
                inner.thread(draft, random, hostile);
            }
            inner.limits(draft, random);
        }
    }

    /// Writes the lines about the time that a scheduler gives.
    fn limits(&self, draft: &mut Draft, random: &mut Random) {
        let Self { kind, name, slots, .. } = self;
        match *kind {
            "Partitions" | "PriorityServers" => {
                draft.set(&format!("{name}.delegates = [{}]", slots.join(", ")));
                draft.set(&format!(
                    "{name}.delegates_every = {}",
                    us(random.between(8, 12) * 1_000)
                ));
            }
            "DeferrableServer" => {
                let every = random.between(2_000, 8_000);
                draft.set(&format!("{name}.every = {}", every * 1_000));
                draft.set(&format!("{name}.capacity = {}", every * random.between(200, 800)));
            }
            "RoundRobin" => {
                draft.set(&format!("{name}.quantum = {}", random.between(100_000, 1_000_000)));
            }
            _ => {}
        }
    }
}
