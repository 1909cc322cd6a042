//! The pool of strings: which come, which go, and where each is then.

use super::super::image::{Image, Object};
use super::Edit;
use crate::shared::Name;
use crate::shared::fields::{Form, Pointer, Slot, Use, Walk};
use std::collections::BTreeSet;
use unshade_bytes::{Error, ErrorKind, Result};

impl<O: Object> Edit<O> {
    /// Brings strings into the pool, and takes those out that nothing leads to any more. Returns where the
    /// strings were, each with its index now, and the same for those that came in.
    #[expect(clippy::type_complexity, reason = "two lists of places, used once")]
    pub(super) fn change_pool(&mut self) -> Result<(Option<(u64, Vec<(u64, usize)>)>, Vec<(u64, usize)>)> {
        let form = self.image.form;
        let Some((at, _)) = self.image.strings() else {
            if self.texts.is_empty() {
                return Ok((None, Vec::new()));
            }
            let error = Error::new(ErrorKind::Unrepresentable, 0, "strings", "a pool of strings", "none");
            return Err(error.code("nx.strings"));
        };
        let mut after = referred(&self.image)?;
        for insertion in &mut self.insertions {
            refers(&mut insertion.object, form, &mut after)?;
        }
        let new_name = file_name(&self.image)?;
        let Some(pool) = self.image.objects.get_mut(&at).and_then(O::as_strings_mut) else {
            return Ok((None, Vec::new()));
        };
        let mut old: Vec<Option<u64>> = pool.places(at, form).map(Some).collect();
        let gone = |place: &Option<u64>| {
            place.is_some_and(|place| self.referred.contains(&place) && !after.contains(&place))
        };
        // In a pool without an order a string that comes takes the place of one that goes; so a name that changes and
        // changes back leaves the pool as it was.
        let mut coming: Vec<(u64, &Name)> =
            self.texts.iter().filter(|(id, _)| after.contains(id)).map(|(id, text)| (*id, text)).collect();
        coming.reverse();
        // Some writers put the name of the file behind the others, which have an order.
        let last = pool.texts.iter().rposition(|text| !text.is_empty());
        let apart = last.filter(|last| self.name.is_some() && old.get(*last) == Some(&self.name));
        let apart = apart.filter(|_| !pool.is_sorted(None));
        let is_sorted = pool.is_sorted(apart);
        let mut ids: Vec<Option<u64>> = vec![None; old.len()];
        let leaving: Vec<usize> = (0..old.len())
            .filter(|index| old.get(*index).is_some_and(gone))
            .filter(|index| pool.texts.get(*index).is_some_and(|text| !text.is_empty()))
            .collect();
        let mut removed = BTreeSet::new();
        for index in leaving {
            let taken = match is_sorted {
                true if apart == Some(index) => {
                    let at = coming.iter().position(|(id, _)| Some(*id) == new_name);
                    at.map(|at| coming.remove(at))
                }
                true => None,
                false => coming.pop(),
            };
            match (taken, pool.texts.get_mut(index)) {
                (Some((id, text)), Some(place)) => {
                    *place = text.clone();
                    if let (Some(old), Some(place)) = (old.get_mut(index), ids.get_mut(index)) {
                        (*old, *place) = (None, Some(id));
                    }
                }
                _ => drop(removed.insert(index)),
            }
        }
        let stays = |index: &usize| !removed.contains(index);
        let mut kept: Vec<(Option<u64>, Option<u64>)> = Vec::with_capacity(old.len());
        let mut texts = Vec::with_capacity(pool.texts.len());
        for (index, text) in
            std::mem::take(&mut pool.texts).into_iter().enumerate().filter(|(at, _)| stays(at))
        {
            kept.push((old.get(index).copied().flatten(), ids.get(index).copied().flatten()));
            texts.push(text);
        }
        pool.texts = texts;
        if let Some((_, count)) = &mut pool.block {
            *count = count.saturating_sub(u32::try_from(removed.len()).unwrap_or(u32::MAX));
        }
        let is_name = |place: &Option<u64>, id: &Option<u64>| {
            place.is_some() && *place == self.name || id.is_some() && *id == new_name
        };
        let name = kept.iter().position(|(place, id)| is_name(place, id));
        coming.reverse();
        let new: Vec<&[u8]> = coming.iter().map(|(_, text)| text.0.as_slice()).collect();
        let (stayed, came) = pool.insert(&new, name);
        let places = || kept.iter().zip(&stayed);
        let old = places().filter_map(|((place, _), index)| Some(((*place)?, *index))).collect();
        let mut ids: Vec<(u64, usize)> =
            places().filter_map(|((_, id), index)| Some(((*id)?, *index))).collect();
        ids.extend(coming.iter().zip(came).map(|((id, _), index)| (*id, index)));
        Ok((Some((at, old)), ids))
    }
}

/// The place of the string that the header names the file by.
pub(super) fn file_name<O: Object>(image: &Image<O>) -> Result<Option<u64>> {
    let mut name = None;
    if let Some(header) = image.objects.get(&0) {
        let mut walk = Walk::new(image.form, |slot: Slot, value: &mut Pointer| {
            if slot.target == Use::Characters && !value.is_null() {
                name = Some(value.0.saturating_sub(2));
            }
        });
        header.clone().visit(&mut walk)?;
    }
    Ok(name)
}

/// The places of the strings that a file's structures lead to.
pub(super) fn referred<O: Object>(image: &Image<O>) -> Result<BTreeSet<u64>> {
    let mut found = BTreeSet::new();
    for object in image.objects.values() {
        if object.has_fields() {
            refers(&mut object.clone(), image.form, &mut found)?;
        }
    }
    Ok(found)
}

fn refers<O: Object>(object: &mut O, form: Form, found: &mut BTreeSet<u64>) -> Result<()> {
    if !object.has_fields() {
        return Ok(());
    }
    let mut walk = Walk::new(form, |slot: Slot, value: &mut Pointer| {
        let place = match slot.target {
            Use::Text => value.0,
            Use::Characters => value.0.saturating_sub(2),
            _ => return,
        };
        if !value.is_null() {
            found.insert(place);
        }
    });
    object.visit(&mut walk)
}
