//! What a header says about the attribute space, and about the registers of a pixel.

use super::{Header, Layout};
use crate::attribute;

/// First bit of the map of inputs.
const IMAP: u32 = 160;
/// First bit of the map of outputs of stages that work on vertices.
const OMAP: u32 = 400;
/// First bit of the colours of a pixel.
const TARGETS: u32 = 576;

/// How a component of a pixel's input comes from the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// The program does not read it.
    Unused,
    /// The value of one vertex.
    Constant,
    /// Linear in space.
    Perspective,
    /// Linear on the screen.
    ScreenLinear,
}

impl Interpolation {
    /// What the lowest two bits mean.
    pub(super) fn of(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Unused,
            1 => Self::Constant,
            2 => Self::Perspective,
            _ => Self::ScreenLinear,
        }
    }

    /// Its name: `perspective`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Constant => "constant",
            Self::Perspective => "perspective",
            Self::ScreenLinear => "screen-linear",
        }
    }
}

/// What a register of a pixel is when the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PixelOutput {
    /// A component of a colour: target 0-7, component 0-3.
    Colour(u8, u8),
    /// Which samples are written.
    SampleMask,
    /// The depth.
    Depth,
}

/// A register with what it is when the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelRegister {
    /// Its number.
    pub register: u8,
    /// What it is.
    pub output: PixelOutput,
}

impl Header {
    /// Where the map of inputs keeps an address: its lowest bit and how many there are, 1 or 2. `None` for what
    /// it does not have, such as [`FrontFacing`](attribute::Attribute::FrontFacing).
    fn input_place(&self, address: u32) -> Option<(u32, u32)> {
        if !address.is_multiple_of(4) {
            return None;
        }
        let word = address / 4;
        match self.layout() {
            Layout::Vertices => (word < attribute::WORDS).then_some((IMAP + word, 1)),
            Layout::Pixels => Some(match word {
                0..32 => (IMAP + word, 1),
                32..160 => (192 + 2 * (word - 32), 2),
                160..168 => (448 + 2 * (word - 160), 2),
                176..192 => (464 + word - 176, 1),
                192..232 => (480 + 2 * (word - 192), 2),
                _ => return None,
            }),
            Layout::Other => None,
        }
    }

    /// Whether the header says that the program reads the word at an address of the attribute space; `None` where
    /// it has no place to say so.
    pub fn reads(&self, address: u32) -> Option<bool> {
        self.input_place(address).map(|(at, len)| self.bits(at, len) != 0)
    }

    /// How a pixel's input is interpolated, where the header says so.
    pub fn interpolation(&self, address: u32) -> Option<Interpolation> {
        self.input_place(address)
            .filter(|(_, len)| *len == 2)
            .map(|(at, len)| Interpolation::of(self.bits(at, len)))
    }

    /// Whether the header says that the program writes the word at an address of the attribute space; `None` where
    /// it has no place to say so.
    pub fn writes(&self, address: u32) -> Option<bool> {
        let word = Some(address / 4).filter(|word| address.is_multiple_of(4) && *word < attribute::WORDS);
        word.filter(|_| self.layout() == Layout::Vertices).map(|word| self.bit(OMAP + word))
    }

    /// Addresses of all inputs, ascending.
    pub fn inputs(&self) -> impl Iterator<Item = u32> + '_ {
        (0..attribute::WORDS).map(|word| 4 * word).filter(|address| self.reads(*address) == Some(true))
    }

    /// Addresses of all outputs of a stage that works on vertices, ascending.
    pub fn outputs(&self) -> impl Iterator<Item = u32> + '_ {
        (0..attribute::WORDS).map(|word| 4 * word).filter(|address| self.writes(*address) == Some(true))
    }

    /// Of each colour target the components that a pixel program writes, red as the lowest bit.
    pub fn targets(&self) -> [u8; 8] {
        let pixels = self.layout() == Layout::Pixels;
        std::array::from_fn(|target| if pixels { self.bits(TARGETS + 4 * target as u32, 4) as u8 } else { 0 })
    }

    /// Whether a pixel program says which samples are written.
    pub fn writes_sample_mask(&self) -> bool {
        self.layout() == Layout::Pixels && self.bit(608)
    }

    /// Whether a pixel program writes the depth.
    pub fn writes_depth(&self) -> bool {
        self.layout() == Layout::Pixels && self.bit(609)
    }

    /// What the registers of a pixel are when its program ends: the components of the colours that are written,
    /// one behind the other, then the mask of samples, then the depth. The mask keeps its register where only
    /// the depth is written (from the emulators; uam's programs agree).
    pub fn pixel_registers(&self) -> Vec<PixelRegister> {
        let mut found = Vec::new();
        let mut register = 0;
        for (target, components) in (0..).zip(self.targets()) {
            for component in (0..4).filter(|component| components >> component & 1 == 1) {
                found.push(PixelRegister { register, output: PixelOutput::Colour(target, component) });
                register += 1;
            }
        }
        if self.writes_sample_mask() {
            found.push(PixelRegister { register, output: PixelOutput::SampleMask });
        }
        if self.writes_depth() {
            found.push(PixelRegister { register: register + 1, output: PixelOutput::Depth });
        }
        found
    }
}
