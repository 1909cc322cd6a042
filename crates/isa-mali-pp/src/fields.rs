//! The bits of every word by name. A field is kept as its bits, so nothing of it can be lost; these types give
//! names to the bits. Where a field has several forms, each form is a type over the same bits and names **all** of
//! them.

use unshade_isa_common::packed::packed;

packed! {
    /// The control word in front of every instruction.
    Control(u32) {
        /// Words of the instruction, this one included.
        count, with_count: 0 + 5,
        /// The program ends behind this instruction.
        stop, with_stop: 5 + 1,
        /// The four pixels of a quad meet here; set for texture fetches and derivatives.
        sync, with_sync: 6 + 1,
        /// Fields that follow, bit n = [`Field`](super::table::Field) number n.
        fields, with_fields: 7 + 12,
        /// Words of the instruction behind this one; 0 in the last.
        next, with_next: 19 + 6,
        /// `next` counts.
        prefetch, with_prefetch: 25 + 1,
        /// Always zero.
        reserved, with_reserved: 26 + 6,
    }

    /// Field 0 in the form that reads the interpolator ([`Self::source_type`] 0, 2 with sub 0 or 3, 3).
    Varying(u64) {
        /// Source type 0 and 1: 2 divides by z, 3 by w. Others: which special input.
        sub, with_sub: 0 + 2,
        /// 0 varying, 1 register, 2 cube map direction and others, 3 point coordinate and facing.
        source_type, with_source_type: 2 + 2,
        /// Always zero.
        reserved_4, with_reserved_4: 4 + 1,
        /// Floats loaded: 0 one, 1 two, 2 and 3 four.
        alignment, with_alignment: 5 + 2,
        /// Always zero.
        reserved_7, with_reserved_7: 7 + 3,
        /// Register whose component is added to the index; 15: none.
        offset_register, with_offset_register: 10 + 4,
        /// Always zero.
        reserved_14, with_reserved_14: 14 + 2,
        /// Component of the offset register.
        offset_component, with_offset_component: 16 + 2,
        /// Place, in units of the alignment.
        index, with_index: 18 + 6,
        /// Destination register; 15: none, the coordinates go to the texture unit.
        dest, with_dest: 24 + 4,
        /// Components written, bit 0 = x.
        mask, with_mask: 28 + 4,
        /// Always zero.
        reserved_32, with_reserved_32: 32 + 2,
    }

    /// Field 0 in the form that reads a register (source type 1, and 2 with sub 1 or 2).
    VaryingRegister(u64) {
        /// As in [`Varying`].
        sub, with_sub: 0 + 2,
        /// As in [`Varying`].
        source_type, with_source_type: 2 + 2,
        /// Always zero.
        reserved_4, with_reserved_4: 4 + 2,
        /// Said to normalise (one source; another has it at bit 7). Without known effect.
        normalize, with_normalize: 6 + 1,
        /// Always zero.
        reserved_7, with_reserved_7: 7 + 3,
        /// Source register.
        source, with_source: 10 + 4,
        /// The source is negated, after [`Self::absolute`].
        negate, with_negate: 14 + 1,
        /// The source loses its sign.
        absolute, with_absolute: 15 + 1,
        /// Component of the source for each lane, two bits each.
        swizzle, with_swizzle: 16 + 8,
        /// As in [`Varying`].
        dest, with_dest: 24 + 4,
        /// As in [`Varying`].
        mask, with_mask: 28 + 4,
        /// Always zero.
        reserved_32, with_reserved_32: 32 + 2,
    }

    /// Field 1: a texture fetch, at the coordinates that field 0 of the same instruction gives.
    Sampler(u64) {
        /// Component that holds the level of detail or the bias.
        lod_register, with_lod_register: 0 + 6,
        /// Component that is added to the index.
        offset_register, with_offset_register: 6 + 6,
        /// Always zero.
        reserved_12, with_reserved_12: 12 + 5,
        /// The value of the lod register is the level, not a bias.
        explicit_lod, with_explicit_lod: 17 + 1,
        /// The lod register counts.
        lod_enable, with_lod_enable: 18 + 1,
        /// Always zero.
        reserved_19, with_reserved_19: 19 + 5,
        /// 0 two coordinates, 31 cube map.
        kind, with_kind: 24 + 5,
        /// The offset register counts.
        offset_enable, with_offset_enable: 29 + 1,
        /// Number of the sampler.
        index, with_index: 30 + 12,
        /// Always [`SAMPLER_CONSTANT`](super::table::SAMPLER_CONSTANT).
        constant, with_constant: 42 + 20,
    }

    /// Field 2: a load of uniforms or temporaries, to `^uniform`.
    Uniform(u64) {
        /// 0 uniforms, 3 temporaries.
        source, with_source: 0 + 2,
        /// Always zero.
        reserved_2, with_reserved_2: 2 + 8,
        /// Floats loaded: 0 one, 1 two, 2 four.
        alignment, with_alignment: 10 + 2,
        /// Always zero.
        reserved_12, with_reserved_12: 12 + 6,
        /// Component that is added to the index.
        offset_register, with_offset_register: 18 + 6,
        /// The offset register counts.
        offset_enable, with_offset_enable: 24 + 1,
        /// Place in units of the alignment, signed.
        index, with_index: 25 + 16,
    }

    /// Field 3: multiply unit, four lanes. `^v0` takes the result too.
    VectorMul(u64) {
        /// First source.
        arg0, with_arg0: 0 + 4,
        /// Its swizzle, two bits for each lane.
        arg0_swizzle, with_arg0_swizzle: 4 + 8,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 12 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 13 + 1,
        /// Second source.
        arg1, with_arg1: 14 + 4,
        /// Its swizzle.
        arg1_swizzle, with_arg1_swizzle: 18 + 8,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 26 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 27 + 1,
        /// Destination register.
        dest, with_dest: 28 + 4,
        /// Components written, bit 0 = x; 0: none.
        mask, with_mask: 32 + 4,
        /// Change of the result: see [`Outmod`](super::table::Outmod).
        outmod, with_outmod: 36 + 2,
        /// Operation: see [`MulOp`](super::table::MulOp).
        op, with_op: 38 + 5,
    }

    /// Field 4: multiply unit, one lane. `^s0` takes the result too.
    FloatMul(u64) {
        /// First source: 4 times the register plus the component.
        arg0, with_arg0: 0 + 6,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 6 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 7 + 1,
        /// Second source.
        arg1, with_arg1: 8 + 6,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 14 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 15 + 1,
        /// Destination component.
        dest, with_dest: 16 + 6,
        /// The destination is written.
        output_enable, with_output_enable: 22 + 1,
        /// Change of the result: see [`Outmod`](super::table::Outmod).
        outmod, with_outmod: 23 + 2,
        /// Operation: see [`MulOp`](super::table::MulOp).
        op, with_op: 25 + 5,
    }

    /// Field 5: add unit, four lanes.
    VectorAdd(u64) {
        /// First source.
        arg0, with_arg0: 0 + 4,
        /// Its swizzle.
        arg0_swizzle, with_arg0_swizzle: 4 + 8,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 12 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 13 + 1,
        /// Second source.
        arg1, with_arg1: 14 + 4,
        /// Its swizzle.
        arg1_swizzle, with_arg1_swizzle: 18 + 8,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 26 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 27 + 1,
        /// Destination register.
        dest, with_dest: 28 + 4,
        /// Components written, bit 0 = x; 0: none.
        mask, with_mask: 32 + 4,
        /// Change of the result: see [`Outmod`](super::table::Outmod).
        outmod, with_outmod: 36 + 2,
        /// Operation: see [`AddOp`](super::table::AddOp).
        op, with_op: 38 + 5,
        /// The first source is `^v0`, whatever [`Self::arg0`] says.
        mul_in, with_mul_in: 43 + 1,
    }

    /// Field 6: add unit, one lane.
    FloatAdd(u64) {
        /// First source: 4 times the register plus the component.
        arg0, with_arg0: 0 + 6,
        /// It loses its sign.
        arg0_absolute, with_arg0_absolute: 6 + 1,
        /// It is negated, after that.
        arg0_negate, with_arg0_negate: 7 + 1,
        /// Second source.
        arg1, with_arg1: 8 + 6,
        /// It loses its sign.
        arg1_absolute, with_arg1_absolute: 14 + 1,
        /// It is negated, after that.
        arg1_negate, with_arg1_negate: 15 + 1,
        /// Destination component.
        dest, with_dest: 16 + 6,
        /// The destination is written.
        output_enable, with_output_enable: 22 + 1,
        /// Change of the result: see [`Outmod`](super::table::Outmod).
        outmod, with_outmod: 23 + 2,
        /// Operation: see [`AddOp`](super::table::AddOp).
        op, with_op: 25 + 5,
        /// The first source is `^s0`, whatever [`Self::arg0`] says.
        mul_in, with_mul_in: 30 + 1,
    }

    /// Field 7, a function of one component: `dest_vector` 0, `vector_source` 0.
    CombineScalar(u64) {
        /// The destination is a vector.
        dest_vector, with_dest_vector: 0 + 1,
        /// Bits 2-13 hold a vector source.
        vector_source, with_vector_source: 1 + 1,
        /// Operation: see [`CombineOp`](super::table::CombineOp).
        op, with_op: 2 + 4,
        /// The second source loses its sign.
        arg1_absolute, with_arg1_absolute: 6 + 1,
        /// The second source is negated.
        arg1_negate, with_arg1_negate: 7 + 1,
        /// Second source, which no known operation of this form has.
        arg1, with_arg1: 8 + 6,
        /// The source loses its sign.
        arg0_absolute, with_arg0_absolute: 14 + 1,
        /// The source is negated, after that.
        arg0_negate, with_arg0_negate: 15 + 1,
        /// Source component.
        arg0, with_arg0: 16 + 6,
        /// Change of the result: see [`Outmod`](super::table::Outmod).
        outmod, with_outmod: 22 + 2,
        /// Destination component.
        dest, with_dest: 24 + 6,
    }

    /// Field 7, first part of an arc tangent: `dest_vector` 1, `vector_source` 0.
    CombineAtan(u64) {
        /// 1.
        dest_vector, with_dest_vector: 0 + 1,
        /// 0.
        vector_source, with_vector_source: 1 + 1,
        /// Operation: see [`CombineOp`](super::table::CombineOp).
        op, with_op: 2 + 4,
        /// The second source loses its sign.
        arg1_absolute, with_arg1_absolute: 6 + 1,
        /// The second source is negated, after that.
        arg1_negate, with_arg1_negate: 7 + 1,
        /// Second source of atan2, the x.
        arg1, with_arg1: 8 + 6,
        /// The first source loses its sign.
        arg0_absolute, with_arg0_absolute: 14 + 1,
        /// The first source is negated, after that.
        arg0_negate, with_arg0_negate: 15 + 1,
        /// First source component.
        arg0, with_arg0: 16 + 6,
        /// Components written, bit 0 = x.
        mask, with_mask: 22 + 4,
        /// Destination register.
        dest, with_dest: 26 + 4,
    }

    /// Field 7, one component times a vector: `dest_vector` 1, `vector_source` 1.
    CombineMul(u64) {
        /// 1.
        dest_vector, with_dest_vector: 0 + 1,
        /// 1.
        vector_source, with_vector_source: 1 + 1,
        /// Swizzle of the vector.
        arg1_swizzle, with_arg1_swizzle: 2 + 8,
        /// The vector.
        arg1, with_arg1: 10 + 4,
        /// The component loses its sign.
        arg0_absolute, with_arg0_absolute: 14 + 1,
        /// The component is negated, after that.
        arg0_negate, with_arg0_negate: 15 + 1,
        /// The component.
        arg0, with_arg0: 16 + 6,
        /// Components written, bit 0 = x.
        mask, with_mask: 22 + 4,
        /// Destination register.
        dest, with_dest: 26 + 4,
    }

    /// Field 7, second part of an arc tangent: `dest_vector` 0, `vector_source` 1.
    CombineAtanSecond(u64) {
        /// 0.
        dest_vector, with_dest_vector: 0 + 1,
        /// 1.
        vector_source, with_vector_source: 1 + 1,
        /// Swizzle of the vector.
        arg1_swizzle, with_arg1_swizzle: 2 + 8,
        /// What the first part gave.
        arg1, with_arg1: 10 + 4,
        /// Not used in this form.
        unused_14, with_unused_14: 14 + 8,
        /// Change of the result: see [`Outmod`](super::table::Outmod).
        outmod, with_outmod: 22 + 2,
        /// Destination component.
        dest, with_dest: 24 + 6,
    }

    /// Field 8: a store to temporaries.
    Store(u64) {
        /// Always 3.
        target, with_target: 0 + 2,
        /// Always zero.
        reserved_2, with_reserved_2: 2 + 2,
        /// Component stored; of two and four floats the register alone counts.
        source, with_source: 4 + 6,
        /// Floats stored: 0 one, 1 two, 2 four.
        alignment, with_alignment: 10 + 2,
        /// Always zero.
        reserved_12, with_reserved_12: 12 + 6,
        /// Component that is added to the index.
        offset_register, with_offset_register: 18 + 6,
        /// The offset register counts.
        offset_enable, with_offset_enable: 24 + 1,
        /// Place in units of the alignment, signed.
        index, with_index: 25 + 16,
    }

    /// Field 8: a read of the framebuffer. [`Self::kind`] tells it from a store.
    FramebufferRead(u64) {
        /// 1 colour, 0 depth.
        color, with_color: 0 + 1,
        /// [`FRAMEBUFFER_READ`](super::table::FRAMEBUFFER_READ).
        kind, with_kind: 1 + 5,
        /// Destination register.
        dest, with_dest: 6 + 4,
        /// Always 2.
        unknown_10, with_unknown_10: 10 + 31,
    }

    /// Field 9: a branch. [`DISCARD`](super::table::DISCARD) stands in its place to drop the pixel.
    Branch(u128) {
        /// Always zero.
        reserved_0, with_reserved_0: 0 + 4,
        /// Second component compared.
        arg1, with_arg1: 4 + 6,
        /// First component compared.
        arg0, with_arg0: 10 + 6,
        /// When the branch is taken: bit 0 first greater than second, bit 1 equal, bit 2 less.
        condition, with_condition: 16 + 3,
        /// Always zero.
        reserved_19, with_reserved_19: 19 + 22,
        /// Where to: signed, in words from the start of this instruction.
        target, with_target: 41 + 27,
        /// Words of the instruction there.
        target_count, with_target_count: 68 + 5,
    }

    /// Fields 10 and 11: four halves.
    Constant(u64) {
        /// First half.
        x, with_x: 0 + 16,
        /// Second half.
        y, with_y: 16 + 16,
        /// Third half.
        z, with_z: 32 + 16,
        /// Fourth half.
        w, with_w: 48 + 16,
    }
}
