//! Edited files of the Switch, held against a reader that knows nothing of this project.

use super::generator::{describe, difference};
use crate::common;
use serde_json::Value;
use std::process::Command;
use unshade_containers::Container;

/// Place and bytes of the first difference, and both lengths.
pub fn first_difference(a: &[u8], b: &[u8]) -> Option<String> {
    let at = a.iter().zip(b).position(|(a, b)| a != b);
    let same = at.is_none() && a.len() == b.len();
    (!same).then(|| format!("{at:x?} in {:#x} and {:#x} bytes", a.len(), b.len()))
}

/// Edited files for the independent reader, which knows nothing of this project.
pub struct Bench {
    name: &'static str,
    made: Vec<(String, Vec<u8>)>,
}

impl Bench {
    pub fn new(name: &'static str) -> Self {
        Self { name, made: Vec::new() }
    }

    pub fn keep(&mut self, name: String, bytes: Vec<u8>) {
        self.made.push((name, bytes));
    }

    /// Has it read everything, and compares in every field.
    pub fn compare(self) {
        let Some(tool) = common::shared("tools/make_bfsha.py") else { return };
        let folder = std::env::temp_dir().join(format!("unshade-{}-{}", self.name, std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (index, (_, bytes)) in self.made.iter().enumerate() {
            std::fs::write(folder.join(format!("{index}.bin")), bytes).unwrap();
        }
        let driver = concat!(
            include_str!("generator/generator.py"),
            "import json\n\
            tools = [little(sys.argv[1]), big(sys.argv[1])]\n\
            for i in range(int(sys.argv[3])):\n\
            \x20   data = open('%s/%d.bin' % (sys.argv[2], i), 'rb').read()\n\
            \x20   is_big = data[12:14] == b'\\xfe\\xff' and data[4:5] in b'\\0 '\n\
            \x20   print(json.dumps(tools[is_big].read_any(data)))\n",
        );
        let count = self.made.len().to_string();
        let mut python = Command::new("python3");
        let output = python.args(["-c", driver]).arg(&tool).arg(&folder).arg(count).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), self.made.len());
        for ((name, bytes), line) in self.made.iter().zip(text.lines()) {
            let expected: Value = serde_json::from_str(line).unwrap();
            let found = match Container::read(bytes).unwrap() {
                Container::Bnsh(file) => describe::bnsh(&file, bytes.len() as u64),
                Container::Bfsha(file) if file.is_wiiu() => describe::cafe(&file),
                Container::Bfsha(file) => describe::bfsha(&file, bytes.len() as u64),
                other => panic!("{}", other.describe()),
            };
            assert_eq!(
                difference(&expected, &found, ""),
                None,
                "{name}: the independent reader says otherwise"
            );
        }
        println!("{} edited files read the same by the independent reader", self.made.len());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
