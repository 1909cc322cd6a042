//! What JavaScript calls of the module with the other languages.

use crate::Session;
use wasm_bindgen::prelude::*;

/// The files of the page, to decompile.
#[wasm_bindgen]
#[derive(Default)]
pub struct Languages(Session);

#[wasm_bindgen]
impl Languages {
    /// Without files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file in; its number here.
    pub fn open(&mut self, name: &str, bytes: Vec<u8>) -> u32 {
        self.0.open(name, bytes)
    }

    /// Forgets a file.
    pub fn close(&mut self, file: u32) {
        self.0.close(file);
    }

    /// Answers the question `decompile`; throws the failure as JSON.
    pub fn decompile(&self, arguments: &str) -> Result<String, String> {
        self.0.decompile(arguments).map_err(|failure| failure.json())
    }
}
