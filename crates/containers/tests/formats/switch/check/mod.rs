//! Every rule of `check` and every code of an error, each with a file that breaks only that one. A code in the
//! source for which there is no file here fails the test.
#![allow(clippy::indexing_slicing)]

mod bfsha;
mod bnsh;
mod machinery;
mod pairs;
mod refusals;

use std::collections::BTreeSet;
use std::path::Path;
use unshade_bytes::{Diagnostic, Error, Severity};
use unshade_containers::bfsha::{self as archive, Bfsha};
use unshade_containers::bnsh::{self as shaders, Bnsh};
use unshade_containers::switch::image::object_len;
use unshade_containers::switch::layout::Edit;
use unshade_containers::switch::{Image, Object, Pointer, Slot, Walk};

fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// The codes for which there was a file.
#[derive(Default)]
struct Shown(BTreeSet<String>);

impl Shown {
    /// A file in which only this was found.
    fn only(&mut self, code: &str, found: Vec<String>) {
        assert_eq!(found, [code]);
        self.0.insert(code.to_owned());
    }

    /// A file of which this writer's damage was recognised, and these were found beside it.
    fn writer(&mut self, beside: &[&str], found: Vec<String>) {
        let mut expected = beside.to_vec();
        expected.push("nx.known-writer");
        expected.sort_unstable();
        assert_eq!(found, expected);
        self.0.insert("nx.known-writer".to_owned());
    }

    /// Something that was refused with this code.
    fn refused<T: std::fmt::Debug>(&mut self, code: &str, result: unshade_bytes::Result<T>) {
        let error: Error = result.unwrap_err();
        assert!(!error.to_string().is_empty());
        assert_eq!(error.diagnostic_code(), code, "{error}");
        self.0.insert(code.to_owned());
    }
}

/// The file with one change written and read again.
fn found_bnsh(name: &str, change: impl FnOnce(&mut Bnsh)) -> Vec<String> {
    let mut file = shaders::read(&sample(name)).unwrap();
    assert!(file.check().is_empty(), "{:?}", file.check());
    change(&mut file);
    rewritten_bnsh(&file)
}

/// What is found in a file once it was written and read again.
fn rewritten_bnsh(file: &Bnsh) -> Vec<String> {
    let bytes = file.write().unwrap();
    let back = shaders::read(&bytes).unwrap();
    assert!(back.write().unwrap() == bytes);
    codes(back.check())
}

fn found_bfsha(name: &str, change: impl FnOnce(&mut Bfsha)) -> Vec<String> {
    let mut file = archive::read(&sample(name)).unwrap();
    let errors: Vec<_> = file.check().into_iter().filter(|f| f.severity > Severity::Note).collect();
    assert!(errors.is_empty(), "{errors:?}");
    change(&mut file);
    rewritten_bfsha(&file)
}

fn rewritten_bfsha(file: &Bfsha) -> Vec<String> {
    let bytes = file.write().unwrap();
    let back = archive::read(&bytes).unwrap();
    assert!(back.write().unwrap() == bytes);
    codes(back.check())
}

fn codes(findings: Vec<Diagnostic>) -> Vec<String> {
    let codes: BTreeSet<String> = findings
        .into_iter()
        .map(|finding| {
            assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{finding}");
            finding.code.into_owned()
        })
        .collect();
    codes.into_iter().collect()
}

/// The relocation table made to list exactly the pointers that there are; nothing else changes.
fn listed<O: Object>(image: &mut Image<O>) {
    let (made, _) = Edit::new(image.clone()).unwrap().finish(&[]).unwrap();
    *image = made;
}

/// Moves the relocation table by so many bytes, and the end of the file with it, as the header says both.
fn stretch<O: Object>(image: &mut Image<O>, by: i64) {
    let (at, _) = image.relocation().unwrap();
    let mut table = image.objects.remove(&at).unwrap();
    let to = at.checked_add_signed(by).unwrap();
    table.as_relocation_mut().unwrap().own = Pointer(to);
    image.len = to + object_len(&table, image.form).unwrap();
    image.objects.insert(to, table);
    let len = image.len;
    let mut walk = Walk::new(image.form, |slot: Slot, value: &mut Pointer| match slot.name {
        "relocation" => value.0 = to,
        "file_size" => value.0 = len,
        _ => {}
    });
    image.objects.get_mut(&0).unwrap().visit(&mut walk).unwrap();
}

macro_rules! first {
    ($file:expr, $kind:ident, $variant:ident) => {
        $file
            .image
            .objects
            .values_mut()
            .find_map(|object| match object {
                $kind::$variant(found) => Some(found),
                _ => None,
            })
            .unwrap()
    };
}
pub(crate) use first;

/// All codes that the sources of the rooms name.
fn codes_of_the_source() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let rooms =
        ["formats/switch", "formats/bnsh", "formats/bfsha", "formats/nvn", "formats/dksh", "shared/fields"];
    let mut folders: Vec<_> =
        rooms.map(|room| Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for quoted in text.split('"') {
                let code = quoted.split_once('.').is_some_and(|(room, name)| {
                    ["nx", "record", "bnsh", "bfsha", "nvn", "dksh"].contains(&room)
                        && !name.is_empty()
                        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
                });
                if code {
                    found.insert(quoted.to_owned());
                }
            }
        }
    }
    assert!(found.len() > 80, "{found:?}");
    found
}

#[test]
fn every_code_has_a_file() {
    let mut shown = Shown::default();
    bnsh::rules(&mut shown);
    bfsha::rules(&mut shown);
    bfsha::of_the_wii_u(&mut shown);
    machinery::strings_and_dictionaries(&mut shown);
    machinery::relocation(&mut shown);
    machinery::writers(&mut shown);
    pairs::dksh(&mut shown);
    pairs::raw_pairs(&mut shown);
    pairs::code_sections(&mut shown);
    refusals::of_reading(&mut shown);
    refusals::of_looking(&mut shown);
    refusals::of_changes(&mut shown);
    let codes = codes_of_the_source();
    let without: Vec<_> = codes.difference(&shown.0).collect();
    assert!(without.is_empty(), "without a file: {without:?}");
    let gone: Vec<_> = shown.0.difference(&codes).filter(|code| !code.starts_with("bytes.")).collect();
    assert!(gone.is_empty(), "not in the source: {gone:?}");
    println!("{} codes, each with a file that breaks only that rule", codes.len());
}
