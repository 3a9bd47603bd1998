//! The program status registers.

use super::{Decoder, FLAGS, LINK, Meaning, SP, general};
use crate::emit::Emit;
use crate::language::Class;

impl Decoder {
    pub(super) fn read_status(&self) -> Meaning {
        let mut emit = Emit::default();
        if let Some(target) = self.target() {
            emit.unknown(general(target));
        }
        Meaning::new("mrs", Class::Status, emit)
    }

    pub(super) fn write_status(&self) -> Meaning {
        let mut emit = Emit::default();
        let (saved, fields) = (self.bit(22), self.bits(16, 4));
        let banked = !self.bit(25) && self.bit(9);
        if !self.bit(25) {
            emit.hide(self.read(self.number(0)));
        }
        if !saved && !banked {
            if fields & 8 != 0 {
                FLAGS.unknown(&mut emit);
            }
            if fields & 1 != 0 {
                // Perhaps another mode, with registers of its own.
                emit.unknown(SP);
                emit.unknown(LINK);
            }
        }
        Meaning::new("msr", Class::Status, emit)
    }
}
