//! Programs of the Switch.

mod assembly;
mod directed;
mod drawn;
mod kernels;
mod lift;
mod reasons;
mod stages;
mod sweep;
mod vectors;
mod verify;
mod wide;
mod words;

use unshade::{Code, Isa, Stage};

/// A fragment program of this text, between the inputs and outputs of a small one.
fn fragment(text: &str) -> Stage<'static> {
    let path = unshade_corpus::sample("texture.frag.dksh");
    let opened = unshade::open(&std::fs::read(path).unwrap()).unwrap();
    let sample = opened.stages(None).next().unwrap().1.into_owned();
    let code = unshade::assemble_code(Isa::Maxwell, text)
        .unwrap_or_else(|findings| panic!("{:?}", findings.first()));
    let words = unshade::words_from_bytes(&code).unwrap();
    Stage { code: Code { words: words.into(), ..Code::default() }, ..sample }
}
