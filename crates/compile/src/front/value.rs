//! What expressions are while a program is walked: vectors of lanes, matrices, and what is made of them.

use crate::vector::{Lane, Lanes, Op, build::Builder};
use smallvec::{SmallVec, smallvec};

/// A value of the source.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, a truth, or a vector of them.
    Vector(Lanes),
    /// A matrix.
    Matrix(Matrix),
    /// Elements of an array or members of a struct.
    List(Vec<Value>),
    /// A place in memory.
    Pointer(Pointer),
}

/// A matrix.
#[derive(Debug, Clone, PartialEq)]
pub enum Matrix {
    /// All numbers, column by column.
    Columns(SmallVec<[Lanes; 4]>),
    /// A product that nobody has needed as numbers so far: mostly it is multiplied by a vector, which is cheaper from the
    /// right.
    Product(Box<Self>, Box<Self>),
}

/// Where something lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// The variable.
    pub root: Root,
    /// The way into it.
    pub path: SmallVec<[Step; 4]>,
}

/// What a pointer starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// Index into the variables of the walk.
    Variable(usize),
    /// Index into the uniforms of the interface's tree.
    Uniform(usize),
}

/// A step of the way into a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// Member, element, column or component.
    Fixed(u32),
    /// Element, column or component by a number that the program computes.
    Computed(Lane),
}

impl Value {
    /// A single lane.
    pub fn lane(lane: Lane) -> Self {
        Self::Vector(smallvec![lane])
    }

    /// All lanes in order, for what has no lazy part.
    pub fn for_each_lane(&self, visit: &mut impl FnMut(Lane)) {
        match self {
            Self::Vector(lanes) => lanes.iter().for_each(|lane| visit(*lane)),
            Self::Matrix(matrix) => matrix.for_each_lane(visit),
            Self::List(list) => list.iter().for_each(|value| value.for_each_lane(visit)),
            Self::Pointer(_) => {}
        }
    }
}

impl Matrix {
    fn for_each_lane(&self, visit: &mut impl FnMut(Lane)) {
        match self {
            Self::Columns(columns) => columns.iter().flatten().for_each(|lane| visit(*lane)),
            Self::Product(a, b) => {
                a.for_each_lane(visit);
                b.for_each_lane(visit);
            }
        }
    }

    /// The numbers, column by column.
    pub fn columns(&self, builder: &mut Builder) -> SmallVec<[Lanes; 4]> {
        match self {
            Self::Columns(columns) => columns.clone(),
            Self::Product(a, b) => {
                let columns = b.columns(builder);
                columns.iter().map(|column| a.times_vector(column, builder)).collect()
            }
        }
    }

    /// The numbers, row by row.
    pub fn rows(&self, builder: &mut Builder) -> SmallVec<[Lanes; 4]> {
        transposed(&self.columns(builder))
    }

    /// Matrix times column vector.
    pub fn times_vector(&self, vector: &Lanes, builder: &mut Builder) -> Lanes {
        let columns = match self {
            Self::Product(a, b) => {
                let inner = b.times_vector(vector, builder);
                return a.times_vector(&inner, builder);
            }
            Self::Columns(columns) => columns,
        };
        combine(columns, vector, builder)
    }

    /// Row vector times matrix.
    pub fn vector_times(&self, vector: &Lanes, builder: &mut Builder) -> Lanes {
        match self {
            Self::Product(a, b) => {
                let inner = a.vector_times(vector, builder);
                b.vector_times(&inner, builder)
            }
            Self::Columns(columns) => combine(&transposed(columns), vector, builder),
        }
    }

    /// The matrix with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self, builder: &mut Builder) -> Self {
        Self::Columns(self.rows(builder))
    }
}

/// Rows of columns.
pub fn transposed(columns: &[Lanes]) -> SmallVec<[Lanes; 4]> {
    let height = columns.first().map_or(0, SmallVec::len);
    (0..height)
        .map(|row| columns.iter().map(|column| column.get(row).copied().unwrap_or(Lane::ZERO)).collect())
        .collect()
}

/// Columns times the components of a vector, added: by scalar products where rows lie in registers, else column by column.
fn combine(columns: &[Lanes], vector: &Lanes, builder: &mut Builder) -> Lanes {
    let rows = transposed(columns);
    let alike = |lists: &[Lanes]| {
        lists
            .iter()
            .filter(|list| {
                let first = crate::vector::build::source(list.first().copied());
                list.iter().all(|lane| crate::vector::build::source(Some(*lane)) == first)
            })
            .count()
    };
    if alike(&rows) == rows.len() || alike(columns) < columns.len() {
        return rows.iter().map(|row| builder.dot(row, vector)).collect();
    }
    let width = rows.len();
    let mut sum: Lanes = smallvec![Lane::ZERO; width];
    // What is taken once comes first, so that the rest multiplies and adds.
    let mut parts: Vec<(&Lanes, Lane)> = columns.iter().zip(vector.iter().copied()).collect();
    parts.sort_by_key(|(_, factor)| !factor.is(1.0));
    for (column, factor) in parts {
        let product = builder.lanewise(Op::Mul, &[column.clone(), smallvec![factor; width]]);
        sum = builder.lanewise(Op::Add, &[sum, product]);
    }
    sum
}
