//! The reflection of a stage as names with slots, and back: dictionaries, slots, strings.

use super::model::{Bnsh, Object};
use super::raw::{Extension, StageReflection};
use crate::formats::nvn::Group;
use crate::formats::nvn::{NamedSlot, Names};
use crate::formats::switch::dictionary::DIC;
use crate::formats::switch::layout::Edit;
use crate::formats::switch::{Dictionary, DictionaryNode, Family, Pointer, Texts};
use crate::shared::Name;
use crate::shared::programs::unfit;
use std::collections::HashMap;
use std::mem::discriminant;
use unshade_bytes::Result;

/// How many pointers lead to each place.
pub(super) type Users = HashMap<u64, u32>;

/// Where names come in, and whether what is there may be changed.
pub(super) struct Spot<'a> {
    /// The record of the stage; null where there is none.
    pub old: Pointer,
    /// The record belongs to this stage alone.
    pub own: bool,
    /// A record that came in for it.
    pub new: Option<Pointer>,
    /// A new record stands behind this.
    pub behind: u64,
    /// Who uses what.
    pub users: &'a Users,
}

impl Bnsh {
    /// How many pointers lead to each place.
    pub(super) fn users(&self) -> Result<Users> {
        let mut users = Users::new();
        for (_, _, target) in self.image.slots()? {
            let count = users.entry(target.0).or_default();
            *count = count.saturating_add(1);
        }
        Ok(users)
    }

    /// The names of a stage, by the place of their record.
    pub(crate) fn names(&self, at: Pointer, texts: &Texts<'_>) -> Option<Names> {
        let record = self.stage_reflection(at)?;
        let slots = self.slots(record.slots).map(Vec::as_slice).unwrap_or_default();
        let mut names = Names { work_group: record.work_group, ..Names::default() };
        let extension = self.extension(record.extension);
        let groups = record.groups().into_iter().chain(extension.into_iter().flat_map(Extension::groups));
        for ((_, dictionary, first), place) in groups.zip(&mut names.groups) {
            let Some(dictionary) = self.dictionary(dictionary) else { continue };
            let slot = |index: usize| {
                let index = usize::try_from(first).ok()?.checked_add(index)?;
                slots.get(index).copied()
            };
            let keys = dictionary.keys().enumerate();
            let named = keys.map(|(index, key)| NamedSlot {
                name: Name(texts.get(key).unwrap_or_default().to_vec()),
                slot: slot(index).unwrap_or(-1),
            });
            *place = Some(named.collect());
        }
        Some(names)
    }

    /// Makes a stage's record say these names. Returns its place.
    pub(super) fn edit_names(
        &self,
        edit: &mut Edit<Object>,
        spot: &Spot<'_>,
        names: &Names,
        texts: &Texts<'_>,
    ) -> Result<Pointer> {
        let own = spot.own && self.stage_reflection(spot.old).is_some();
        let before = self.stage_reflection(spot.old).copied().unwrap_or_default();
        let extension_before = self.extension(before.extension).copied();
        let mut record = StageReflection { work_group: names.work_group, ..before };
        let at = match (own, spot.new) {
            (true, _) => spot.old,
            (false, Some(new)) => new,
            (false, None) => edit.insert(spot.behind, Object::StageReflection(Box::default())),
        };
        // Dictionaries, slots and extension stand one behind the other: what comes in first stands in front of them.
        let places = before.groups().into_iter().map(|(_, at, _)| at).chain([before.slots, before.extension]);
        let first = places.filter(|at| spot.users.get(&at.0) == Some(&1)).map(|at| at.0).min();
        let in_front = first.and_then(|first| self.image.objects.range(..first).next_back());
        let anchor = in_front.map_or(spot.old.0, |(at, _)| *at);
        let mut chain = Chain { anchor: if own { anchor } else { spot.behind }, own, users: spot.users };
        let [inputs, outputs, samplers, constant, unordered, images, textures, alone] = &names.groups;
        let old = |group: Group| {
            let groups = before.groups().into_iter();
            let groups = groups.chain(extension_before.iter().flat_map(Extension::groups));
            groups.into_iter().find(|(known, ..)| *known == group).map_or(Pointer::NULL, |(_, at, _)| at)
        };
        let main = [inputs, outputs, samplers, constant, unordered];
        for ((place, wanted), group) in record.dictionaries.iter_mut().zip(main).zip(Group::ALL) {
            *place = self.edit_dictionary(edit, &mut chain, old(group), wanted.as_deref(), texts)?;
        }
        record.images =
            self.edit_dictionary(edit, &mut chain, old(Group::Images), images.as_deref(), texts)?;
        let mut slots = Vec::new();
        let mut firsts = [0_i32; 8];
        for (first, group) in firsts.iter_mut().zip(&names.groups) {
            *first = i32::try_from(slots.len()).unwrap_or(i32::MAX);
            slots.extend(group.iter().flatten().map(|named| named.slot));
        }
        let [_, output, sampler, buffer, access, image, texture, separate] = firsts;
        record.first = [output, sampler, buffer, access];
        record.first_image = image;
        let known = self.slots(before.slots).map(Vec::as_slice).unwrap_or_default();
        record.slots = match slots.is_empty() {
            true if known.is_empty() => before.slots,
            true => Pointer::NULL,
            false if known == slots.as_slice() && own => chain.keep(before.slots),
            false => chain.put(edit, before.slots, Object::Slots(slots)),
        };
        record.extension = Pointer::NULL;
        if textures.is_some() || alone.is_some() {
            let mut extension = extension_before.unwrap_or_default();
            let place = match extension_before {
                Some(_) if chain.is_own(before.extension) => chain.keep(before.extension),
                _ => edit.insert(chain.anchor, Object::Extension(Box::default())),
            };
            (extension.first_texture, extension.first_sampler) = (texture, separate);
            let (a, b) = (old(Group::SeparateTextures), old(Group::SeparateSamplers));
            extension.separate_textures =
                self.edit_dictionary(edit, &mut chain, a, textures.as_deref(), texts)?;
            extension.separate_samplers =
                self.edit_dictionary(edit, &mut chain, b, alone.as_deref(), texts)?;
            record.extension = place;
            store(edit, place, Object::Extension(Box::new(extension)));
        }
        store(edit, at, Object::StageReflection(Box::new(record)));
        Ok(at)
    }

    fn edit_dictionary(
        &self,
        edit: &mut Edit<Object>,
        chain: &mut Chain<'_>,
        old: Pointer,
        wanted: Option<&[NamedSlot]>,
        texts: &Texts<'_>,
    ) -> Result<Pointer> {
        let Some(wanted) = wanted else { return Ok(Pointer::NULL) };
        if let Some(known) = self.dictionary(old)
            && known.len() == wanted.len()
            && known.keys().zip(wanted).all(|(key, named)| texts.get(key) == Some(&*named.name))
            && chain.own
        {
            return Ok(chain.keep(old));
        }
        let mut keys = Vec::with_capacity(wanted.len());
        for named in wanted {
            if named.name.len() > usize::from(u16::MAX) {
                let found = format!("one of {} bytes", named.name.len());
                return Err(unfit("names", "names of at most 65535 bytes", found));
            }
            keys.push((&*named.name.0, edit.text(&named.name), Pointer::NULL));
        }
        let root = DictionaryNode { key: edit.text(b""), ..DictionaryNode::default() };
        let mut dictionary = Dictionary { signature: DIC, nodes: vec![root] };
        dictionary.rebuild(&keys, Family::Switch)?;
        Ok(chain.put(edit, old, Object::Dictionary(dictionary)))
    }
}

/// Puts structures one behind the other: into the places of old ones where these belong to nobody else.
struct Chain<'a> {
    anchor: u64,
    own: bool,
    users: &'a Users,
}

impl Chain<'_> {
    fn is_own(&self, old: Pointer) -> bool {
        self.own && self.users.get(&old.0) == Some(&1)
    }

    fn keep(&mut self, old: Pointer) -> Pointer {
        self.anchor = old.get().unwrap_or(self.anchor);
        old
    }

    fn put(&mut self, edit: &mut Edit<Object>, old: Pointer, object: Object) -> Pointer {
        if self.is_own(old)
            && let Some(place) = edit.image.objects.get_mut(&old.0)
            && discriminant(place) == discriminant(&object)
        {
            *place = object;
            return self.keep(old);
        }
        edit.insert(self.anchor, object)
    }
}

/// Puts a structure where one is, or one that came in.
pub(super) fn store(edit: &mut Edit<Object>, at: Pointer, object: Object) {
    if edit.inserted(at).is_some() {
        if let Some(place) = edit.inserted(at) {
            *place = object;
        }
    } else {
        edit.image.objects.insert(at.0, object);
    }
}
