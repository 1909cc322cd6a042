//! The files of a page, and its questions.

use crate::{Answer, Failure, change, choose, compare, debug, draw, file::File, look, text};
use std::collections::BTreeMap;
use unshade::{Dictionaries, wrap::nest};

/// The files that were opened, by number.
#[derive(Debug, Default)]
pub struct Session {
    files: BTreeMap<u32, File>,
    last: u32,
    /// Of all files that were opened: an archive of dictionaries serves those that come after it.
    dictionaries: Dictionaries,
    /// Runs under the debugger, by number.
    pub(crate) runs: BTreeMap<u32, unshade::debug::Session>,
    /// What is drawn.
    pub(crate) drawn: draw::Drawn,
}

impl Session {
    /// A page without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file in, whatever it is; its number.
    pub fn open(&mut self, name: &str, bytes: Vec<u8>) -> u32 {
        if let Ok(found) = nest::dictionaries(&bytes) {
            found.0.into_iter().for_each(|dictionary| self.dictionaries.add(dictionary));
        }
        self.last = self.last.saturating_add(1);
        self.files.insert(self.last, File::new(name.to_owned(), bytes, self.dictionaries.clone()));
        self.last
    }

    /// Forgets a file.
    pub fn close(&mut self, file: u32) {
        self.files.remove(&file);
    }

    /// The bytes of a file as they are now.
    ///
    /// # Errors
    ///
    /// Where there is none of that number.
    pub fn bytes(&self, file: u32) -> Result<&[u8], Failure> {
        self.file(file).map(|file| file.bytes.as_slice())
    }

    /// Bytes of a file inside, which the fields of `tree` lie in: what `window` says as JSON.
    ///
    /// # Errors
    ///
    /// Where there is no such file.
    pub fn window(&self, window: &str) -> Result<Vec<u8>, Failure> {
        look::window(self, window)
    }

    /// The interpreters' picture as far as it is: rows from the top, red, green, blue and alpha of each pixel.
    ///
    /// # Errors
    ///
    /// Where nothing is drawn.
    pub fn picture(&self) -> Result<Vec<u8>, Failure> {
        draw::picture(self)
    }

    /// Compares the picture with another one of that size.
    ///
    /// # Errors
    ///
    /// Where nothing is drawn, or something of another size.
    pub fn compare(&mut self, theirs: &[u8], tolerance: u8) -> Answer {
        draw::compare(self, theirs, tolerance)
    }

    /// The picture of the difference that was found last; it is handed over.
    pub fn difference(&mut self) -> Vec<u8> {
        draw::difference(self)
    }

    /// What a file is called.
    ///
    /// # Errors
    ///
    /// Where there is none of that number.
    pub fn name(&self, file: u32) -> Result<&str, Failure> {
        self.file(file).map(|file| file.name.as_str())
    }

    /// Answers the question `decompile`, in every language that the library was built with.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub fn decompile(&self, arguments: &str) -> Answer {
        text::decompile(self, arguments)
    }

    pub(crate) fn file(&self, number: u32) -> Result<&File, Failure> {
        self.files.get(&number).ok_or_else(|| Failure::new(format!("no file {number} is open")))
    }

    /// Answers a question. `arguments` is a JSON object, `file` in it the number of a file, and `item` what stands behind a
    /// file's name on the command line.
    ///
    /// # Errors
    ///
    /// What the command would say; a question that there is not.
    pub fn call(&mut self, question: &str, arguments: &str) -> Answer {
        match question {
            "info" => look::info(self, arguments),
            "ls" => look::ls(self, arguments),
            "check" => look::check(self, arguments),
            "trees" => look::trees(self, arguments),
            "fields" => look::fields(self, arguments),
            "find" => look::find(self, arguments),
            "owners" => look::owners(self, arguments),
            "at" => look::at(self, arguments),
            "way" => look::way(self, arguments),
            "disasm" => text::disasm(self, arguments),
            "decompile" => text::decompile(self, arguments),
            "source" => text::source(self, arguments),
            "links" => text::links(self, arguments),
            "graph" => text::graph(self, arguments),
            "options" => choose::options(self, arguments),
            "pick" => choose::pick(self, arguments),
            "materials" => choose::materials(self, arguments),
            "pick-material" => choose::pick_material(self, arguments),
            "diff" => compare::diff(self, arguments),
            "rows" => compare::rows(self, arguments),
            "names" => change::names(self, arguments),
            "edit" => change::edit(self, arguments),
            "asm-check" => change::asm_check(self, arguments),
            "asm" => change::asm(self, arguments),
            "inputs" => debug::inputs(self, arguments),
            "debug-start" => debug::start(self, arguments),
            "debug" => debug::command(self, arguments),
            "debug-end" => debug::end(self, arguments),
            "draw-open" => draw::open(self, arguments),
            "draw-mesh" => draw::mesh(arguments),
            "draw-start" => draw::start(self, arguments),
            "draw-go" => draw::go(self, arguments),
            other => Err(Failure::new(format!("there is no question `{other}`"))),
        }
    }
}
