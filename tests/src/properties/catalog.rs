//! What must hold for catalogs of any bytes.

use unshade::{Dictionaries, programs};
use unshade_catalog::{
    file::{Room, rows},
    row::Row,
};

/// The bytes as a file, and behind others as a part of an image: the rows are the same twice, go through JSON and back, and
/// those of programs name what the other commands find.
pub fn catalog(data: &[u8]) {
    let image = [&[0xa5; 16], data, &[0; 4]].concat();
    for bytes in [data, &image] {
        let found = of(bytes);
        assert_eq!(found, of(bytes), "not the same twice");
        for row in &found {
            let text = serde_json::to_string(row).expect("a row is JSON");
            assert_eq!(serde_json::from_str::<Row>(&text).ok().as_ref(), Some(row), "{text}");
            assert!(matches!(row.record.as_str(), "stage" | "error" | "unread"), "{}", row.record);
        }
        // Some of them: each reads the whole file again.
        for row in found.iter().filter(|row| row.is_stage()).step_by(found.len() / 4 + 1) {
            let names: Vec<String> = row.inner.split(':').skip(1).map(str::to_owned).collect();
            let there = programs(bytes, &names, Some(&row.item)).is_ok_and(|found| !found.stages.is_empty());
            assert!(there, "{} is not there", row.place());
        }
    }
}

fn of(bytes: &[u8]) -> Vec<Row> {
    let alone = |work: &mut dyn FnMut()| work();
    let dictionaries = Dictionaries::default();
    let room = Room { unpacked: 1 << 20, most: 4 << 20, alone: &alone, dictionaries: &dictionaries };
    let mut found = Vec::new();
    rows("file", bytes, &room, &mut |row, _| {
        found.push(row);
        true
    });
    found
}
