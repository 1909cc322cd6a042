//! `unshade-web-bindgen IN.wasm FOLDER`: the module that a browser loads, and the JavaScript that calls it.

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let input = arguments.next().context("expected the path of a wasm file, found nothing")?;
    let folder = arguments.next().context("expected the folder to write to, found nothing")?;
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(true)
        // Binaryen orders functions by their names, and drops these then.
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate(folder)
}
