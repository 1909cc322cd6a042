//! The bits of every word by name. An instruction is kept as its bits; these types read and change them.
//!
//! Places are those of the R700 generation: the AMD manual, Mesa's `r700_sq.h` and the tables of two
//! emulators agree on them. (The R600 had other places for the output modifier and the operation of a
//! two-source instruction.)

use unshade_isa_common::packed::packed;

/// Control flow that starts no arithmetic clause: each form's own fields, and those that all have.
macro_rules! flow {
    ($($(#[$doc:meta])* $name:ident { $($own:tt)* })*) => {
        packed! {$(
            $(#[$doc])*
            $name(u64) {
                $($own)*
                /// The program ends behind this instruction.
                end_of_program, with_end_of_program: 53 + 1,
                /// Helper pixels do not take part.
                valid_pixel_mode, with_valid_pixel_mode: 54 + 1,
                /// Which instruction, see [`super::CfOp`].
                inst, with_inst: 55 + 7,
                /// Runs for all pixels of a quad in which one is active.
                whole_quad_mode, with_whole_quad_mode: 62 + 1,
                /// Waits for earlier clauses.
                barrier, with_barrier: 63 + 1,
            }
        )*}
    };
}

flow! {
    /// A control-flow instruction that is no export and starts no arithmetic clause.
    CfNormal {
        /// Target, in units of 64 bits from the start of the program.
        addr, with_addr: 0 + 32,
        /// Entries of the stack that are dropped.
        pop_count, with_pop_count: 32 + 3,
        /// Number of a loop constant or bool constant.
        cf_const, with_cf_const: 35 + 5,
        /// 0 active pixels, 1 none, 2 a bool constant, 3 its negation.
        cond, with_cond: 40 + 2,
        /// Instructions of the clause minus 1, low bits.
        count_low, with_count_low: 42 + 3,
        /// How much deeper a call is nested.
        call_count, with_call_count: 45 + 6,
        /// Instructions of the clause minus 1, bit 3.
        count_high, with_count_high: 51 + 1,
        /// No meaning.
        reserved_52, with_reserved_52: 52 + 1,
    }

    /// An export of a pixel, a position or a parameter.
    CfExport {
        /// First target.
        array_base, with_array_base: 0 + 13,
        /// 0 pixel, 1 position, 2 parameter, 3 unknown.
        kind, with_kind: 13 + 2,
        /// First register.
        gpr, with_gpr: 15 + 7,
        /// The loop index is added to the register.
        gpr_relative, with_gpr_relative: 22 + 1,
        /// Register whose x is an index; no meaning for exports.
        index_gpr, with_index_gpr: 23 + 7,
        /// Words of an element minus 1.
        elem_size, with_elem_size: 30 + 2,
        /// What the x of the target gets: 0-3 x y z w, 4 is 0.0, 5 is 1.0, 7 nothing.
        sel_x, with_sel_x: 32 + 3,
        /// What the y of the target gets.
        sel_y, with_sel_y: 35 + 3,
        /// What the z of the target gets.
        sel_z, with_sel_z: 38 + 3,
        /// What the w of the target gets.
        sel_w, with_sel_w: 41 + 3,
        /// No meaning.
        reserved_44, with_reserved_44: 44 + 5,
        /// Registers and targets minus 1.
        burst_count, with_burst_count: 49 + 4,
    }

    /// A write to (or read from) a buffer in memory: stream-out, scratch, ring, export.
    CfMemory {
        /// Place in the buffer: words for streams, units of four words for the ring and scratch.
        array_base, with_array_base: 0 + 13,
        /// 0 write, 1 write with index, 2 read, 3 read with index.
        kind, with_kind: 13 + 2,
        /// First register.
        gpr, with_gpr: 15 + 7,
        /// The loop index is added to the register.
        gpr_relative, with_gpr_relative: 22 + 1,
        /// Register whose x is the index.
        index_gpr, with_index_gpr: 23 + 7,
        /// Words of an element minus 1.
        elem_size, with_elem_size: 30 + 2,
        /// Size of the buffer minus 1.
        array_size, with_array_size: 32 + 12,
        /// Components written, bit 0 = x.
        comp_mask, with_comp_mask: 44 + 4,
        /// No meaning.
        reserved_48, with_reserved_48: 48 + 1,
        /// Registers minus 1.
        burst_count, with_burst_count: 49 + 4,
    }
}

/// Arithmetic: each form's own fields between those that both have.
macro_rules! arithmetic {
    ($($(#[$doc:meta])* $name:ident { $($own:tt)* })*) => {
        packed! {$(
            $(#[$doc])*
            $name(u64) {
                /// First source, see [`super::Source`].
                src0_sel, with_src0_sel: 0 + 9,
                /// The index is added to the first source.
                src0_rel, with_src0_rel: 9 + 1,
                /// Component of the first source.
                src0_chan, with_src0_chan: 10 + 2,
                /// The first source is negated.
                src0_neg, with_src0_neg: 12 + 1,
                /// Second source.
                src1_sel, with_src1_sel: 13 + 9,
                /// The index is added to the second source.
                src1_rel, with_src1_rel: 22 + 1,
                /// Component of the second source.
                src1_chan, with_src1_chan: 23 + 2,
                /// The second source is negated.
                src1_neg, with_src1_neg: 25 + 1,
                /// What the index is: 0-3 AR.x-AR.w, 4 the loop index.
                index_mode, with_index_mode: 26 + 3,
                /// 0 always, 2 where the predicate is 0, 3 where it is 1.
                pred_sel, with_pred_sel: 29 + 2,
                /// Last instruction of its group.
                last, with_last: 31 + 1,
                $($own)*
                /// In which cycles the sources are read.
                bank_swizzle, with_bank_swizzle: 50 + 3,
                /// Register written.
                dst_gpr, with_dst_gpr: 53 + 7,
                /// The index is added to the register.
                dst_rel, with_dst_rel: 60 + 1,
                /// Component written.
                dst_chan, with_dst_chan: 61 + 2,
                /// The result is clamped to 0..1.
                clamp, with_clamp: 63 + 1,
            }
        )*}
    };
}

arithmetic! {
    /// An arithmetic instruction with up to two sources.
    Op2 {
        /// Absolute value of the first source, before it is negated.
        src0_abs, with_src0_abs: 32 + 1,
        /// Absolute value of the second source, before it is negated.
        src1_abs, with_src1_abs: 33 + 1,
        /// The predicate becomes the mask of active pixels.
        update_execute_mask, with_update_execute_mask: 34 + 1,
        /// The predicate is kept.
        update_pred, with_update_pred: 35 + 1,
        /// The result is written to its register.
        write_mask, with_write_mask: 36 + 1,
        /// The result times: 0 one, 1 two, 2 four, 3 a half.
        omod, with_omod: 37 + 2,
        /// Which instruction, see [`super::AluOp`]; the upper three bits are the encoding and zero here.
        inst, with_inst: 39 + 11,
    }

    /// An arithmetic instruction with three sources.
    Op3 {
        /// Third source.
        src2_sel, with_src2_sel: 32 + 9,
        /// The index is added to the third source.
        src2_rel, with_src2_rel: 41 + 1,
        /// Component of the third source.
        src2_chan, with_src2_chan: 42 + 2,
        /// The third source is negated.
        src2_neg, with_src2_neg: 44 + 1,
        /// Which instruction, see [`super::AluOp`]; at least 4.
        inst, with_inst: 45 + 5,
    }
}

packed! {
    /// The start of an arithmetic clause.
    CfAlu(u64) {
        /// First instruction of the clause, in units of 64 bits from the start of the program.
        addr, with_addr: 0 + 22,
        /// Buffer that the first constant cache set holds lines of.
        kcache_bank0, with_kcache_bank0: 22 + 4,
        /// Buffer that the second constant cache set holds lines of.
        kcache_bank1, with_kcache_bank1: 26 + 4,
        /// First set: 0 unused, 1 one line of 16 vectors, 2 two lines, 3 two lines counted from the loop index.
        kcache_mode0, with_kcache_mode0: 30 + 2,
        /// Second set, likewise.
        kcache_mode1, with_kcache_mode1: 32 + 2,
        /// First line of the first set.
        kcache_addr0, with_kcache_addr0: 34 + 8,
        /// First line of the second set.
        kcache_addr1, with_kcache_addr1: 42 + 8,
        /// Units of 64 bits in the clause minus 1, literals included.
        count, with_count: 50 + 7,
        /// Constants from another stage's file, or a waterfall, by generation.
        alt_const, with_alt_const: 57 + 1,
        /// Which instruction: 8-15, see [`super::CfOp`].
        inst, with_inst: 58 + 4,
        /// Runs for all pixels of a quad in which one is active.
        whole_quad_mode, with_whole_quad_mode: 62 + 1,
        /// Waits for earlier clauses.
        barrier, with_barrier: 63 + 1,
    }

    /// A texture instruction.
    Tex(u128) {
        /// Which instruction, see [`super::FetchOp`].
        inst, with_inst: 0 + 5,
        /// How compressed texels are interpolated.
        bc_frac_mode, with_bc_frac_mode: 5 + 1,
        /// No meaning.
        reserved_6, with_reserved_6: 6 + 1,
        /// Fetches for all pixels of a quad in which one is active.
        fetch_whole_quad, with_fetch_whole_quad: 7 + 1,
        /// Number of the texture.
        resource_id, with_resource_id: 8 + 8,
        /// Register of the coordinates.
        src_gpr, with_src_gpr: 16 + 7,
        /// The loop index is added to that register.
        src_rel, with_src_rel: 23 + 1,
        /// Resources of another stage.
        alt_const, with_alt_const: 24 + 1,
        /// No meaning.
        reserved_25, with_reserved_25: 25 + 7,
        /// Register written.
        dst_gpr, with_dst_gpr: 32 + 7,
        /// The loop index is added to that register.
        dst_rel, with_dst_rel: 39 + 1,
        /// No meaning.
        reserved_40, with_reserved_40: 40 + 1,
        /// What the x of the destination gets: 0-3 x y z w, 4 is 0.0, 5 is 1.0, 7 nothing.
        dst_sel_x, with_dst_sel_x: 41 + 3,
        /// What the y of the destination gets.
        dst_sel_y, with_dst_sel_y: 44 + 3,
        /// What the z of the destination gets.
        dst_sel_z, with_dst_sel_z: 47 + 3,
        /// What the w of the destination gets.
        dst_sel_w, with_dst_sel_w: 50 + 3,
        /// Added to the level of detail, signed, in sixteenths.
        lod_bias, with_lod_bias: 53 + 7,
        /// x is normalised.
        coord_type_x, with_coord_type_x: 60 + 1,
        /// y is normalised.
        coord_type_y, with_coord_type_y: 61 + 1,
        /// z is normalised.
        coord_type_z, with_coord_type_z: 62 + 1,
        /// w is normalised.
        coord_type_w, with_coord_type_w: 63 + 1,
        /// Added to x, signed, in half texels.
        offset_x, with_offset_x: 64 + 5,
        /// Added to y, signed, in half texels.
        offset_y, with_offset_y: 69 + 5,
        /// Added to z, signed, in half texels.
        offset_z, with_offset_z: 74 + 5,
        /// Number of the sampler.
        sampler_id, with_sampler_id: 79 + 5,
        /// Component or constant that is the first coordinate.
        src_sel_x, with_src_sel_x: 84 + 3,
        /// Component or constant that is the second coordinate.
        src_sel_y, with_src_sel_y: 87 + 3,
        /// Component or constant that is the third coordinate.
        src_sel_z, with_src_sel_z: 90 + 3,
        /// Component or constant that is the fourth coordinate.
        src_sel_w, with_src_sel_w: 93 + 3,
        /// No meaning.
        reserved_96, with_reserved_96: 96 + 32,
    }

    /// A fetch from a buffer.
    Vtx(u128) {
        /// Which instruction, see [`super::FetchOp`].
        inst, with_inst: 0 + 5,
        /// What the index counts: 0 vertices, 1 instances, 2 nothing is added to it.
        fetch_type, with_fetch_type: 5 + 2,
        /// Fetches for all pixels of a quad in which one is active.
        fetch_whole_quad, with_fetch_whole_quad: 7 + 1,
        /// Number of the buffer.
        buffer_id, with_buffer_id: 8 + 8,
        /// Register of the index.
        src_gpr, with_src_gpr: 16 + 7,
        /// The loop index is added to that register.
        src_rel, with_src_rel: 23 + 1,
        /// Component of the index.
        src_sel_x, with_src_sel_x: 24 + 2,
        /// Bytes of the whole fetch minus 1.
        mega_fetch_count, with_mega_fetch_count: 26 + 6,
        /// Register written; semantic fetches: the low bits of [`Vtx::semantic_id`].
        dst_gpr, with_dst_gpr: 32 + 7,
        /// The loop index is added to that register; semantic fetches: the high bit of the number.
        dst_rel, with_dst_rel: 39 + 1,
        /// No meaning.
        reserved_40, with_reserved_40: 40 + 1,
        /// What the x of the destination gets: 0-3 x y z w, 4 is 0.0, 5 is 1.0, 7 nothing.
        dst_sel_x, with_dst_sel_x: 41 + 3,
        /// What the y of the destination gets.
        dst_sel_y, with_dst_sel_y: 44 + 3,
        /// What the z of the destination gets.
        dst_sel_z, with_dst_sel_z: 47 + 3,
        /// What the w of the destination gets.
        dst_sel_w, with_dst_sel_w: 50 + 3,
        /// Format from the resource instead of from here.
        use_const_fields, with_use_const_fields: 53 + 1,
        /// Format of the data, see [`super::DataFormat`].
        data_format, with_data_format: 54 + 6,
        /// 0 normalised, 1 integer, 2 converted to float.
        num_format_all, with_num_format_all: 60 + 2,
        /// Signed.
        format_comp_all, with_format_comp_all: 62 + 1,
        /// How signed normalised numbers reach -1.
        srf_mode_all, with_srf_mode_all: 63 + 1,
        /// Added to the address, in bytes.
        offset, with_offset: 64 + 16,
        /// 0 none, 1 bytes in 16 bits, 2 bytes in 32 bits, 3 in 64 bits.
        endian_swap, with_endian_swap: 80 + 2,
        /// The index counts bytes.
        const_buf_no_stride, with_const_buf_no_stride: 82 + 1,
        /// Loads as many bytes as the count says.
        mega_fetch, with_mega_fetch: 83 + 1,
        /// Resources of another stage.
        alt_const, with_alt_const: 84 + 1,
        /// No meaning.
        reserved_85, with_reserved_85: 85 + 11,
        /// No meaning.
        reserved_96, with_reserved_96: 96 + 32,
    }
}
