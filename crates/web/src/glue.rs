//! What JavaScript calls.

use crate::{Failure, Session};
use wasm_bindgen::prelude::*;

/// The files of the page.
#[wasm_bindgen(js_name = Session)]
#[derive(Default)]
pub struct Page(Session);

#[wasm_bindgen(js_class = Session)]
impl Page {
    /// A page without files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file in; its number.
    pub fn open(&mut self, name: &str, bytes: Vec<u8>) -> u32 {
        self.0.open(name, bytes)
    }

    /// Forgets a file.
    pub fn close(&mut self, file: u32) {
        self.0.close(file);
    }

    /// Answers a question; throws the failure as JSON.
    pub fn call(&mut self, question: &str, arguments: &str) -> Result<String, String> {
        self.0.call(question, arguments).map_err(|failure| failure.json())
    }

    /// All bytes of a file.
    pub fn bytes(&self, file: u32) -> Result<Vec<u8>, String> {
        self.0.bytes(file).map(<[u8]>::to_vec).map_err(|failure: Failure| failure.json())
    }

    /// What a file is called.
    pub fn name(&self, file: u32) -> Result<String, String> {
        self.0.name(file).map(str::to_owned).map_err(|failure: Failure| failure.json())
    }

    /// Bytes of a file inside.
    pub fn window(&self, window: &str) -> Result<Vec<u8>, String> {
        self.0.window(window).map_err(|failure| failure.json())
    }

    /// The interpreters' picture as far as it is.
    pub fn picture(&self) -> Result<Vec<u8>, String> {
        self.0.picture().map_err(|failure| failure.json())
    }

    /// Compares it with another picture of its size.
    pub fn compare(&mut self, theirs: &[u8], tolerance: u8) -> Result<String, String> {
        self.0.compare(theirs, tolerance).map_err(|failure| failure.json())
    }

    /// The picture of the last difference.
    pub fn difference(&mut self) -> Vec<u8> {
        self.0.difference()
    }
}

/// The texels of all levels of a test texture.
#[wasm_bindgen]
pub fn texture(number: u32) -> Vec<u8> {
    unshade::draw::levels(number)
}
