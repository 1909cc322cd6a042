//! How types are written.

use super::{Dimension, Handle, Length, Opaque, Scalar, Type, Types};

impl Scalar {
    /// The word of the language: `float`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8_t",
            Self::Uint8 => "uint8_t",
            Self::Int16 => "int16_t",
            Self::Uint16 => "uint16_t",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Int64 => "int64_t",
            Self::Uint64 => "uint64_t",
            Self::Float16 => "float16_t",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// What stands in front of `vec`: `i` of `ivec3`.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Bool => "b",
            Self::Int8 => "i8",
            Self::Uint8 => "u8",
            Self::Int16 => "i16",
            Self::Uint16 => "u16",
            Self::Int => "i",
            Self::Uint => "u",
            Self::Int64 => "i64",
            Self::Uint64 => "u64",
            Self::Float16 => "f16",
            Self::Float => "",
            Self::Double => "d",
        }
    }
}

impl Opaque {
    /// The word of the language: `usampler2DArray`.
    pub fn name(self) -> String {
        let prefix = self.component.prefix();
        let samples = if self.is_multisampled { "MS" } else { "" };
        let head = match self.handle {
            Handle::Sampler => return if self.is_shadow { "samplerShadow" } else { "sampler" }.to_owned(),
            Handle::Subpass => return format!("{prefix}subpassInput{samples}"),
            Handle::Combined => "sampler",
            Handle::Texture => "texture",
            Handle::Image => "image",
        };
        let shape = match self.dimension {
            Dimension::D1 => "1D",
            Dimension::D2 => "2D",
            Dimension::D3 => "3D",
            Dimension::Cube => "Cube",
            Dimension::Rectangle => "2DRect",
            Dimension::Buffer => "Buffer",
            Dimension::External => "ExternalOES",
        };
        let array = if self.is_array { "Array" } else { "" };
        let shadow = if self.is_shadow { "Shadow" } else { "" };
        format!("{prefix}{head}{shape}{samples}{array}{shadow}")
    }

    /// The type of a word of the language.
    pub fn by_name(name: &str) -> Option<Self> {
        let (component, rest) = prefixed(name);
        let handle = |handle| Self {
            handle,
            dimension: Dimension::D2,
            is_array: false,
            is_multisampled: false,
            is_shadow: false,
            component,
        };
        match rest {
            "sampler" if component == Scalar::Float => return Some(handle(Handle::Sampler)),
            "samplerShadow" if component == Scalar::Float => {
                return Some(Self { is_shadow: true, ..handle(Handle::Sampler) });
            }
            "subpassInput" => return Some(handle(Handle::Subpass)),
            "subpassInputMS" => return Some(Self { is_multisampled: true, ..handle(Handle::Subpass) }),
            _ => {}
        }
        let (kind, mut shape) =
            [("sampler", Handle::Combined), ("texture", Handle::Texture), ("image", Handle::Image)]
                .into_iter()
                .find_map(|(word, kind)| rest.strip_prefix(word).map(|shape| (kind, shape)))?;
        let mut opaque = handle(kind);
        if kind != Handle::Image
            && component == Scalar::Float
            && let Some(rest) = shape.strip_suffix("Shadow")
        {
            (opaque.is_shadow, shape) = (true, rest);
        }
        if let Some(rest) = shape.strip_suffix("Array") {
            (opaque.is_array, shape) = (true, rest);
        }
        if let Some(rest) = shape.strip_suffix("MS") {
            (opaque.is_multisampled, shape) = (true, rest);
        }
        opaque.dimension = match shape {
            "1D" => Dimension::D1,
            "2D" => Dimension::D2,
            "3D" => Dimension::D3,
            "Cube" => Dimension::Cube,
            "2DRect" => Dimension::Rectangle,
            "Buffer" => Dimension::Buffer,
            "ExternalOES" if kind == Handle::Combined => Dimension::External,
            _ => return None,
        };
        let plain = !opaque.is_array && !opaque.is_shadow && !opaque.is_multisampled;
        let fits = match opaque.dimension {
            Dimension::D1 => !opaque.is_multisampled,
            Dimension::D2 => !(opaque.is_multisampled && opaque.is_shadow),
            Dimension::Cube => !opaque.is_multisampled,
            Dimension::Rectangle => !opaque.is_array && !opaque.is_multisampled,
            Dimension::D3 | Dimension::Buffer => plain,
            Dimension::External => plain && component == Scalar::Float,
        };
        let wide = matches!(component, Scalar::Int64 | Scalar::Uint64);
        (fits && (!wide || kind == Handle::Image)).then_some(opaque)
    }
}

fn prefixed(name: &str) -> (Scalar, &str) {
    for (prefix, scalar) in [("i64", Scalar::Int64), ("u64", Scalar::Uint64), ("f16", Scalar::Float16)] {
        if let Some(rest) = name.strip_prefix(prefix) {
            return (scalar, rest);
        }
    }
    match name.as_bytes() {
        [b'i', b'm', ..] => (Scalar::Float, name),
        [b'i', ..] => (Scalar::Int, name.get(1..).unwrap_or("")),
        [b'u', ..] => (Scalar::Uint, name.get(1..).unwrap_or("")),
        _ => (Scalar::Float, name),
    }
}

impl Type {
    /// The type of a word of the language, but for structures: `mat3x4`, `f16vec2`, `isampler2D`.
    pub fn by_name(name: &str) -> Option<Self> {
        if let Some(scalar) = Scalar::ALL.into_iter().find(|scalar| scalar.name() == name) {
            return Some(Self::Scalar(scalar));
        }
        match name {
            "void" => return Some(Self::Void),
            "atomic_uint" => return Some(Self::AtomicCounter),
            "int32_t" => return Some(Self::INT),
            "uint32_t" => return Some(Self::UINT),
            "float32_t" => return Some(Self::FLOAT),
            "float64_t" => return Some(Self::DOUBLE),
            _ => {}
        }
        let number = |digit: &u8| matches!(digit, b'2'..=b'4').then(|| digit - b'0');
        if let Some(at) = name.find("vec").filter(|at| *at <= 3 && name.len() == at + 4) {
            let scalar = match name.get(..at)? {
                "i32" => Some(Scalar::Int),
                "u32" => Some(Scalar::Uint),
                "f32" => Some(Scalar::Float),
                "f64" => Some(Scalar::Double),
                prefix => Scalar::ALL.into_iter().find(|scalar| scalar.prefix() == prefix),
            }?;
            return Some(Self::Vector(scalar, number(name.as_bytes().last()?)?));
        }
        if let Some(at) = name.find("mat").filter(|at| *at <= 3) {
            let scalar = match name.get(..at)? {
                "" | "f32" => Scalar::Float,
                "d" | "f64" => Scalar::Double,
                "f16" => Scalar::Float16,
                _ => return None,
            };
            return match name.as_bytes().get(at + 3..)? {
                [size] => number(size).map(|size| Self::Matrix(scalar, size, size)),
                [columns, b'x', rows] => Some(Self::Matrix(scalar, number(columns)?, number(rows)?)),
                _ => None,
            };
        }
        Opaque::by_name(name).map(Self::Opaque)
    }
}

impl Types {
    /// The type as it is written: `vec3`, `Light[4]`, `float[2][3]`.
    pub fn name(&self, ty: Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Scalar(scalar) => scalar.name().to_owned(),
            Type::Vector(scalar, size) => format!("{}vec{size}", scalar.prefix()),
            Type::Matrix(scalar, columns, rows) if columns == rows => {
                format!("{}mat{columns}", scalar.prefix())
            }
            Type::Matrix(scalar, columns, rows) => format!("{}mat{columns}x{rows}", scalar.prefix()),
            Type::Struct(id) => match self.structure(id) {
                structure if structure.name.is_empty() => "struct without a name".to_owned(),
                structure => structure.name.clone(),
            },
            Type::Opaque(opaque) => opaque.name(),
            Type::AtomicCounter => "atomic_uint".to_owned(),
            Type::Array(_) => {
                let mut name = self.name(self.innermost(ty));
                let mut inner = ty;
                while let Type::Array(id) = inner {
                    let array = self.get_array(id);
                    match array.length {
                        Length::Known(count) | Length::Specialized(count, _) => {
                            name.push_str(&format!("[{count}]"))
                        }
                        Length::Implicit | Length::Runtime => name.push_str("[]"),
                    }
                    inner = array.element;
                }
                name
            }
        }
    }
}
