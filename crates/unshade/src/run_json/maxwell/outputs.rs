//! What is there after a run.

use super::super::compare::{Memory, Output, Outputs};
use super::super::words::text;
use super::super::{Document, RunJsonError};
use std::collections::BTreeMap;
use unshade_isa::maxwell::Header;
use unshade_isa::maxwell::exec::{Attributes, Event, Lane, Resources};
use unshade_isa::maxwell::header::{PixelOutput, Topology};
use unshade_isa::texture::Pictures;
use unshade_stage::StageKind;

/// All lanes after a run, in order.
pub(crate) struct Results {
    pub(crate) stage: StageKind,
    pub(crate) header: Option<Header>,
    pub(crate) lanes: Vec<Lane>,
}

impl Default for Results {
    fn default() -> Self {
        Self { stage: StageKind::Compute, header: None, lanes: Vec::new() }
    }
}

fn memory(attributes: &Attributes) -> Memory {
    attributes.iter().map(|(address, word)| (address.into(), word)).collect()
}

impl Results {
    /// What left the program.
    pub(crate) fn outputs(
        &self,
        resources: &Resources,
        pictures: &Pictures,
        document: &Document,
    ) -> Result<Outputs, RunJsonError> {
        let written = || self.lanes.iter().map(|lane| Some(memory(&lane.outputs))).collect();
        let mut spaces = Vec::new();
        match self.stage {
            StageKind::Vertex | StageKind::TessEval => spaces.push(("a", Output::Memory(written()))),
            StageKind::TessControl => {
                spaces.push(("av", Output::Memory(written())));
                spaces.push(("p", Output::Memory(vec![Some(memory(&resources.patch))])));
            }
            StageKind::Fragment => {
                spaces.push(("discard", Output::Flags(self.lanes.iter().map(|lane| lane.killed).collect())));
                spaces.push(("r", Output::Lanes(self.registers())));
            }
            StageKind::Geometry => {
                spaces.push(("vertices", Output::Vertex(self.vertices(document)?)));
            }
            StageKind::Compute => {}
        }
        let global = &resources.global;
        if !global.regions.is_empty() || !global.overlay.is_empty() {
            let listed = global.regions.iter().flat_map(|(address, words)| {
                (0..).zip(words).map(move |(n, word): (u64, &u32)| (address.saturating_add(4 * n), *word))
            });
            let others = global.overlay.iter().map(|(address, word)| (*address, *word));
            spaces.push(("g", Output::Memory(vec![Some(others.chain(listed).collect())])));
        }
        if !pictures.images.is_empty() {
            let images = pictures.images.iter().map(|(handle, image)| {
                let words = image
                    .bytes
                    .chunks(4)
                    .map(|bytes| bytes.iter().rev().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)));
                (format!("{handle:08x}"), vec![Some(words.collect())])
            });
            spaces.push(("img", Output::Named(images.collect())));
        }
        Ok(Outputs { spaces })
    }

    /// The registers of pixels at the start of each result.
    fn registers(&self) -> BTreeMap<u32, Vec<Option<Vec<u32>>>> {
        let results = self.header.map(|header| header.pixel_registers()).unwrap_or_default();
        let mut starts: BTreeMap<u32, (u32, bool)> = BTreeMap::new();
        let mut colour = None;
        for result in &results {
            let register = u32::from(result.register);
            match result.output {
                PixelOutput::Colour(target, _) if colour.is_some_and(|(known, _)| known == target) => {
                    if let Some((_, first)) = colour
                        && let Some((count, _)) = starts.get_mut(&first)
                    {
                        *count += 1;
                    }
                }
                PixelOutput::Colour(target, _) => {
                    colour = Some((target, register));
                    starts.insert(register, (1, false));
                }
                PixelOutput::SampleMask => {
                    starts.insert(register, (1, false));
                }
                PixelOutput::Depth => {
                    starts.insert(register, (1, true));
                }
            }
        }
        if results.is_empty() {
            // Bare code: what a program with one colour would give.
            starts.insert(0, (4, false));
        }
        let value = |lane: &Lane, first: u32, count: u32, depth: bool| -> Vec<u32> {
            let registers =
                (first..first + count).map(|n| lane.registers.get(n as usize).copied().unwrap_or(0));
            let clamped = |word: u32| {
                let depth = f32::from_bits(word);
                if depth > 0.0 { depth.min(1.0) } else { 0.0 }.to_bits()
            };
            registers.map(|word| if depth { clamped(word) } else { word }).collect()
        };
        starts
            .into_iter()
            .map(|(first, (count, depth))| {
                let lanes = self.lanes.iter();
                let lanes = lanes.map(|lane| (!lane.killed).then(|| value(lane, first, count, depth)));
                (first, lanes.collect())
            })
            .collect()
    }

    /// The vertices of a geometry program, of the streams that its header writes: those of separate points, lines
    /// or triangles. Every second triangle of a strip starts with its second vertex, so that all have the same
    /// winding. What is too short for a primitive is dropped.
    fn vertices(&self, document: &Document) -> Result<Vec<Memory>, RunJsonError> {
        let named = document.header.get("prim_out").map(|value| text(value, "prim_out")).transpose()?;
        let count = match (named, self.header.map(|header| header.topology())) {
            (Some("points"), _) | (None, Some(Topology::Points)) => 1,
            (Some("line_strip"), _) | (None, Some(Topology::LineStrip)) => 2,
            (Some("triangle_strip"), _) | (None, _) => 3,
            (Some(other), _) => {
                let message = format!("expected points, line_strip or triangle_strip, found {other:?}");
                return Err(RunJsonError::new("prim_out", message));
            }
        };
        let streams = self.header.map_or(15, |header| header.streams());
        let mut vertices = Vec::new();
        for lane in &self.lanes {
            let mut strips: BTreeMap<u32, Vec<Memory>> = BTreeMap::new();
            for event in &lane.events {
                match event {
                    Event::Vertex { stream, .. } if streams >> (stream & 3) & 1 == 0 => {}
                    Event::Vertex { stream, outputs } => {
                        strips.entry(*stream).or_default().push(memory(outputs));
                    }
                    Event::Cut { stream } => {
                        split(&strips.remove(stream).unwrap_or_default(), count, &mut vertices);
                    }
                }
            }
            for strip in strips.values() {
                split(strip, count, &mut vertices);
            }
        }
        Ok(vertices)
    }
}

fn split(strip: &[Memory], count: usize, vertices: &mut Vec<Memory>) {
    for (n, window) in strip.windows(count).enumerate() {
        match window {
            [a, b, c] if n % 2 == 1 => vertices.extend([b, a, c].map(Memory::clone)),
            window => vertices.extend(window.iter().cloned()),
        }
    }
}
