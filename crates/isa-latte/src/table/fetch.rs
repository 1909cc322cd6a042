//! Operations of fetches.

use super::numbered;

numbered! {
    /// Operation of a fetch instruction.
    FetchOp, u32 {
        /// From a buffer.
        VtxFetch = 0x00 "VTX_FETCH",
        /// From a buffer, into the register that belongs to a semantic number.
        VtxSemantic = 0x01 "VTX_SEMANTIC",
        /// From memory: scratch, reduction.
        Mem = 0x02 "MEM",
        /// A texel by integer coordinates.
        Ld = 0x03 "LD",
        /// Size of a level and number of levels.
        GetTextureInfo = 0x04 "GET_TEXTURE_INFO",
        /// Number of samples.
        GetSampleInfo = 0x05 "GET_SAMPLE_INFO",
        /// Level of detail that would be sampled.
        GetCompTexLod = 0x06 "GET_COMP_TEX_LOD",
        /// Difference to the pixel at the side.
        GetGradientsH = 0x07 "GET_GRADIENTS_H",
        /// Difference to the pixel above.
        GetGradientsV = 0x08 "GET_GRADIENTS_V",
        /// Weights of the filter.
        GetLerp = 0x09 "GET_LERP",
        /// Keeps the gradients for later samples.
        KeepGradients = 0x0A "KEEP_GRADIENTS",
        /// Horizontal gradients for the samples that follow.
        SetGradientsH = 0x0B "SET_GRADIENTS_H",
        /// Vertical gradients for the samples that follow.
        SetGradientsV = 0x0C "SET_GRADIENTS_V",
        /// Copy.
        Pass = 0x0D "PASS",
        /// Face or layer for cube map arrays.
        SetCubemapIndex = 0x0E "SET_CUBEMAP_INDEX",
        /// One component of four texels.
        Fetch4 = 0x0F "FETCH4",
        /// Level of detail from the quad.
        Sample = 0x10 "SAMPLE",
        /// Level of detail given.
        SampleL = 0x11 "SAMPLE_L",
        /// Bias given.
        SampleLb = 0x12 "SAMPLE_LB",
        /// Level 0.
        SampleLz = 0x13 "SAMPLE_LZ",
        /// Gradients given.
        SampleG = 0x14 "SAMPLE_G",
        /// Gradients and level given.
        SampleGL = 0x15 "SAMPLE_G_L",
        /// Gradients and bias given.
        SampleGLb = 0x16 "SAMPLE_G_LB",
        /// Gradients given, level 0.
        SampleGLz = 0x17 "SAMPLE_G_LZ",
        /// Compares with a reference.
        SampleC = 0x18 "SAMPLE_C",
        /// Compares, level given.
        SampleCL = 0x19 "SAMPLE_C_L",
        /// Compares, bias given.
        SampleCLb = 0x1A "SAMPLE_C_LB",
        /// Compares at level 0.
        SampleCLz = 0x1B "SAMPLE_C_LZ",
        /// Compares, gradients given.
        SampleCG = 0x1C "SAMPLE_C_G",
        /// Compares, gradients and level given.
        SampleCGL = 0x1D "SAMPLE_C_G_L",
        /// Compares, gradients and bias given.
        SampleCGLb = 0x1E "SAMPLE_C_G_LB",
        /// Compares, gradients given, level 0.
        SampleCGLz = 0x1F "SAMPLE_C_G_LZ",
    }
}

impl FetchOp {
    /// Its name in texts, where fetches from buffers have names of their own.
    pub(crate) fn spelling(self) -> &'static str {
        match self {
            Self::VtxFetch => "FETCH",
            Self::VtxSemantic => "SEMANTIC",
            _ => self.name(),
        }
    }

    /// The one that a text spells so, or by its name.
    pub(crate) fn spelled(name: &str) -> Option<Self> {
        Self::named(name).or_else(|| Self::ALL.iter().copied().find(|op| op.spelling() == name))
    }

    /// Whether the instruction has the layout of a buffer fetch.
    #[inline]
    pub fn is_buffer(self) -> bool {
        matches!(self, Self::VtxFetch | Self::VtxSemantic)
    }

    /// Whether it samples a texture with filtering.
    #[inline]
    pub fn is_sample(self) -> bool {
        self.number() >= 0x0F
    }

    /// Whether it compares with a reference.
    #[inline]
    pub fn compares(self) -> bool {
        self.number() >= 0x18
    }
}
