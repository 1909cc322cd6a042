//! The JSON documents: their schemas are committed, and what the commands print follows them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use unshade_tests::corpus;

#[test]
fn schemas_are_committed() {
    let folder = corpus::root().join("docs/schema");
    let bless = std::env::var_os("BLESS").is_some();
    for (name, schema) in unshade::report::schemas() {
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if bless {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(committed, text, "{} is not the schema; BLESS=1 writes it anew", path.display());
    }
}
