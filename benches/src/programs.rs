//! What the rows work on: the project's own samples, and a long program made from one of them.

use unshade::pica200::asm::{self, Assembly, Source};

/// Small files of several kinds.
pub const SMALL: &[&[u8]] = &[
    include_bytes!("../../samples/passthrough.shbin"),
    include_bytes!("../../samples/loops.shbin"),
    include_bytes!("../../samples/shared_transform.shbin"),
    include_bytes!("../../samples/particles.shbin"),
    include_bytes!("../../samples/lighting.shbin"),
];

/// Assembles one source.
pub fn assemble(text: &str) -> Result<Assembly, String> {
    asm::assemble(&[Source { name: "bench.v.pica", text }], asm::Options::default())
        .map_err(|findings| findings.first().map(ToString::to_string).unwrap_or_default())
}

/// A source with as many instructions as a vertex program may have (512 words), of the kinds that real
/// programs are made of.
pub fn long_source() -> String {
    let mut text = String::from(
        ".fvec rows[16], tint\n.in position\n.in normal\n.out out0 position\n.out out1 color\n.proc main\n\tmov r0, position\n\tmov r1, normal\n",
    );
    for step in 0..41 {
        let (a, b) = (step % 6 + 2, (step + 1) % 6 + 2);
        let row = step % 4 * 4;
        text.push_str(&format!(
            "\tdp4 r{a}.x, rows[{row}], r0\n\tdp4 r{a}.y, rows[{}], r0\n\tdp4 r{a}.z, rows[{}], r0\n\tdp4 r{a}.w, rows[{}], r0\n",
            row + 1, row + 2, row + 3
        ));
        text.push_str(&format!(
            "\tdp3 r8.x, r{a}, r1\n\tmax r8.x, r8, r1\n\trsq r8.y, r8.x\n\tmul r{b}.xyz, r{a}, r8.y\n\tmad r0, r{a}, tint, r0\n\tadd r1.xyz, -rows[{row}], r{b}\n\tmin r1, tint, r1\n\tmov r9.xy, r{b}.wzyx\n",
        ));
    }
    text.push_str("\tmov out0, r0\n\tmov out1, r1\n\tend\n.end\n");
    text
}
