//! Registers and inputs of pixels.

/// Four components, x y z w.
pub type Vector = [f32; 4];

/// One pixel: what it reads and writes. All fields are free to set before a run and to read after it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lane {
    /// `$0` to `$11`. `$0` is the colour when the program stops.
    pub registers: [Vector; 12],
    /// Varyings, interpolated, float by float.
    pub varyings: Vec<f32>,
    /// gl_FragCoord as the hardware gives it: w is not inverted yet.
    pub frag_coord: Vector,
    /// gl_PointCoord as the hardware gives it.
    pub point_coord: [f32; 2],
    /// gl_FrontFacing: 1 or 0.
    pub front_facing: f32,
    /// Colour of the pixel in the framebuffer.
    pub framebuffer_color: Vector,
    /// Depth of the pixel in the framebuffer.
    pub framebuffer_depth: f32,
    /// Temporaries, float by float, from the first that the program can mean
    /// ([`Reach::temporaries`](super::super::reach::Reach::temporaries)). Made at the start of a run.
    pub temporaries: Vec<f32>,
}

/// A quad: lanes 0 to 3 are the pixels (0, 0), (1, 0), (0, 1), (1, 1), y upwards.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// The pixels.
    pub lanes: [Lane; 4],
    /// Uniforms, float by float.
    pub uniforms: Vec<f32>,
}
