//! `demo`: the tour on the samples inside the program.

use crate::{
    listing,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use unshade::{DecompileOptions, ListingOptions, Opened, apply_profile, profile_named, report};

/// A sample with what it is there to show.
struct Sample {
    name: &'static str,
    bytes: &'static [u8],
    shows: &'static str,
    item: &'static str,
    /// Who numbers the resources, where it is not who made the format.
    profile: Option<&'static str>,
}

const SAMPLES: &[Sample] = &[
    Sample {
        name: "shared_transform.shbin",
        bytes: include_bytes!("../../samples/shared_transform.shbin"),
        shows: "Nintendo 3DS: three programs that share one piece of code",
        item: "1",
        profile: None,
    },
    Sample {
        name: "particles.shbin",
        bytes: include_bytes!("../../samples/particles.shbin"),
        shows: "Nintendo 3DS: a geometry program",
        item: "0",
        profile: None,
    },
    Sample {
        name: "lambert.vert.mbs",
        bytes: include_bytes!("../../samples/lambert.vert.mbs"),
        shows: "Mali-400: a vertex program",
        item: "vert",
        profile: None,
    },
    Sample {
        name: "phong.frag.mbs",
        bytes: include_bytes!("../../samples/phong.frag.mbs"),
        shows: "Mali-400: a fragment program",
        item: "frag",
        profile: None,
    },
    Sample {
        name: "blur.gsh",
        bytes: include_bytes!("../../samples/blur.gsh"),
        shows: "Wii U: a pixel program, compiled by Mesa",
        item: "pixel0",
        profile: Some("mesa"),
    },
    Sample {
        name: "options.bfsha",
        bytes: include_bytes!("../../samples/options.bfsha"),
        shows: "Nintendo Switch: programs of a shading model",
        item: "options/0/fragment",
        profile: None,
    },
];

/// A model of the Switch with the archive that its materials want.
const MODEL: &[u8] = include_bytes!("../../samples/model.bfres");

/// Instructions of a listing that the tour shows.
const SHOWN: usize = 12;
/// Cases of the proof.
const CASES: u32 = 1024;

pub fn run(json: bool) -> Outcome {
    let mut good = true;
    let mut reports = Vec::new();
    for sample in SAMPLES {
        let failure = |error| Failure::file(sample.name.to_owned(), error);
        let opened = unshade::open(sample.bytes).map_err(failure)?;
        let verified = report::verify(&opened, None, CASES, 1);
        let roundtrip = report::roundtrip(sample.bytes, &opened);
        good &= roundtrip.identical && verified.stages.iter().all(|stage| stage.passed);
        if !json {
            output::print(&tour(sample, &opened, &roundtrip, &verified)?)?;
        }
        reports.push((sample.name.to_owned(), verified));
    }
    if json {
        output::print_json(&report::Document::new("verify", reports))?;
    } else {
        output::print(&shading_model()?)?;
        output::print(&format!(
            "{}\n  unshade --help\n  unshade decompile FILE\n",
            paint(style::BOLD, "Next, with a file of your own")
        ))?;
    }
    Ok(if good { Status::Good } else { Status::Bad })
}

/// An archive of shading models: which program a material is drawn with.
fn shading_model() -> Outcome<String> {
    let command = |text: &str| format!("{}\n", paint(style::DIM, format_args!("$ unshade {text}")));
    let mut text =
        format!("{}\n", paint(style::BOLD, "── Nintendo Switch: a material and its program in a BFSHA ──"));
    text.push_str(&command("pick model.bfres --material model.bfres:Mt_B"));
    let names = ["Mt_B".to_owned()];
    let found = report::pick_material(MODEL, &[], None, (MODEL, &names), &[])
        .map_err(|error| Failure::Text(format!("model.bfres: {error}")))?;
    text.push_str(&super::pick::material::text(&found));
    text.push('\n');
    Ok(text)
}

fn tour(
    sample: &Sample,
    opened: &Opened,
    roundtrip: &report::RoundtripReport,
    verified: &report::VerifyReport,
) -> Outcome<String> {
    let heading = |text: &str| format!("{}\n", paint(style::BOLD, text));
    let command = |text: String| format!("{}\n", paint(style::DIM, format_args!("$ unshade {text}")));
    let name = sample.name;
    let profile = sample.profile.map(|profile| format!(" --profile {profile}")).unwrap_or_default();
    let mut text = heading(&format!("── {} ──", sample.shows));
    text.push_str(&command(format!("ls {name}")));
    for item in report::items(opened, None).items {
        text.push_str(&format!(
            "{}  {:<8} {}  {} bytes, {} instructions\n",
            paint(style::NAME, &item.item),
            item.kind,
            item.isa,
            item.code_bytes,
            item.instructions
        ));
    }
    text.push('\n');
    for (inner, mut stage) in opened.stages(Some(sample.item)) {
        if let Some(profile) = sample.profile.and_then(profile_named) {
            apply_profile(&mut stage, profile);
        }
        let item = inner.item_name(&stage.id);
        text.push_str(&command(format!("disasm {name}{item}")));
        let listing = unshade::disassemble_stage(&stage, &ListingOptions::default());
        let coloured = listing::coloured(&listing);
        let code = listing.lines().position(|line| line.words.is_some()).unwrap_or_default();
        text.extend(coloured.lines().skip(code).take(SHOWN).flat_map(|line| [line, "\n"]));
        text.push_str(&paint(style::DIM, "…"));
        text.push_str("\n\n");
        text.push_str(&command(format!("decompile {name}{item}{profile}")));
        let options = DecompileOptions {
            header: vec![format!("{name}{item}: {} program, {}", stage.kind, stage.isa)],
            ..DecompileOptions::default()
        };
        let decompiled = unshade::decompile(&stage, &options)
            .map_err(|error| Failure::Text(format!("{name}: {error}")))?;
        text.push_str(&String::from_utf8_lossy(&decompiled.bytes()));
        text.push('\n');
    }
    text.push_str(&command(format!("verify {name} --cases {CASES}")));
    for stage in &verified.stages {
        let style = if stage.passed { style::GOOD } else { style::BAD };
        text.push_str(&format!("{} {}\n", paint(style::NAME, &stage.item), paint(style, &stage.verdict)));
    }
    text.push_str(&format!("\n{}", command(format!("roundtrip {name}"))));
    text.push_str(&match &roundtrip.difference {
        None => format!("{}\n\n", paint(style::GOOD, "identical")),
        Some(difference) => format!("{}\n\n", paint(style::BAD, difference)),
    });
    Ok(text)
}
