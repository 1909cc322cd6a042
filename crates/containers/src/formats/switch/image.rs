//! A file as its structures, each at its place: what both shader formats of the Switch are read into and
//! written from.
//!
//! Pointers may lead anywhere and several may lead to one structure, so structures are kept by place, each
//! once; what they say about each other stays pointers. No two share a byte, and bytes that nothing leads to
//! are zero or kept under a name. Reading costs no more than the file has bytes, however its pointers run.

use super::strings::StringPool;
use super::{Dictionary, Relocation};
use crate::shared::fields::{Form, Loader, Numbers, Pointer, Saver, Slot, Use, Visitor, Walk};
use std::cell::Cell;
use std::collections::BTreeMap;
use unshade_bytes::{Budget, Error, ErrorKind, Result, Under};

/// What a structure leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<K> {
    /// Name of the field that leads there.
    pub name: &'static str,
    /// Which one, where the field leads to several.
    pub index: Option<u64>,
    /// Its place.
    pub at: u64,
    /// What is there.
    pub kind: K,
}

impl<K> Target<K> {
    /// One structure.
    pub fn one(name: &'static str, at: Pointer, kind: K) -> Option<Self> {
        at.get().map(|at| Self { name, index: None, at, kind })
    }

    /// An entry of a table.
    pub fn entry(name: &'static str, index: u64, at: u64, kind: K) -> Self {
        Self { name, index: Some(index), at, kind }
    }
}

/// What can be asked about a file while it is read as well as afterwards.
pub trait Look {
    /// How the file is stored.
    fn form(&self) -> Form;

    /// Whether a place lies behind the end.
    fn is_behind(&self, at: u64) -> bool;

    /// How many keys the dictionary at a place has.
    fn dictionary_len(&self, at: Pointer) -> u64;

    /// `len` bytes from a place on, as the file has them.
    fn record(&self, at: u64, len: usize) -> Option<Vec<u8>>;
}

/// A structure that files of all formats have.
#[derive(Debug, Clone, Copy)]
pub enum Shared<'a> {
    /// A string outside of the pool.
    Text(&'a [u8]),
    /// The pool of strings.
    Strings(&'a StringPool),
    /// Names.
    Dictionary(&'a Dictionary),
    /// Which words are pointers.
    Relocation(&'a Relocation),
}

/// A structure that files of all formats have and that changes with others.
#[derive(Debug)]
pub enum SharedMut<'a> {
    /// The pool of strings.
    Strings(&'a mut StringPool),
    /// Names.
    Dictionary(&'a mut Dictionary),
    /// Which words are pointers.
    Relocation(&'a mut Relocation),
}

/// A structure of a format.
pub trait Object: Clone {
    /// What there is, with the counts that its own bytes do not say.
    type Kind: Copy + std::fmt::Debug;

    /// Reads what is there.
    ///
    /// # Errors
    /// When the bytes cannot be that.
    fn load(kind: Self::Kind, loader: &mut Loader<'_>) -> Result<Self>;

    /// Goes through the fields.
    ///
    /// # Errors
    /// What the visitor says.
    fn visit(&mut self, visitor: &mut dyn Visitor) -> Result<()>;

    /// The bytes, for what is nothing but bytes.
    fn bytes(&self) -> Option<&[u8]> {
        None
    }

    /// The numbers, for what is nothing but numbers of 32 bits.
    fn numbers(&self) -> Option<Numbers<'_>> {
        None
    }

    /// Whether it is a record of fields, of which some may be pointers.
    fn has_fields(&self) -> bool {
        self.bytes().is_none() && self.numbers().is_none() && self.embedded_len().is_none()
    }

    /// Writes a file of its own in the file behind the bytes that are there.
    ///
    /// # Errors
    /// When it cannot be written.
    fn embedded(&self, before: Vec<u8>) -> Result<Vec<u8>> {
        Ok(before)
    }

    /// Length of a file of its own in the file.
    fn embedded_len(&self) -> Option<u64> {
        None
    }

    /// Length of what is nothing but bytes.
    fn bytes_len(_kind: Self::Kind) -> Option<u64> {
        None
    }

    /// Makes it longer where another pointer says that it has more bytes.
    fn extend(&mut self, _bytes: &[u8]) {}

    /// What it leads to.
    fn targets(&self, at: u64, look: &dyn Look, out: &mut Vec<Target<Self::Kind>>);

    /// Its place is a multiple of this in files of the console's tools.
    fn alignment(&self) -> u64;

    /// Zeros right behind it that are its own, where there is room for them: the NUL of a text.
    fn tail(&self) -> u64 {
        0
    }

    /// What it is, in a word.
    fn label(&self) -> &'static str;

    /// Bytes that nothing leads to.
    fn gap(bytes: &[u8]) -> Self;

    /// A string outside of the pool.
    fn stray_text(form: Form, loader: &mut Loader<'_>) -> Result<Self>;

    /// It as what files of all formats have; nothing for a record of the format's own.
    fn shared(&self) -> Option<Shared<'_>>;

    /// The same, to be changed.
    fn shared_mut(&mut self) -> Option<SharedMut<'_>>;

    /// Its string, for one outside of the pool.
    fn as_text(&self) -> Option<&[u8]> {
        match self.shared()? {
            Shared::Text(it) => Some(it),
            _ => None,
        }
    }

    /// It as a pool of strings.
    fn as_strings(&self) -> Option<&StringPool> {
        match self.shared()? {
            Shared::Strings(it) => Some(it),
            _ => None,
        }
    }

    /// It as a pool of strings.
    fn as_strings_mut(&mut self) -> Option<&mut StringPool> {
        match self.shared_mut()? {
            SharedMut::Strings(it) => Some(it),
            _ => None,
        }
    }

    /// It as a dictionary.
    fn as_dictionary(&self) -> Option<&Dictionary> {
        match self.shared()? {
            Shared::Dictionary(it) => Some(it),
            _ => None,
        }
    }

    /// It as a dictionary.
    fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary> {
        match self.shared_mut()? {
            SharedMut::Dictionary(it) => Some(it),
            _ => None,
        }
    }

    /// It as a relocation table.
    fn as_relocation(&self) -> Option<&Relocation> {
        match self.shared()? {
            Shared::Relocation(it) => Some(it),
            _ => None,
        }
    }

    /// It as a relocation table.
    fn as_relocation_mut(&mut self) -> Option<&mut Relocation> {
        match self.shared_mut()? {
            SharedMut::Relocation(it) => Some(it),
            _ => None,
        }
    }

    /// Brings along what it says about sizes and distances when structures move. `at` is where it was.
    fn rescale(&mut self, _at: u64, _map: &super::layout::Map) {}

    /// Whether its bytes may hold pointers that only the relocation table tells of.
    fn is_raw(&self) -> bool {
        false
    }

    /// Its bytes, for what [`Object::is_raw`].
    fn raw_mut(&mut self) -> Option<&mut [u8]> {
        None
    }
}

/// A file of one format.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Image<O> {
    /// How it is stored.
    pub form: Form,
    /// Length in bytes.
    pub len: u64,
    /// The structures by their places.
    pub objects: BTreeMap<u64, O>,
}

/// A window on a file that is being read.
pub struct FileLook<'a> {
    form: Form,
    file: &'a [u8],
    /// Bytes that were looked at, which reading pays for.
    looked: Cell<u64>,
}

impl<'a> FileLook<'a> {
    /// A window on the whole file.
    pub fn new(form: Form, file: &'a [u8]) -> Self {
        Self { form, file, looked: Cell::new(0) }
    }
}

impl Look for FileLook<'_> {
    fn form(&self) -> Form {
        self.form
    }

    fn is_behind(&self, at: u64) -> bool {
        at >= self.file.len() as u64
    }

    fn dictionary_len(&self, at: Pointer) -> u64 {
        let count = at.get().and_then(|at| {
            let bytes = self.file.get(usize::try_from(at.checked_add(4)?).ok()?..)?.first_chunk()?;
            Some(if self.form.big_endian { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) })
        });
        count.unwrap_or(0).into()
    }

    fn record(&self, at: u64, len: usize) -> Option<Vec<u8>> {
        self.looked.set(self.looked.get().saturating_add(len as u64));
        let start = usize::try_from(at).ok()?;
        Some(self.file.get(start..start.checked_add(len)?)?.to_vec())
    }
}

impl<O: Object> Look for Image<O> {
    fn form(&self) -> Form {
        self.form
    }

    fn is_behind(&self, at: u64) -> bool {
        at >= self.len
    }

    fn dictionary_len(&self, at: Pointer) -> u64 {
        self.dictionary(at).map_or(0, |dictionary| dictionary.len() as u64)
    }

    fn record(&self, at: u64, len: usize) -> Option<Vec<u8>> {
        let (start, object) = self.objects.range(..=at).next_back()?;
        let from = usize::try_from(at.checked_sub(*start)?).ok()?;
        let range = from..from.checked_add(len)?;
        if let Some(bytes) = object.bytes() {
            return bytes.get(range).map(<[u8]>::to_vec);
        }
        let mut saver = Saver::standing_at(self.form, *start);
        object.clone().visit(&mut saver).ok()?;
        saver.bytes.get(range).map(<[u8]>::to_vec)
    }
}

/// What `deferred` kinds of structures are: they end where the next one starts.
pub type Deferred<K> = fn(K, u64) -> Option<K>;

impl<O: Object> Image<O> {
    /// Reads everything that the first structures lead to. `deferred` gives, for what ends where the next
    /// structure starts, the kind with the length that it may have.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where a pointer or a count leads out of the file, [`ErrorKind::BadValue`]
    /// where two structures share bytes, [`ErrorKind::LimitExceeded`] where they claim more bytes than the
    /// file has.
    pub fn read(
        form: Form,
        file: &[u8],
        first: Vec<Target<O::Kind>>,
        deferred: Deferred<O::Kind>,
    ) -> Result<Self> {
        let len = file.len() as u64;
        let look = FileLook::new(form, file);
        let mut image = Self { form, len, objects: BTreeMap::new() };
        let mut budget = Budget::new(len);
        // In a sound file each visit comes from a pointer of 4 bytes or more, or from an entry of a table.
        let mut work = Budget::new(len.saturating_mul(4).saturating_add(1 << 16));
        let mut pending = first;
        pending.reverse();
        let mut late = Vec::new();
        let mut strays = Vec::new();
        let mut pool = 0..0;
        loop {
            let (target, kind) = match (pending.pop(), late.pop()) {
                (Some(target), back) => {
                    late.extend(back);
                    if deferred(target.kind, 1).is_some() {
                        late.push(target);
                        continue;
                    }
                    (target, target.kind)
                }
                (None, Some(target)) => {
                    let next = image.objects.range(target.at.saturating_add(1)..).next();
                    let room = next.map_or(len, |(next, _)| *next).saturating_sub(target.at);
                    (target, deferred(target.kind, room).unwrap_or(target.kind))
                }
                (None, None) => break,
            };
            work.charge(look.looked.replace(0).saturating_add(4), target.at, target.name).code("nx.work")?;
            image.claim(&look, target, kind, [&mut budget, &mut work], &mut pending, |object, end| {
                if object.as_strings().is_some() {
                    pool = target.at..end;
                }
                texts(object, form, &mut |text| {
                    if !pool.contains(&text) {
                        strays.push(text);
                    }
                });
            })?;
        }
        for text in strays {
            if !pool.contains(&text) && !image.objects.contains_key(&text) {
                let mut loader = Loader::new(form, file, text);
                let object = O::stray_text(form, &mut loader).code("nx.string")?;
                budget.charge(loader.position().saturating_sub(text), text, "string").code("nx.overlap")?;
                image.objects.insert(text, object);
            }
        }
        image.gaps(file)?;
        Ok(image)
    }

    fn claim(
        &mut self,
        look: &FileLook<'_>,
        target: Target<O::Kind>,
        kind: O::Kind,
        [budget, work]: [&mut Budget; 2],
        pending: &mut Vec<Target<O::Kind>>,
        mut found: impl FnMut(&mut O, u64),
    ) -> Result<()> {
        let mut loader = Loader::new(look.form, look.file, target.at);
        if let Some(known) = self.objects.get_mut(&target.at) {
            // Bytes may be shared by several with different lengths; structures were followed before.
            let before = known.bytes().map(|bytes| bytes.len() as u64);
            if let (Some(before), Some(wanted)) = (before, O::bytes_len(kind))
                && wanted > before
            {
                work.charge(wanted, target.at, target.name).code("nx.work")?;
                budget.charge(wanted.saturating_sub(before), target.at, target.name).code("nx.overlap")?;
                let object = O::load(kind, &mut loader).under(|| target.name)?;
                known.extend(object.bytes().unwrap_or_default());
            }
            return Ok(());
        }
        let mut object = O::load(kind, &mut loader).under(|| target.name)?;
        let end = loader.position();
        if end == target.at {
            return Ok(());
        }
        budget.charge(end.saturating_sub(target.at), target.at, target.name).code("nx.overlap")?;
        found(&mut object, end);
        let before = pending.len();
        object.targets(target.at, look, pending);
        pending.get_mut(before..).unwrap_or_default().reverse();
        self.objects.insert(target.at, object);
        Ok(())
    }

    /// Keeps the bytes between structures that are not zero, and refuses structures that share bytes.
    fn gaps(&mut self, file: &[u8]) -> Result<()> {
        let mut gaps = Vec::new();
        let mut reached = 0;
        let mut before = "";
        for (&at, object) in &self.objects {
            if at < reached {
                return Err(Error::new(
                    ErrorKind::BadValue,
                    at,
                    object.label(),
                    format!("a place of its own behind the {before} that ends at {reached:#x}"),
                    format!("a {} at {at:#x}", object.label()),
                )
                .code("nx.overlap"));
            }
            gaps.push(reached..at);
            reached = at.saturating_add(object_len(object, self.form)?);
            before = object.label();
        }
        gaps.push(reached..self.len);
        for gap in gaps {
            let range = usize::try_from(gap.start).unwrap_or(usize::MAX)..gap.end as usize;
            let bytes = file.get(range).unwrap_or_default();
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            // What is not known starts on a multiple of 8, as nearly everything does.
            let first = gap.start.saturating_add(zeros as u64) & !7;
            let skip = usize::try_from(first.saturating_sub(gap.start)).unwrap_or(0);
            let rest = bytes.get(skip..).unwrap_or_default();
            if zeros < bytes.len() {
                let last = rest.iter().rposition(|&byte| byte != 0).unwrap_or(0);
                // A zero behind it may be its own; longer runs of zeros fill up to what follows.
                let used = last.saturating_add(2).next_multiple_of(8).saturating_add(8).min(rest.len());
                let at = gap.start.saturating_add(skip as u64);
                self.objects.insert(at, O::gap(rest.get(..used).unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where structures share bytes, or a value does not fit its field.
    pub fn write(&self) -> Result<Vec<u8>> {
        self.write_behind(Vec::with_capacity(usize::try_from(self.len).unwrap_or(0)))
    }

    /// The same behind bytes that are there, from which no place counts.
    ///
    /// # Errors
    /// As [`Image::write`].
    pub fn write_behind(&self, before: Vec<u8>) -> Result<Vec<u8>> {
        let mut saver = Saver::behind(self.form, before);
        for (&at, object) in &self.objects {
            let here = saver.position();
            if here > at || at > self.len {
                let expected = format!("a place from {here:#x} to {:#x}", self.len);
                return Err(Error::new(
                    ErrorKind::Unrepresentable,
                    at,
                    object.label(),
                    expected,
                    format!("{at:#x}"),
                )
                .code("nx.overlap"));
            }
            saver.fill(at);
            if let Some(bytes) = object.bytes() {
                saver.bytes.extend_from_slice(bytes);
            } else if let Some(numbers) = object.numbers() {
                saver.numbers(numbers);
            } else if object.embedded_len().is_some() {
                saver.bytes = object.embedded(std::mem::take(&mut saver.bytes))?;
            } else {
                object.clone().visit(&mut saver).under(|| object.label())?;
            }
        }
        let here = saver.position();
        if here > self.len {
            let expected = format!("structures that end before {:#x}", self.len);
            return Err(Error::new(ErrorKind::Unrepresentable, here, "", expected, format!("{here:#x}"))
                .code("nx.overlap"));
        }
        saver.fill(self.len);
        Ok(saver.bytes)
    }

    /// The structure at a place.
    pub fn get(&self, at: Pointer) -> Option<&O> {
        self.objects.get(&at.get()?)
    }

    /// The dictionary at a place.
    pub fn dictionary(&self, at: Pointer) -> Option<&Dictionary> {
        self.get(at)?.as_dictionary()
    }

    /// The pool of strings with its place.
    pub fn strings(&self) -> Option<(u64, &StringPool)> {
        self.objects.iter().rev().find_map(|(&at, object)| Some((at, object.as_strings()?)))
    }

    /// The relocation table with its place.
    pub fn relocation(&self) -> Option<(u64, &Relocation)> {
        self.objects.iter().rev().find_map(|(&at, object)| Some((at, object.as_relocation()?)))
    }

    /// Strings by their places.
    pub fn texts(&self) -> Texts<'_> {
        let mut texts = Texts { places: Vec::new() };
        if let Some((at, pool)) = self.strings() {
            texts.places = pool.places(at, self.form).zip(pool.texts.iter().map(|name| &**name)).collect();
        }
        let strays = self.objects.iter().filter_map(|(&at, object)| Some((at, object.as_text()?)));
        let before = texts.places.len();
        texts.places.extend(strays.map(|(at, text)| {
            let width = if self.form.relative { 4 } else { 0 };
            (at.saturating_add(width), text)
        }));
        if texts.places.len() > before {
            texts.places.sort_by_key(|(at, _)| *at);
        }
        texts
    }

    /// Every pointer that a relocation table has to list, with the place where it stands, in file order.
    ///
    /// # Errors
    /// When a structure cannot be visited.
    pub fn slots(&self) -> Result<Vec<(u64, Slot, Pointer)>> {
        let mut slots = Vec::new();
        for (&at, object) in &self.objects {
            if !object.has_fields() {
                continue;
            }
            let mut record = object.clone();
            let mut walk = Walk::new(self.form, |slot: Slot, value: &mut Pointer| {
                if matches!(slot.target, Use::Object | Use::Text) && !value.is_null() {
                    slots.push((at.saturating_add(slot.offset), slot, *value));
                }
            });
            record.visit(&mut walk)?;
        }
        Ok(slots)
    }
}

/// Strings by their places.
#[derive(Debug, Clone, Default)]
pub struct Texts<'a> {
    places: Vec<(u64, &'a [u8])>,
}

impl<'a> Texts<'a> {
    /// The string that a pointer leads to.
    pub fn get(&self, at: Pointer) -> Option<&'a [u8]> {
        let at = at.get()?;
        let index = self.places.binary_search_by_key(&at, |(place, _)| *place).ok()?;
        self.places.get(index).map(|(_, text)| *text)
    }

    /// The string as it is shown; empty for a pointer to nothing, and for one that leads to no string.
    pub fn show(&self, at: Pointer) -> String {
        self.get(at).map(crate::shared::opaque::escape).unwrap_or_default()
    }

    /// All of them with their places, ascending.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = (Pointer, &'a [u8])> + '_ {
        self.places.iter().map(|(at, text)| (Pointer(*at), *text))
    }

    /// The place of a string.
    pub fn find(&self, text: &[u8]) -> Option<Pointer> {
        self.places.iter().find(|(_, known)| *known == text).map(|(at, _)| Pointer(*at))
    }
}

/// Calls a function with every string that a structure leads to, and with every structure that is none.
fn texts<O: Object>(object: &mut O, form: Form, visit: &mut dyn FnMut(u64)) {
    if !object.has_fields() {
        return;
    }
    let mut walk = Walk::new(form, |slot: Slot, value: &mut Pointer| {
        if let (Use::Text, Some(at)) = (slot.target, value.get()) {
            visit(if form.relative { at.saturating_sub(4) } else { at });
        }
    });
    // Counting pointers cannot fail.
    let _ = object.visit(&mut walk);
}

/// Length of a structure in bytes.
///
/// # Errors
/// When it cannot be visited.
pub fn object_len<O: Object>(object: &O, form: Form) -> Result<u64> {
    if let Some(bytes) = object.bytes() {
        return Ok(bytes.len() as u64);
    }
    if let Some(numbers) = object.numbers() {
        return Ok(numbers.size());
    }
    if let Some(len) = object.embedded_len() {
        return Ok(len);
    }
    let mut walk = Walk::new(form, |_: Slot, _: &mut Pointer| {});
    object.clone().visit(&mut walk)?;
    Ok(walk.len)
}
