//! Names in files of the Switch and the Wii U: where records and dictionaries say them, and what happens when they say
//! others.
//!
//! Strings stand once in a pool, and whoever has a name points there. So a name that changes is another string, which
//! comes into the pool where it is not there; the old one goes when nothing leads to it any more. Dictionaries whose
//! keys change are built anew.

use super::image::{Image, Object};
use super::layout::Edit;
use super::{Family, Slot};
use crate::shared::FieldEncoding;
use crate::shared::fields::{List, Number, Pointer, Style, Use, Walk};
use crate::shared::names::{self, no_text};
use std::collections::BTreeSet;
use unshade_bytes::{Error, ErrorKind, Result};

/// Bytes of a dictionary in front of its nodes.
const DICTIONARY_HEADER: u64 = 8;
/// Bytes of a node.
const NODE: u64 = 16;
/// Where a node has its key.
const KEY: u64 = 8;

/// The place of the key of an entry of a dictionary.
pub(crate) fn key_place(dictionary: Pointer, index: usize) -> Option<u64> {
    let node = (index as u64).checked_add(1)?.checked_mul(NODE)?;
    dictionary.get()?.checked_add(DICTIONARY_HEADER)?.checked_add(node)?.checked_add(KEY)
}

/// The place of the pointer to a string that a record has under a name.
pub(crate) fn text_place<O: Object>(image: &Image<O>, at: u64, name: &str) -> Option<u64> {
    let mut found = None;
    let mut walk = Walk::new(image.form, |slot: Slot, value: &mut Pointer| {
        let is_text = matches!(slot.target, Use::Text | Use::Characters) && !value.is_null();
        if is_text && slot.name == name && found.is_none() {
            found = at.checked_add(slot.offset);
        }
    });
    image.objects.get(&at)?.clone().visit(&mut walk).ok()?;
    found
}

/// The `nth` number that a record at `at` of a file from `base` on has under a name.
pub(crate) fn number<O: Object>(
    image: &Image<O>,
    (at, base): (u64, u64),
    name: &'static str,
    nth: usize,
) -> Option<names::Slot> {
    let mut list = List::new(image.form);
    image.objects.get(&at)?.clone().visit(&mut list).ok()?;
    let field = list.found.into_iter().filter(|field| field.name == name).nth(nth)?;
    // A name shows the number alone, also of bits.
    let style = if field.style == Style::Signed { Style::Signed } else { Style::Decimal };
    let shown = Number::new(name).style(style).show(field.size, field.value);
    Some(names::Slot {
        at: base.saturating_add(at).saturating_add(field.offset),
        size: field.size.into(),
        coding: FieldEncoding::Number,
        endian: image.form.endian(),
        shown,
    })
}

/// Lets the pointers at these places of the file lead to other strings.
///
/// # Errors
/// Where no pointer to a string stands there; [`ErrorKind::Unrepresentable`] for a string that is too long, a key of a
/// dictionary that another entry has, and the one of its root.
pub(crate) fn set_texts<O: Object>(edit: &mut Edit<O>, texts: &[(u64, &[u8])]) -> Result<()> {
    let form = edit.image.form;
    let mut dictionaries = BTreeSet::new();
    for &(at, text) in texts {
        let unfit = |expected: &'static str, found: String| {
            Error::new(ErrorKind::Unrepresentable, at, "", expected, found).code("nx.text")
        };
        if !form.relative && text.len() > usize::from(u16::MAX) {
            return Err(unfit("a text of at most 65535 bytes", format!("{} bytes", text.len())));
        }
        let owner = edit.image.objects.range(..=at).next_back().map(|(owner, _)| *owner);
        let owner = owner.ok_or_else(|| no_text(at))?;
        let is_dictionary =
            edit.image.objects.get(&owner).is_some_and(|object| object.as_dictionary().is_some());
        if is_dictionary {
            if at.saturating_sub(owner) < DICTIONARY_HEADER.saturating_add(NODE) {
                let expected = "the key of an entry of a dictionary";
                return Err(unfit(expected, "that of its root, which is always the same".to_owned()));
            }
            dictionaries.insert(owner);
        }
        let pointer = edit.text(text);
        let mut done = false;
        let mut walk = Walk::new(form, |slot: Slot, value: &mut Pointer| {
            if owner.checked_add(slot.offset) == Some(at) && !value.is_null() {
                match slot.target {
                    Use::Text => *value = pointer,
                    Use::Characters => *value = Pointer(pointer.0.saturating_add(2)),
                    _ => return,
                }
                done = true;
            }
        });
        let object = edit.image.objects.get_mut(&owner).filter(|object| object.has_fields());
        object.ok_or_else(|| no_text(at))?.visit(&mut walk)?;
        if !done {
            return Err(no_text(at));
        }
    }
    let family = if form.relative { Family::WiiU } else { Family::Switch };
    for at in dictionaries {
        let Some(mut dictionary) = edit.image.objects.get(&at).and_then(O::as_dictionary).cloned() else {
            continue;
        };
        let keys: Vec<Vec<u8>> = dictionary.keys().map(|key| edit.text_of(key)).collect();
        if keys.iter().any(Vec::is_empty) {
            let error = Error::new(ErrorKind::Unrepresentable, at, "dictionary", "a name", "an empty one");
            return Err(error.code("nx.dictionary"));
        }
        Edit::<O>::rebuild(&mut dictionary, &keys, family)?;
        if let Some(place) = edit.image.objects.get_mut(&at).and_then(O::as_dictionary_mut) {
            *place = dictionary;
        }
    }
    Ok(())
}
