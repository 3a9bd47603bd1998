//! Where tasks run, and in which order.

use super::Setting;

/// Each scheduler that comes with Fusee, on one core.
const BY_PRIORITY: &str = "import <fusee/fixed_priority.camkes>;\n";
const BY_DEADLINE: &str = "import <fusee/earliest_deadline.camkes>;\n";
const BY_TABLE: &str = "import <fusee/partitions.camkes>;\n";

/// Both tasks below one scheduler.
const BELOW: &str = "        root.priority = 100;
        one.scheduler = \"root\";
        two.scheduler = \"root\";
";

/// A task that uses nothing, so that there is a second core.
const APART: &str = "        component Apart apart;\n";

/// The ways to schedule, each a column of the table.
pub const SETTINGS: [Setting; 10] = [
    Setting { name: "priorities", imports: "", instances: "", settings: "", between_cores: false },
    Setting {
        name: "deadlines",
        imports: "",
        instances: "",
        settings: "        system.policy = \"earliest_deadline\";\n",
        between_cores: false,
    },
    Setting {
        name: "tree, priorities",
        imports: BY_PRIORITY,
        instances: "        component FixedPriority root;\n",
        settings: BELOW,
        between_cores: false,
    },
    Setting {
        name: "tree, deadlines",
        imports: BY_DEADLINE,
        instances: "        component EarliestDeadline root;\n",
        settings: BELOW,
        between_cores: false,
    },
    Setting {
        name: "tree, table",
        imports: BY_TABLE,
        instances: "        component Partitions root;\n",
        settings: "        root.priority = 100;
        root.delegates = [\"1 ms to one\", \"2 ms to two\"];
        root.delegates_every = \"3 ms\";
        one.scheduler = \"root\";
        two.scheduler = \"root\";
",
        between_cores: false,
    },
    Setting {
        name: "2 cores, priorities",
        imports: "",
        instances: "",
        settings: "        two.core = 1;\n",
        between_cores: true,
    },
    Setting {
        name: "2 cores, deadlines",
        imports: "",
        instances: "",
        settings: "        two.core = 1;\n        system.policy = \"earliest_deadline\";\n",
        between_cores: true,
    },
    Setting {
        name: "2 cores, trees",
        imports: BY_PRIORITY,
        instances: "        component FixedPriority root;
        component FixedPriority other;
",
        settings: "        root.priority = 100;
        one.scheduler = \"root\";
        other.priority = 100;
        other.core = 1;
        two.core = 1;
        two.scheduler = \"other\";
",
        between_cores: true,
    },
    Setting {
        name: "1 of 2 cores, priorities",
        imports: "",
        instances: APART,
        settings: "        apart.core = 1;
        apart.period = \"10 ms\";
        apart.calls = [\"100 us\"];
",
        between_cores: false,
    },
    Setting {
        name: "1 of 2 cores, tree",
        imports: BY_PRIORITY,
        instances: "        component FixedPriority root;\n        component Apart apart;\n",
        settings: "        root.priority = 100;
        one.scheduler = \"root\";
        two.scheduler = \"root\";
        apart.core = 1;
        apart.period = \"10 ms\";
        apart.calls = [\"100 us\"];
",
        between_cores: false,
    },
];
