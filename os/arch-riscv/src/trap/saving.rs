//! The first instructions of a trap: registers go where `mscratch` points.

/// Saves what a call preserves.
macro_rules! save_preserved {
    () => {
        concat!(
            save!("ra", 0),
            "\n",
            save!("gp", 2),
            "\n",
            save!("tp", 3),
            "\n",
            save!("s0", 4),
            "\n",
            save!("s1", 5),
            "\n",
            save!("s2", 6),
            "\n",
            save!("s3", 7),
            "\n",
            save!("s4", 8),
            "\n",
            save!("s5", 9),
            "\n",
            save!("s6", 10),
            "\n",
            save!("s7", 11),
            "\n",
            save!("s8", 12),
            "\n",
            save!("s9", 13),
            "\n",
            save!("s10", 14),
            "\n",
            save!("s11", 15),
            "\n",
        )
    };
}

/// Saves all registers.
macro_rules! save_all {
    () => {
        concat!(
            save_preserved!(),
            save!("a0", 19),
            "\n",
            save!("a1", 20),
            "\n",
            save!("a2", 21),
            "\n",
            save!("a3", 22),
            "\n",
            save!("a4", 23),
            "\n",
            save!("a5", 24),
            "\n",
            save!("a6", 25),
            "\n",
            save!("a7", 26),
            "\n",
            save!("t0", 27),
            "\n",
            save!("t1", 28),
            "\n",
            save!("t2", 29),
            "\n",
            save!("t3", 30),
            "\n",
            save!("t4", 31),
            "\n",
            save!("t5", 32),
            "\n",
            save!("t6", 33),
            "\n",
            "csrr t1, mepc\n",
            save!("t1", 16),
            "\n",
            "csrr t2, mscratch\n",
            save!("t2", 1),
        )
    };
}

pub(super) use {save_all, save_preserved};
