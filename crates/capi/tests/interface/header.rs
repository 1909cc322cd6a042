//! `include/unshade.h` says what the sources say, and what it says does not change.

use std::{fs, path::Path};
use unshade_capi::*;

#[test]
fn the_header_is_that_of_the_sources() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(home.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config).with_src(home.join("src/lib.rs"));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    let header = String::from_utf8(header).unwrap();
    let path = home.join("include/unshade.h");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, header).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == header, "BLESS=1 writes {} anew", path.display());
}

/// Every value, size, offset and function that `abi.txt` lists is as it was. What is there is a promise (docs/c.md): lines are
/// added by hand, and none is changed within one version of the interface.
#[cfg(target_pointer_width = "64")]
#[test]
fn the_interface_stays_as_it_is() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = fs::read_to_string(home.join("tests/abi.txt")).unwrap();
    let kept: Vec<&str> = kept.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let now = interface(&fs::read_to_string(home.join("include/unshade.h")).unwrap());
    let gone: Vec<_> = kept.iter().filter(|line| !now.iter().any(|other| other == *line)).collect();
    let new: Vec<_> = now.iter().filter(|line| !kept.contains(&line.as_str())).cloned().collect();
    assert!(gone.is_empty(), "gone or changed: {gone:#?}");
    assert!(new.is_empty(), "new, add them to tests/abi.txt:\n{}", new.join("\n"));
}

/// The interface, one thing a line.
fn interface(header: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut text = String::new();
    let mut comment = false;
    for line in header.lines() {
        let line = line.trim();
        comment |= line.starts_with("/*");
        if !comment && !line.starts_with("//") {
            if let Some(constant) = line.strip_prefix("#define UNSHADE_").filter(|rest| rest.contains(' ')) {
                lines.push(format!("UNSHADE_{constant}"));
            } else if let Some((name, value)) = line.strip_suffix(',').and_then(|line| line.split_once(" = "))
            {
                lines.push(format!("{name} {value}"));
            } else if !line.starts_with('#') {
                text.push_str(line);
                text.push(' ');
            }
        }
        comment &= !line.contains("*/");
    }
    let functions = text.split(['}', '{', ';']).map(str::trim).filter(|part| part.ends_with(')'));
    lines.extend(functions.map(str::to_owned));
    macro_rules! layout {
        ($name:literal, $kind:ident: $($field:ident)*) => {
            lines.push(format!("{} {} bytes", $name, size_of::<$kind>()));
            $(lines.push(format!("{}.{} at {}", $name, stringify!($field), std::mem::offset_of!($kind, $field)));)*
        };
    }
    layout!("unshade_text", Text: data len);
    layout!("unshade_finding", Finding: size severity place offset end code path message notes);
    layout!("unshade_stage_info", StageInfo:
        size kind isa hash code_offset code_bytes instructions item name);
    layout!("unshade_open_options", OpenOptions: size place profile state dictionary dictionary_size);
    layout!("unshade_code_options", CodeOptions:
        size flags kind entry reserved descriptors descriptor_count profile state);
    lines
}
