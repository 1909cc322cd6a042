//! What is wrong with a BFSHA.

use crate::switch::check::{Shown, first, found_bfsha, listed, sample, stretch};
use unshade_containers::bfsha::raw::{OptionRecord, Resource};
use unshade_containers::bfsha::{self, Bfsha, Object as Shading};
use unshade_containers::switch::layout::Edit;
use unshade_containers::switch::{Object as _, Pointer};

pub fn rules(shown: &mut Shown) {
    let nine = "options.bfsha";
    let model =
        |file: &mut Bfsha, change: &dyn Fn(&mut bfsha::raw::Model)| change(first!(file, Shading, Model));
    shown.only(
        "bfsha.strings-size",
        found_bfsha(nine, |file| first!(file, Shading, Header).strings_size += 8),
    );
    shown.only("bfsha.runtime", found_bfsha(nine, |file| first!(file, Shading, Archive).flags |= 0x80));
    shown.only("bfsha.runtime", found_bfsha(nine, |file| first!(file, Shading, Program).flags |= 2));
    shown.only("bfsha.parent", found_bfsha(nine, |file| model(file, &|model| model.parent.0 += 8)));
    shown.only("bfsha.parent", found_bfsha(nine, |file| first!(file, Shading, Program).parent.0 += 8));
    shown.only("bfsha.variation", found_bfsha(nine, |file| first!(file, Shading, Program).variation.0 += 8));
    shown.only(
        "bfsha.default-program",
        found_bfsha(nine, |file| model(file, &|model| model.default_program = 99)),
    );
    shown.only(
        "bfsha.block-index",
        found_bfsha(nine, |file| model(file, &|model| model.block_index = [77, -1, -1, -1])),
    );
    shown.only(
        "bfsha.columns",
        found_bfsha(nine, |file| {
            model(file, &|model| {
                let free = model.stage_columns.iter().position(|column| *column < 0).unwrap();
                model.stage_columns[free] = model.column_count as i8;
            })
        }),
    );
    shown.only(
        "bfsha.attributes",
        found_bfsha(nine, |file| {
            first!(file, Shading, Program).active_attributes = 0x8000_0000;
        }),
    );
    shown.only("bfsha.index", found_bfsha(nine, |file| first!(file, Shading, Attributes)[0].index = 9));
    shown.only(
        "bfsha.default-choice",
        found_bfsha(nine, |file| first!(file, Shading, Option).default_choice = 40),
    );
    shown.only(
        "bfsha.name",
        found_bfsha(nine, |file| {
            let other = first!(file, Shading, Archive).path;
            first!(file, Shading, Option).name = other;
        }),
    );
    shown.only("bfsha.location", found_bfsha(nine, |file| first!(file, Shading, Locations)[0] = 31));
    shown.only("bfsha.trailing", found_bfsha(nine, |file| file.trailing.0 = vec![9]));
    shown.only(
        "bfsha.defaults",
        found_bfsha(nine, |file| {
            // The values are zeros, so that nothing is left of them.
            let block = first!(file, Shading, Block);
            let at = std::mem::replace(&mut block.defaults, Pointer::NULL).0;
            file.image.objects.remove(&at);
            listed(&mut file.image);
        }),
    );
    shown.only(
        "bfsha.variable",
        found_bfsha(nine, |file| first!(file, Shading, Variable).offset_plus_1 = 0xFFF0),
    );
    let option = |position: usize, change: &dyn Fn(&mut OptionRecord)| {
        found_bfsha(nine, |file| {
            let mut options = file.image.objects.values_mut().filter_map(|object| match object {
                Shading::Option(option) => Some(option),
                _ => None,
            });
            change(options.nth(position).unwrap());
        })
    };
    // The second option has one bit, which no key has set; the third has four bits for nine choices.
    shown.only("bfsha.mask", option(2, &|option| option.mask = 0x5000_0000));
    shown.only("bfsha.mask", option(2, &|option| option.mask = 0x7000_0000));
    shown.only("bfsha.mask", option(2, &|option| option.shift = 27));
    shown.only("bfsha.word", option(1, &|option| option.word = 9));
    shown.only("bfsha.mask-shared", option(1, &|option| (option.mask, option.shift) = (1 << 31, 31)));
    shown.only("bfsha.packing", option(1, &|option| (option.mask, option.shift) = (1 << 29, 29)));
    shown.only(
        "bfsha.packing",
        found_bfsha(nine, |file| {
            let bnsh = file.model(0).unwrap().bnsh.0;
            let mut edit = Edit::new(file.image.clone()).unwrap();
            first!(edit, Shading, Model).dynamic_words = 2;
            let keys = first!(edit, Shading, Keys);
            *keys = keys.chunks(2).flat_map(|row| [row[0], row[1], 0]).collect();
            (file.image, _) = edit.finish(&[(bnsh, 0x1000)]).unwrap();
        }),
    );
    shown.only(
        "bfsha.keys-choice",
        found_bfsha(nine, |file| *first!(file, Shading, Keys).last_mut().unwrap() |= 12 << 28),
    );
    shown.only(
        "bfsha.keys-order",
        found_bfsha(nine, |file| {
            let words = file.model(0).unwrap().words() as usize;
            let keys = first!(file, Shading, Keys);
            keys[..2 * words].rotate_left(words);
        }),
    );
    shown.only(
        "bfsha.keys-twice",
        found_bfsha(nine, |file| {
            let words = file.model(0).unwrap().words() as usize;
            let keys = first!(file, Shading, Keys);
            let first: Vec<u32> = keys[..words].to_vec();
            keys[words..2 * words].copy_from_slice(&first);
        }),
    );
    shown.only(
        "bfsha.keys-unused",
        found_bfsha(nine, |file| *first!(file, Shading, Keys).last_mut().unwrap() |= 1),
    );
    // A count for a resource that the model has none of, without a table.
    shown.only("bfsha.count", found_bfsha(nine, |file| first!(file, Shading, Program).counts[1] = 1));
    shown.writer(
        &["bfsha.count"],
        found_bfsha(nine, |file| {
            let program = first!(file, Shading, Program);
            program.counts[Resource::StorageBlocks.index()] = program.counts[Resource::UniformBlocks.index()];
        }),
    );
    shown.only("bfsha.bnsh-alignment", found_bfsha(nine, moved_shaders));
    shown.only(
        "bfsha.byte-order",
        found_bfsha(nine, |file| {
            first!(file, Shading, Bnsh).image.form.big_endian = true;
        }),
    );
    shown.only(
        "bfsha.stream-outs",
        found_bfsha("options_v5.bfsha", |file| {
            first!(file, Shading, SymbolInfo).stream_out_count = 3;
        }),
    );
    // What is wrong inside of the BNSH is told with its place in the archive.
    let mut file = bfsha::read(&sample(nine)).unwrap();
    let at = file.model(0).unwrap().bnsh.0;
    crate::switch::check::bnsh::container(first!(file, Shading, Bnsh)).api_type = 9;
    let findings = file.check();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].code, "bnsh.api");
    assert!(findings[0].path.starts_with("models["), "{}", findings[0].path);
    assert_eq!(findings[0].location, unshade_bytes::Location::Bytes(at + 0x70..at + 0x72));
    // Bytes between structures that mean nothing.
    let five = bfsha::read(&sample("options_v5.bfsha")).unwrap();
    assert!(five.check().is_empty(), "{:?}", five.check());
    assert_eq!(five.image.objects.values().filter(|object| object.is_raw()).count(), 0);
}

/// The BNSH 16 bytes further, and everything that leads there.
fn moved_shaders(file: &mut Bfsha) {
    let at = file.model(0).unwrap().bnsh.0;
    stretch(&mut file.image, 0x10);
    let bnsh = file.image.objects.remove(&at).unwrap();
    file.image.objects.insert(at + 0x10, bnsh);
    for object in file.image.objects.values_mut() {
        match object {
            Shading::Model(model) => model.bnsh.0 += 0x10,
            Shading::Program(program) => program.variation.0 += 0x10,
            Shading::Relocation(table) => table.sections[1].position += 0x10,
            _ => {}
        }
    }
}

pub fn of_the_wii_u(shown: &mut Shown) {
    let with = |change: &dyn Fn(&mut Bfsha)| found_bfsha("wiiu.bfsha", change);
    shown.only(
        "nx.dictionary-size",
        with(&|file| first!(file, Shading, Dictionary).signature = 5_u32.to_be_bytes()),
    );
    shown.only("bfsha.count", with(&|file| first!(file, Shading, WiiUHeader).model_count += 1));
    shown.only("bfsha.default-choice", with(&|file| first!(file, Shading, WiiUOption).default_choice = 99));
    shown.only("bfsha.default-program", with(&|file| first!(file, Shading, WiiUModel).default_program = 99));
    shown.only(
        "bfsha.packing",
        with(&|file| {
            let option = first!(file, Shading, WiiUOption);
            (option.mask, option.shift) = (option.mask >> 1, option.shift - 1);
        }),
    );
    shown.only(
        "bfsha.keys-order",
        with(&|file| {
            let words =
                usize::from(file.wiiu_model(0).unwrap().words[0] + file.wiiu_model(0).unwrap().words[1]);
            first!(file, Shading, Keys)[..2 * words].rotate_left(words);
        }),
    );
    shown.only("bfsha.trailing", with(&|file| file.trailing.0 = vec![9]));
}
