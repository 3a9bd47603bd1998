//! What one iteration of a loop does to registers, for each way through it.
//!
//! Registers at its end are terms of what they held at its beginning, and each way
//! knows the comparisons that hold on it. What comes from memory is any number, and
//! no two of these are taken for one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Function, Loop, Node};
use fusee_isa::language::{
    Binary, Comparison, Effect, Flow, Instruction, Operand, Register, Target, Width,
};
use fusee_isa::{Architecture, aarch64, riscv};

/// Blocks on all ways together, at most.
const MOST: usize = 256;

/// A number in terms of those at the beginning of an iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    /// What a register held.
    Start(Register),
    /// A constant.
    Number(i64),
    /// The result of an operation.
    Of(Binary, Rc<Term>, Rc<Term>, Width),
    /// A number of which nothing is known; each has a name of its own.
    Other(usize),
}

/// A way through an iteration, back to the header.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    changed: BTreeMap<Register, Rc<Term>>,
    /// The comparisons that hold on it.
    pub(super) holds: Vec<(Comparison, Rc<Term>, Rc<Term>)>,
}

impl Turn {
    /// What a register holds at the end.
    pub(super) fn end(&self, register: Register) -> Rc<Term> {
        self.changed.get(&register).cloned().unwrap_or_else(|| Rc::new(Term::Start(register)))
    }

    /// The registers that are written on it.
    pub(super) fn written(&self) -> impl Iterator<Item = Register> + '_ {
        self.changed.keys().copied()
    }
}

/// The search for all ways.
struct Search<'f> {
    function: &'f Function,
    architecture: Architecture,
    /// Names that were given to numbers.
    names: usize,
}

/// Returns all ways through an iteration; nothing where they are too many, or do more than
/// calculate, load and store.
pub(super) fn of(
    function: &Function,
    looping: &Loop,
    architecture: Architecture,
) -> Option<Vec<Turn>> {
    let [header] = looping.headers[..] else { return None };
    // An inner loop would have a way for each number of its iterations.
    if looping.body.iter().any(|node| matches!(node, Node::Loop(_))) {
        return None;
    }
    let mut inside = BTreeSet::new();
    looping.blocks(&mut inside);
    let mut search = Search { function, architecture, names: 0 };
    let (mut open, mut turns) = (vec![(header, Turn::default())], Vec::new());
    let mut visited = 0;
    while let Some((at, mut turn)) = open.pop() {
        visited += 1;
        if visited > MOST {
            return None;
        }
        // Only the last instruction of a block can have a guard: a guard ends the block.
        let (last, rest) = function.blocks[at].instructions.split_last()?;
        for instruction in rest {
            instruction.effects.iter().for_each(|effect| search.apply(&mut turn, effect));
        }
        for (to, turn) in search.behind(last, turn, &|block| inside.contains(&block))? {
            match to {
                to if to == header => turns.push(turn),
                to => open.push((to, turn)),
            }
        }
    }
    Some(turns)
}

impl Search<'_> {
    /// Where a block's last instruction leads to within the loop, and what is known there.
    fn behind(
        &mut self,
        last: &Instruction,
        turn: Turn,
        is_inside: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<(usize, Turn)>> {
        let mut found = Vec::new();
        let go = |to: u64, turn: Turn, function: &Function| {
            function.block_at(to).filter(|&block| is_inside(block)).map(|block| (block, turn))
        };
        let mut done = turn.clone();
        if let Some(guard) = &last.guard {
            // Skipped and executed are two ways, each with what its side of the guard tells.
            let mut skipped = turn;
            let sides = (guard.left, guard.right);
            if self.hold(&mut skipped, guard.comparison.negated(), sides, last.echo) {
                guard.otherwise.iter().for_each(|effect| self.apply(&mut skipped, effect));
                found.extend(go(last.next_address(), skipped, self.function));
            }
            if !self.hold(&mut done, guard.comparison, sides, last.echo) {
                return Some(found);
            }
        }
        last.effects.iter().for_each(|effect| self.apply(&mut done, effect));
        match last.flow {
            Flow::Next => found.extend(go(last.next_address(), done, self.function)),
            Flow::Jump(Target::Fixed(to)) => found.extend(go(to, done, self.function)),
            Flow::Branch { comparison, left, right, target } => {
                for (comparison, to) in
                    [(comparison, target), (comparison.negated(), last.next_address())]
                {
                    let mut turn = done.clone();
                    if self.hold(&mut turn, comparison, (left, right), last.echo) {
                        found.extend(go(to, turn, self.function));
                    }
                }
            }
            // Whoever leaves the loop begins no other iteration.
            Flow::Return { .. } | Flow::TrapReturn | Flow::Jump(Target::Computed(_)) => {
                let block = self.function.blocks.iter().find(|one| one.last() == last)?;
                let next = self.function.block_at(last.next_address());
                let returns = !matches!(last.flow, Flow::Jump(_));
                // A guarded return has an edge to what follows it. That way was
                // taken above already.
                let skips = last.guard.is_some() && returns && block.successors.len() == 1;
                let stays = |&to: &usize| is_inside(to) && !(skips && Some(to) == next);
                if block.successors.iter().any(stays) {
                    return None;
                }
            }
            Flow::Call { .. } | Flow::SystemCall | Flow::WaitForInterrupt | Flow::Breakpoint => {
                // A callee, a kernel or a handler may write any register, so no term would hold.
                return None;
            }
        }
        Some(found)
    }

    /// Records that a comparison holds on a way. Returns whether it can: the same numbers may have
    /// been compared before.
    fn hold(
        &mut self,
        turn: &mut Turn,
        comparison: Comparison,
        sides: (Operand, Operand),
        echo: Option<(Operand, Operand)>,
    ) -> bool {
        for (left, right) in std::iter::once(sides).chain(echo) {
            let (left, right) = (self.term(turn, left), self.term(turn, right));
            let opposite = (comparison.negated(), left.clone(), right.clone());
            // Equal terms are equal numbers, so a way on which both hold is never taken.
            if turn.holds.contains(&opposite) {
                return false;
            }
            turn.holds.push((comparison, left, right));
        }
        true
    }

    fn other(&mut self) -> Rc<Term> {
        self.names += 1;
        Rc::new(Term::Other(self.names))
    }

    fn term(&mut self, turn: &Turn, operand: Operand) -> Rc<Term> {
        match operand {
            Operand::Constant(number) => Rc::new(Term::Number(number as i64)),
            // It changes by itself.
            Operand::Register(riscv::PENDING)
                if matches!(self.architecture, Architecture::Riscv(_)) =>
            {
                self.other()
            }
            Operand::Register(register) => turn.end(register),
        }
    }

    fn apply(&mut self, turn: &mut Turn, effect: &Effect) {
        let Some(target) = effect.target() else { return };
        let result = match *effect {
            Effect::Compute { operation, left, right, width, .. } => {
                let sides = (self.term(turn, left), self.term(turn, right));
                self.computed(operation, sides, width)
            }
            _ => self.other(),
        };
        // Nothing can read this register again.
        if target != Register::LOST {
            turn.changed.insert(target, result);
        }
    }

    /// Returns the term of an operation: a sum with a constant has it on its right, and only one.
    fn computed(
        &self,
        operation: Binary,
        (left, right): (Rc<Term>, Rc<Term>),
        width: Width,
    ) -> Rc<Term> {
        // Terms are compared piece by piece, so equal sums get one form.
        let (operation, left, right) = match (operation, &*left, &*right) {
            (Binary::Subtract, _, Term::Number(number)) => {
                (Binary::Add, left, Rc::new(Term::Number(number.wrapping_neg())))
            }
            (Binary::Add | Binary::Or | Binary::And, Term::Number(_), _) => {
                (operation, right, left)
            }
            _ => (operation, left, right),
        };
        match (operation, &*left, &*right) {
            (Binary::Add, Term::Number(one), Term::Number(other)) => {
                Rc::new(Term::Number(in_width(one.wrapping_add(*other), width)))
            }
            (Binary::Add | Binary::Or, _, Term::Number(0)) if self.fits(&left, width) => left,
            // Sums of two widths wrap around at different places: they do not make one sum.
            (Binary::Add, Term::Of(Binary::Add, from, by, same), Term::Number(more))
                if *same == width =>
            {
                let Term::Number(by) = **by else {
                    return Rc::new(Term::Of(operation, left, right, width));
                };
                let sum = Rc::new(Term::Number(by.wrapping_add(*more)));
                Rc::new(Term::Of(Binary::Add, from.clone(), sum, width))
            }
            _ => Rc::new(Term::Of(operation, left, right, width)),
        }
    }

    /// Returns whether a number is what its low bits say, extended by their sign.
    fn fits(&self, term: &Term, width: Width) -> bool {
        if width == self.architecture.register_width() {
            return true;
        }
        match *term {
            Term::Number(number) => in_width(number, width) == number,
            Term::Of(.., own) => own <= width,
            Term::Start(register) => {
                let mut halves = (0..aarch64::GENERAL).map(aarch64::half);
                self.architecture == Architecture::Aarch64
                    && width == Width::Word
                    && halves.any(|half| half == register)
            }
            Term::Other(_) => false,
        }
    }
}

/// The low bits of a number, extended by their sign.
fn in_width(number: i64, width: Width) -> i64 {
    let shift = 64 - width.bits();
    number << shift >> shift
}
