//! A program drawn by the interpreters: the picture of a simple mesh, as a graphics processor would draw it with the
//! machine's own code.
//!
//! A [`Pair`] is what is drawn: a vertex and a fragment program, each the machine's code, or a stand-in for what the file
//! has not. It has the GLSL of both as well, so that somebody with a graphics processor can draw the same;
//! [`Difference`] says how far the two pictures are apart. A [`Scene`] is what both get: mesh, uniforms by their names in the
//! GLSL, size. A [`Drawing`] runs in slices, so that whoever waits can do other things in between.
//!
//! Everything is as OpenGL ES 3.0 has it: y upwards, clip space from -w to w, pixels covered by their centre and by the
//! top-left rule, vertices on a grid of 1/256 pixel, attributes interpolated with perspective, quads of 2x2 pixels with helper
//! pixels beside the triangle, the nearest depth wins, flat inputs from the last vertex. No faces are culled.

mod difference;
mod inputs;
mod mesh;
mod pair;
mod pixels;
mod raster;
mod scene;
mod stand_in;
mod textures;
mod uniforms;
mod vertices;

pub use difference::{Difference, difference};
pub use mesh::{MESHES, Mesh, mesh};
pub use pair::{Attribute, Pair, PairError, Sampled};
pub use scene::{Drawing, Given, Picture, Progress, Scene, SceneError};
pub use textures::{LEVELS, SIDE, levels};
pub use uniforms::{Role, Uniform};
