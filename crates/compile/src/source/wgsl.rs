//! WGSL: naga reads it as it is.

use naga::Module;
use unshade_bytes::problem::{Problem, Result};

pub(super) fn parse(text: &str) -> Result<Module> {
    naga::front::wgsl::parse_str(text).map_err(|error| {
        let place = error.labels().find_map(|(span, _)| span.to_range());
        let mut problem = Problem::new(
            "compile.syntax",
            place.unwrap_or(0..0),
            super::lower_first(error.message().to_owned()),
        );
        for (_, label) in error.labels().filter(|(_, label)| !label.is_empty()) {
            if label != error.message() {
                problem = problem.note(label.to_owned());
            }
        }
        for note in error.notes() {
            problem = problem.note(note.to_owned());
        }
        problem
    })
}
