//! The changes that a move of time may make, over sets.

use std::collections::BTreeSet;

use fusee_kernel::tcaps::Transfer;

use super::rule::ensure;
use super::view::{Held, Opinions, ROOT, View};
use super::{Checked, Rule, Step};

/// Returns the quality of a giver's time when it arrives, with the priority that the giver sets.
pub(super) fn given(view: &View<'_>, moved: &Transfer) -> Opinions {
    let from = moved.from.at();
    let owner = view.owner(from);
    let mut opinions = view.accounts[from].opinions.clone();
    let old = opinions.insert(owner, moved.priority);
    if owner == ROOT {
        opinions.insert(ROOT, old.unwrap_or(0).max(moved.priority));
    }
    opinions
}

/// Returns the receiver's quality after a move.
pub(super) fn received(view: &View<'_>, moved: &Transfer) -> Opinions {
    let given = given(view, moved);
    let old = &view.accounts[moved.to.at()].opinions;
    let (giving, own) = (view.owner(moved.from.at()), view.owner(moved.to.at()));
    let principals: BTreeSet<u16> = given.keys().chain(old.keys()).copied().collect();
    let worse = |who: u16| {
        let both = [given.get(&who), old.get(&who)];
        let untouched = who == own && own != giving && own != ROOT;
        let what = if untouched { old.get(&who) } else { both.into_iter().flatten().max() };
        (who, what.copied().unwrap_or(0))
    };
    principals.into_iter().map(worse).collect()
}

/// Checks what a step that was not refused has done to all accounts.
pub(super) fn check(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    let moved = step.moved(before.tables);
    if let Some(moved) = moved {
        interference(&moved, before, after)?;
        transfer(&moved, before, after)?;
    }
    for (number, (old, new)) in before.accounts.iter().zip(&after.accounts).enumerate() {
        unmoved(step, (number, moved.as_ref()), (old, new))?;
        let both = old.is_funded() && new.is_funded();
        let better = |(who, what): (&u16, &u64)| new.opinions.get(who).is_none_or(|new| new < what);
        let worsens = !both || !old.opinions.iter().any(better);
        ensure(Rule::Worsens, worsens, || {
            format!("A{number} was {:?} and is {:?}", old.opinions, new.opinions)
        })?;
    }
    Ok(())
}

/// The receiver's quality is what sets say, entry by entry.
pub(super) fn merges(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    let Some(moved) = step.moved(before.tables) else { return Ok(()) };
    let new = &after.accounts[moved.to.at()];
    let expected = received(before, &moved);
    ensure(Rule::Merges, !new.is_funded() || new.opinions == expected, || {
        format!("A{} is {:?} instead of {expected:?}", moved.to.0, new.opinions)
    })
}

/// An account's budget changes by use and moves only.
fn unmoved(
    step: Step,
    (number, moved): (usize, Option<&Transfer>),
    (old, new): (&Held, &Held),
) -> Checked {
    let (Some(old), Some(new)) = (old.balance, new.balance) else { return Ok(()) };
    let gives = moved.is_some_and(|moved| moved.from.at() == number);
    let gets = moved.is_some_and(|moved| moved.to.at() == number);
    let fills = matches!(step, Step::Refill(account) if account.at() == number);
    if step == Step::Tick || gives || gets || fills {
        return Ok(());
    }
    ensure(Rule::Irrevocable, old <= new, || format!("A{number} had {old} and has {new}"))
}

/// The receiver preempts no thread for longer than before and the time that it got.
fn interference(moved: &Transfer, before: &View<'_>, after: &View<'_>) -> Checked {
    let (to, amount) = (moved.to.at(), moved.amount as i64);
    let (old, new) = (&before.accounts[to], &after.accounts[to]);
    // What is owed is used already.
    let owed = old.balance.unwrap_or(0).min(0);
    for (number, other) in before.accounts.iter().enumerate().filter(|(number, _)| *number != to) {
        let (was, is) = (old.may_preempt(&other.opinions), new.may_preempt(&other.opinions));
        ensure(Rule::NoGain, !old.is_funded() || was || !is, || {
            format!("A{to} may preempt A{number} now")
        })?;
        let interferes = |held: &Held, may: bool| if may { held.balance.unwrap_or(0) } else { 0 };
        let rise = interferes(new, is) - interferes(old, was);
        ensure(Rule::Interference, rise <= (amount + owed).max(0), || {
            format!("A{to} got {amount} and may preempt A{number} for {rise} more")
        })?;
    }
    Ok(())
}

fn transfer(moved: &Transfer, before: &View<'_>, after: &View<'_>) -> Checked {
    let (from, to) = (moved.from.at(), moved.to.at());
    let amount = moved.amount as i64;
    let (giver, gave) = (&before.accounts[from], &after.accounts[from]);
    let (old, new) = (&before.accounts[to], &after.accounts[to]);
    let kept = giver.opinions == gave.opinions || !gave.is_funded();
    ensure(Rule::Source, kept, || format!("A{from} was {giver:?} and is {gave:?}"))?;
    let less = giver.balance.map(|balance| balance - amount);
    ensure(Rule::Source, gave.balance == less, || {
        format!("A{from} had {:?}, gave {amount} and has {:?}", giver.balance, gave.balance)
    })?;
    let more = old.balance.map(|balance| balance + amount);
    ensure(Rule::Arrives, new.balance == more, || {
        format!("A{to} had {:?}, got {amount} and has {:?}", old.balance, new.balance)
    })?;
    if new.is_funded() { entries(moved, before, after) } else { Ok(()) }
}

fn entries(moved: &Transfer, before: &View<'_>, after: &View<'_>) -> Checked {
    let (from, to) = (moved.from.at(), moved.to.at());
    let (giving, own) = (before.owner(from), before.owner(to));
    let (given, old) = (&before.accounts[from].opinions, &before.accounts[to].opinions);
    let new = &after.accounts[to].opinions;
    let no_better = |who: u16, than: u64| new.get(&who).is_some_and(|what| *what >= than);
    ensure(Rule::Taints, no_better(giving, moved.priority), || {
        format!("given at {}, A{to} is {new:?}", moved.priority)
    })?;
    for (&who, &what) in given.iter().filter(|(who, _)| ![giving, own].contains(who)) {
        ensure(Rule::Taints, no_better(who, what), || {
            format!("A{from} is {given:?}, A{to} is {new:?}")
        })?;
    }
    let stays = giving == own || own == ROOT || old.get(&own) == new.get(&own);
    ensure(Rule::Own, stays, || format!("A{to} of {own} was {old:?} and is {new:?}"))
}
