//! What a printer gives: the text and the description of its interface.

use unshade_ir::Space;
use unshade_ir::ast::Scalar;

/// A printed program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// The text, lines ended by `\n`.
    pub text: String,
    /// Inputs, outputs and uniforms, in the order of [`unshade_ir::ast::Program::globals`].
    pub interface: Vec<Binding>,
    /// Lines of the text, counted from 0, with the machine instructions that they come from, as indices in words from the
    /// start of the code; ascending. Only our own printer knows them.
    pub lines: Vec<(u32, u32)>,
    /// What the functions are called in the text, each with the names of its locals, in the order of
    /// [`unshade_ir::ast::Program::functions`]. Only our own printer says them.
    pub locals: Vec<(String, Vec<String>)>,
}

/// A program in a binary language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binary {
    /// The words in the machine's own byte order; SPIR-V files are these words in either order.
    pub words: Vec<u32>,
    /// Inputs, outputs and uniforms, in the order of [`unshade_ir::ast::Program::globals`].
    pub interface: Vec<Binding>,
}

impl Binary {
    /// The words as bytes, least significant byte first.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// A name of the printed program: where the surrounding program puts or finds its value, and which words
/// of the machine it stands for. A test harness feeds the machine's registers through this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// Name of the global in the printed text. The languages that naga writes may append `_` to it.
    pub name: String,
    /// What it is.
    pub kind: BindingKind,
    /// Kind of the components. In a buffer a truth value is a 32-bit word, true where it is not 0.
    pub scalar: Scalar,
    /// Components of the value, of an element or of a row, 1-4.
    pub components: u8,
    /// Elements of an array or rows of a matrix; 0: neither.
    pub elements: u32,
    /// Whether the elements are the rows of a matrix. In a buffer the rows follow each other 16 bytes
    /// apart (`row_major`); a matrix input takes one location for each row.
    pub matrix: bool,
    /// Whether the rows of a matrix are its columns instead, those of all matrices of an array one after the
    /// other; in a buffer they are 16 bytes apart too (`column_major`).
    pub by_column: bool,
    /// Of an input of a fragment program: it is not interpolated.
    pub flat: bool,
    /// The machine words it stands for.
    pub machine: MachineWords,
}

/// Size of the matrices of a [`Binding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixSize {
    /// Columns, 2-4.
    pub columns: u8,
    /// Rows, 2-4.
    pub rows: u8,
    /// How many there are.
    pub count: u32,
}

impl Binding {
    /// The size of its matrices, if it has some. Matrices by columns that follow each other are as wide as they are high where
    /// that comes out even.
    pub fn matrix_size(&self) -> Option<MatrixSize> {
        let (components, elements) = (self.components.max(1), self.elements.max(1));
        let side = u8::try_from(elements.min(4)).unwrap_or(4);
        let (columns, rows) = match (self.matrix, self.by_column) {
            (false, _) => return None,
            (true, false) => (components, side),
            (true, true) if elements.is_multiple_of(u32::from(components)) => (components, components),
            (true, true) => (side, components),
        };
        let count = if self.by_column { elements / u32::from(columns) } else { 1 };
        Some(MatrixSize { columns, rows, count })
    }

    /// Its type as GLSL writes it: `mat4`, `ivec2[3]`. A texture or an image has none of its own here.
    pub fn type_name(&self) -> String {
        let (one, many) = match self.scalar {
            Scalar::Float => ("float", ""),
            Scalar::Double => ("double", "d"),
            Scalar::Int => ("int", "i"),
            Scalar::Uint => ("uint", "u"),
            Scalar::Bool => ("bool", "b"),
        };
        let (name, elements) = match self.matrix_size() {
            Some(MatrixSize { columns, rows, count }) => {
                let size = if columns == rows { columns.to_string() } else { format!("{columns}x{rows}") };
                (format!("{many}mat{size}"), if count > 1 { count } else { 0 })
            }
            None if self.components <= 1 => (one.to_owned(), self.elements),
            None => (format!("{many}vec{}", self.components), self.elements),
        };
        if elements == 0 { name } else { format!("{name}[{elements}]") }
    }
}

/// The way a [`Binding`] takes between the program and its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BindingKind {
    /// Attribute or output of the stage before; elements take consecutive locations.
    Input {
        /// First location; `None` where the language links by name.
        location: Option<u32>,
        /// First component inside the location.
        component: u8,
    },
    /// An input that the pipeline makes (`gl_FragCoord`, `gl_VertexID`), or an output that it reads
    /// (`gl_FragDepth`, `gl_Layer`) beside position and size of points.
    BuiltIn,
    /// An output that no language has: a variable that nobody reads.
    Ignored,
    /// Output to the next stage; elements take consecutive locations.
    Output {
        /// First location; `None` where the language links by name.
        location: Option<u32>,
        /// First component inside the location.
        component: u8,
    },
    /// The position that the rasteriser reads, or some components of it.
    Position {
        /// First component.
        component: u8,
    },
    /// The size of points.
    PointSize,
    /// Uniform that is declared by itself and set by its name.
    Loose,
    /// Texture with its sampler.
    Sampler {
        /// Binding number; `None` where it is set by its name.
        binding: Option<u32>,
    },
    /// Image that is read and written.
    Image {
        /// Binding number; `None` where it is set by its name.
        binding: Option<u32>,
    },
    /// Member of a uniform buffer, laid out by the rules of std140.
    Uniform {
        /// Name of the block; `None`: the buffer of the loose uniforms.
        block: Option<String>,
        /// Binding number of the buffer; `None` where the language leaves it to the caller.
        binding: Option<u32>,
        /// From the start of the buffer, in bytes.
        offset: u32,
        /// From one element or row to the next, in bytes; 0: no elements.
        stride: u32,
        /// Size with all elements, in bytes.
        size: u32,
    },
    /// A constant of the file: nothing to feed.
    Constant,
}

/// Words of an address space of the machine: component `k` of element `i` is word
/// `first + stride * i + k`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MachineWords {
    /// Address space.
    pub space: Space,
    /// Buffer or register file of the space, as in [`unshade_ir::Access`].
    pub binding: u32,
    /// First 32-bit word.
    pub first: u32,
    /// Words from one element to the next: 4, for truth values 1.
    pub stride: u32,
    /// An integer or truth value is in its word as a float.
    pub as_float: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(scalar: Scalar, components: u8, elements: u32, matrix: bool, by_column: bool) -> String {
        let machine =
            MachineWords { space: Space::Uniform, binding: 0, first: 0, stride: 4, as_float: false };
        let kind = BindingKind::Loose;
        let (name, flat) = (String::new(), false);
        Binding { name, kind, scalar, components, elements, matrix, by_column, flat, machine }.type_name()
    }

    #[test]
    fn types_are_those_that_the_source_declares() {
        assert_eq!(named(Scalar::Float, 1, 0, false, false), "float");
        assert_eq!(named(Scalar::Int, 2, 3, false, false), "ivec2[3]");
        assert_eq!(named(Scalar::Float, 4, 4, true, false), "mat4");
        // Three rows of four components are four columns of three rows.
        assert_eq!(named(Scalar::Float, 4, 3, true, false), "mat4x3");
        assert_eq!(named(Scalar::Float, 3, 4, true, true), "mat4x3");
        assert_eq!(named(Scalar::Float, 4, 40, true, true), "mat4[10]");
        assert_eq!(named(Scalar::Double, 3, 3, true, true), "dmat3");
    }
}
