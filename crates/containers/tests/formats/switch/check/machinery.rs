//! What is wrong with what all files share: strings, dictionaries, the relocation table.

use crate::switch::check::bnsh::container;
use crate::switch::check::{Shown, first, found_bfsha, found_bnsh, stretch};
use unshade_containers::bfsha::Object as Shading;
use unshade_containers::bnsh::{Bnsh, Object};
use unshade_containers::switch::dictionary::build;
use unshade_containers::switch::image::object_len;
use unshade_containers::switch::{Entry, Family, Image, Object as _, Pointer, Relocation, Slot, Use, Walk};

const TWO: &str = "two_stages.bnsh";

pub fn strings_and_dictionaries(shown: &mut Shown) {
    shown.only("nx.reserved", found_bnsh(TWO, |file| container(file).reserved_38.0 = vec![1; 0x28]));
    shown.only(
        "nx.unknown-bytes",
        found_bnsh(TWO, |file| {
            let free = 0x1800;
            file.image.objects.insert(free, Object::Unknown(vec![1, 2, 3, 4, 5, 6, 7, 8].into()));
        }),
    );
    shown.only(
        "nx.dictionary-signature",
        found_bnsh(TWO, |file| first!(file, Object, Dictionary).signature = *b"_XXX"),
    );
    shown.only(
        "nx.dictionary",
        found_bnsh(TWO, |file| first!(file, Object, Dictionary).nodes[1].children = [0, 0]),
    );
    shown.only("nx.dictionary-shape", found_bnsh(TWO, other_shape));
    let pool = |change: &dyn Fn(&mut unshade_containers::switch::StringPool)| {
        found_bnsh(TWO, |file| change(first!(file, Object, Strings)))
    };
    shown.only("nx.string-pool", pool(&|pool| pool.block.as_mut().unwrap().0.signature = *b"_XYZ"));
    shown.only("nx.string-count", pool(&|pool| pool.block.as_mut().unwrap().1 += 1));
    shown.only("nx.string-alignment", found_bnsh(TWO, padded_to_4));
}

/// The nodes of a dictionary as if its names had come in the other order: each is still found.
fn other_shape(file: &mut Bnsh) {
    let image = file.image.clone();
    let texts = image.texts();
    let dictionary = file
        .image
        .objects
        .values_mut()
        .find_map(|object| match object {
            Object::Dictionary(found) if found.nodes.len() > 3 => Some(found),
            _ => None,
        })
        .unwrap();
    let mut names: Vec<&[u8]> = dictionary.keys().map(|key| texts.get(key).unwrap()).collect();
    names.reverse();
    let last = names.len() as u16 + 1;
    let mirrored = |index: u16| if index == 0 { 0 } else { last - index };
    for (index, (bit, children)) in (0_u16..).zip(build(&names, Family::Switch).unwrap()) {
        let node = &mut dictionary.nodes[usize::from(mirrored(index))];
        (node.bit, node.children) = (bit, children.map(mirrored));
    }
}

/// Strings at multiples of 4, as ShaderLibrary writes them.
fn padded_to_4(file: &mut Bnsh) {
    let form = file.image.form;
    let (at, pool) = file.image.strings().unwrap();
    let mut new = pool.clone();
    new.alignment = 4;
    let places: Vec<(u64, u64)> = pool.places(at, form).zip(new.places(at, form)).collect();
    let old_len = object_len(&Object::Strings(pool.clone()), form).unwrap();
    let len = object_len(&Object::Strings(new.clone()), form).unwrap();
    new.block.as_mut().unwrap().0.size = len as u32;
    let place = |old: u64| places.iter().find(|(known, _)| *known == old).unwrap().1;
    for object in file.image.objects.values_mut().filter(|object| object.bytes().is_none()) {
        let mut walk = Walk::new(form, |slot: Slot, value: &mut Pointer| match slot.target {
            Use::Text if !value.is_null() => value.0 = place(value.0),
            Use::Characters => value.0 = place(value.0 - 2) + 2,
            _ => {}
        });
        object.visit(&mut walk).unwrap();
    }
    file.image.objects.insert(at, Object::Strings(new));
    first!(file, Object, Relocation).sections.last_mut().unwrap().size += (len - old_len) as u32;
    stretch(&mut file.image, (len - old_len) as i64);
}

/// A change of the relocation table, which may make it longer or shorter.
fn table(change: impl FnOnce(&Image<Object>, &mut Relocation)) -> Vec<String> {
    found_bnsh(TWO, |file| {
        let image = file.image.clone();
        change(&image, first!(file, Object, Relocation));
        stretch(&mut file.image, 0);
    })
}

/// One more entry, in the last section.
fn one_more(table: &mut Relocation, position: u64, structs: u16) {
    table.entries.push(Entry { position: position as u32, structs, pointers: 1, gap: 0 });
    table.sections.last_mut().unwrap().count += 1;
}

pub fn relocation(shown: &mut Shown) {
    shown.only("nx.relocation", table(|_, table| table.signature = *b"_RLX"));
    shown.only(
        "nx.relocation-missing",
        table(|_, table| {
            table.entries.pop();
            table.sections.last_mut().unwrap().count -= 1;
        }),
    );
    shown.only(
        "nx.relocation-twice",
        table(|_, table| {
            let last = table.entries.last().unwrap().position;
            one_more(table, last.into(), 1);
        }),
    );
    // More pointers than there are places for are not looked at one by one.
    shown.only(
        "nx.relocation-twice",
        table(|_, table| {
            let entry = table.entries.last_mut().unwrap();
            (entry.structs, entry.pointers) = (u16::MAX, u8::MAX);
        }),
    );
    shown.only("nx.relocation-outside", table(|image, table| one_more(table, image.len + 0x1000, 1)));
    let many = table(|image, table| one_more(table, image.len + 0x1000, 2000));
    assert_eq!(many, ["nx.more", "nx.relocation-outside"]);
    shown.0.insert("nx.more".to_owned());
    shown.only(
        "nx.relocation-section-range",
        table(|_, table| table.sections.last_mut().unwrap().size += 0x1000),
    );
    shown.only(
        "nx.relocation-section",
        table(|_, table| {
            let code = table.sections.iter_mut().find(|section| section.position == 0x2000).unwrap();
            code.position += 0x10;
            code.size -= 0x10;
        }),
    );
    // A null pointer of a structure that is no program, and a number among the pointers.
    shown.only("nx.relocation-null", table(|image, table| one_more(table, place(image, "pool") + 0x30, 1)));
    shown.only(
        "nx.relocation-unknown",
        table(|image, table| one_more(table, place(image, "program") + 0x60, 1)),
    );
}

fn place(image: &Image<Object>, label: &str) -> u64 {
    *image.objects.iter().find(|(_, object)| object.label() == label).unwrap().0
}

/// What public writers are known to leave.
pub fn writers(shown: &mut Shown) {
    // Six stages of every program are listed, also those that are not there.
    shown.writer(
        &["nx.relocation-null"],
        table(|image, table| one_more(table, place(image, "program") + 0x10, 1)),
    );
    shown.0.insert("nx.relocation-null".to_owned());
    // BFSHA 5: three pointers twice, two behind the end.
    let found = found_bfsha("options_v5.bfsha", |file| {
        let len = file.image.len;
        let table = first!(file, Shading, Relocation);
        let last = *table.entries.last().unwrap();
        for position in
            [last.position, last.position, last.position, len as u32 + 0x1000, len as u32 + 0x1008]
        {
            one_more(table, position.into(), 1);
        }
        stretch(&mut file.image, 0);
    });
    shown.writer(&["nx.relocation-outside", "nx.relocation-twice"], found);
    // BFSHA 9: of the tables of names in the shaders only the first name of each row.
    let found = found_bfsha("options.bfsha", |file| {
        let slots = file.image.slots().unwrap();
        let is_name = |at: u64| {
            let (start, object) = file.image.objects.range(..=at).next_back().unwrap();
            matches!(object, Shading::Symbols(_)) && (at - start) % 16 == 8
        };
        let table = first!(file.clone(), Shading, Relocation).clone();
        let kept = slots.iter().filter(|(at, ..)| !is_name(*at));
        let wanted: Vec<_> =
            kept.map(|(at, _, target)| (*at, table.section_of(target.0).unwrap_or(0))).collect();
        assert!(wanted.len() < slots.len());
        first!(file, Shading, Relocation).rebuild(&wanted);
        stretch(&mut file.image, 0);
    });
    shown.writer(&["nx.relocation-missing"], found);
}
