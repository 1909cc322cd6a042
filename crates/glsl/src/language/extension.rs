//! Extensions: their names, and what `#extension` says of them.

use crate::place::Span;

/// What is to happen with an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Behaviour {
    /// It must be there.
    Require,
    /// It is used if it is there.
    Enable,
    /// It is used, with a warning at each use.
    Warn,
    /// It is not used.
    Disable,
}

/// A line `#extension`.
#[derive(Debug, Clone, PartialEq)]
pub struct Extension {
    /// Its name, or `all`.
    pub name: String,
    /// What is to happen with it.
    pub behaviour: Behaviour,
    /// Where the line stands.
    pub span: Span,
}

/// An extension that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its name, which is also a macro that is 1.
    pub name: &'static str,
    /// Whether desktop GLSL has it.
    pub desktop: bool,
    /// Whether GLSL ES has it.
    pub es: bool,
}

const fn both(name: &'static str) -> Known {
    Known { name, desktop: true, es: true }
}

const fn desktop(name: &'static str) -> Known {
    Known { name, desktop: true, es: false }
}

const fn es(name: &'static str) -> Known {
    Known { name, desktop: false, es: true }
}

/// All extensions that are read, by name. A text that requires another one is refused, one that enables another gets a warning.
pub static KNOWN: &[Known] = &[
    desktop("GL_3DL_array_objects"),
    desktop("GL_AMD_gpu_shader_half_float"),
    desktop("GL_AMD_gpu_shader_int16"),
    desktop("GL_AMD_gpu_shader_int64"),
    desktop("GL_AMD_shader_trinary_minmax"),
    desktop("GL_AMD_vertex_shader_layer"),
    desktop("GL_AMD_vertex_shader_viewport_index"),
    es("GL_ANDROID_extension_pack_es31a"),
    desktop("GL_ARB_arrays_of_arrays"),
    desktop("GL_ARB_compute_shader"),
    desktop("GL_ARB_conservative_depth"),
    desktop("GL_ARB_cull_distance"),
    desktop("GL_ARB_derivative_control"),
    desktop("GL_ARB_draw_buffers"),
    desktop("GL_ARB_draw_instanced"),
    desktop("GL_ARB_enhanced_layouts"),
    desktop("GL_ARB_explicit_attrib_location"),
    desktop("GL_ARB_explicit_uniform_location"),
    desktop("GL_ARB_fragment_coord_conventions"),
    desktop("GL_ARB_fragment_layer_viewport"),
    desktop("GL_ARB_gpu_shader5"),
    desktop("GL_ARB_gpu_shader_fp64"),
    desktop("GL_ARB_gpu_shader_int64"),
    desktop("GL_ARB_post_depth_coverage"),
    desktop("GL_ARB_sample_shading"),
    desktop("GL_ARB_separate_shader_objects"),
    desktop("GL_ARB_shader_atomic_counter_ops"),
    desktop("GL_ARB_shader_atomic_counters"),
    desktop("GL_ARB_shader_ballot"),
    desktop("GL_ARB_shader_bit_encoding"),
    desktop("GL_ARB_shader_clock"),
    desktop("GL_ARB_shader_draw_parameters"),
    desktop("GL_ARB_shader_group_vote"),
    desktop("GL_ARB_shader_image_load_store"),
    desktop("GL_ARB_shader_image_size"),
    desktop("GL_ARB_shader_stencil_export"),
    desktop("GL_ARB_shader_storage_buffer_object"),
    desktop("GL_ARB_shader_texture_image_samples"),
    desktop("GL_ARB_shader_texture_lod"),
    desktop("GL_ARB_shader_viewport_layer_array"),
    desktop("GL_ARB_shading_language_420pack"),
    desktop("GL_ARB_shading_language_packing"),
    desktop("GL_ARB_sparse_texture2"),
    desktop("GL_ARB_sparse_texture_clamp"),
    desktop("GL_ARB_tessellation_shader"),
    desktop("GL_ARB_texture_cube_map_array"),
    desktop("GL_ARB_texture_gather"),
    desktop("GL_ARB_texture_multisample"),
    desktop("GL_ARB_texture_query_levels"),
    desktop("GL_ARB_texture_query_lod"),
    desktop("GL_ARB_texture_rectangle"),
    desktop("GL_ARB_uniform_buffer_object"),
    desktop("GL_ARB_vertex_attrib_64bit"),
    desktop("GL_ARB_viewport_array"),
    es("GL_EXT_blend_func_extended"),
    es("GL_EXT_clip_cull_distance"),
    es("GL_EXT_conservative_depth"),
    both("GL_EXT_control_flow_attributes"),
    both("GL_EXT_demote_to_helper_invocation"),
    both("GL_EXT_device_group"),
    es("GL_EXT_draw_buffers"),
    es("GL_EXT_frag_depth"),
    es("GL_EXT_geometry_point_size"),
    es("GL_EXT_geometry_shader"),
    es("GL_EXT_gpu_shader5"),
    both("GL_EXT_maximal_reconvergence"),
    both("GL_EXT_multiview"),
    both("GL_EXT_nonuniform_qualifier"),
    both("GL_EXT_null_initializer"),
    both("GL_EXT_post_depth_coverage"),
    es("GL_EXT_primitive_bounding_box"),
    both("GL_EXT_samplerless_texture_functions"),
    both("GL_EXT_scalar_block_layout"),
    es("GL_EXT_separate_shader_objects"),
    both("GL_EXT_shader_atomic_int64"),
    both("GL_EXT_shader_16bit_storage"),
    both("GL_EXT_shader_8bit_storage"),
    both("GL_EXT_shader_explicit_arithmetic_types"),
    both("GL_EXT_shader_explicit_arithmetic_types_float16"),
    both("GL_EXT_shader_explicit_arithmetic_types_float32"),
    both("GL_EXT_shader_explicit_arithmetic_types_float64"),
    both("GL_EXT_shader_explicit_arithmetic_types_int16"),
    both("GL_EXT_shader_explicit_arithmetic_types_int32"),
    both("GL_EXT_shader_explicit_arithmetic_types_int64"),
    both("GL_EXT_shader_explicit_arithmetic_types_int8"),
    es("GL_EXT_shader_framebuffer_fetch"),
    both("GL_EXT_shader_image_int64"),
    both("GL_EXT_shader_image_load_formatted"),
    desktop("GL_EXT_shader_image_load_store"),
    es("GL_EXT_shader_implicit_conversions"),
    both("GL_EXT_shader_integer_mix"),
    es("GL_EXT_shader_io_blocks"),
    es("GL_EXT_shader_non_constant_global_initializers"),
    both("GL_EXT_shader_realtime_clock"),
    both("GL_EXT_shader_subgroup_extended_types_float16"),
    both("GL_EXT_shader_subgroup_extended_types_int16"),
    both("GL_EXT_shader_subgroup_extended_types_int64"),
    both("GL_EXT_shader_subgroup_extended_types_int8"),
    es("GL_EXT_shader_texture_lod"),
    both("GL_EXT_shared_memory_block"),
    both("GL_EXT_spec_constant_composites"),
    both("GL_EXT_subgroup_uniform_control_flow"),
    both("GL_EXT_terminate_invocation"),
    es("GL_EXT_tessellation_point_size"),
    es("GL_EXT_tessellation_shader"),
    desktop("GL_EXT_texture_array"),
    es("GL_EXT_texture_buffer"),
    es("GL_EXT_texture_cube_map_array"),
    both("GL_EXT_texture_shadow_lod"),
    both("GL_GOOGLE_cpp_style_line_directive"),
    both("GL_GOOGLE_include_directive"),
    es("GL_KHR_blend_equation_advanced"),
    both("GL_KHR_shader_subgroup_arithmetic"),
    both("GL_KHR_shader_subgroup_ballot"),
    both("GL_KHR_shader_subgroup_basic"),
    both("GL_KHR_shader_subgroup_clustered"),
    both("GL_KHR_shader_subgroup_quad"),
    both("GL_KHR_shader_subgroup_rotate"),
    both("GL_KHR_shader_subgroup_shuffle"),
    both("GL_KHR_shader_subgroup_shuffle_relative"),
    both("GL_KHR_shader_subgroup_vote"),
    both("GL_KHR_vulkan_glsl"),
    desktop("GL_NV_gpu_shader5"),
    es("GL_NV_image_formats"),
    es("GL_NV_shader_noperspective_interpolation"),
    desktop("GL_NV_shader_atomic_int64"),
    both("GL_NV_shader_subgroup_partitioned"),
    es("GL_OES_EGL_image_external"),
    es("GL_OES_EGL_image_external_essl3"),
    es("GL_OES_geometry_point_size"),
    es("GL_OES_geometry_shader"),
    es("GL_OES_gpu_shader5"),
    es("GL_OES_primitive_bounding_box"),
    es("GL_OES_sample_variables"),
    es("GL_OES_shader_image_atomic"),
    es("GL_OES_shader_io_blocks"),
    es("GL_OES_shader_multisample_interpolation"),
    es("GL_OES_standard_derivatives"),
    es("GL_OES_tessellation_point_size"),
    es("GL_OES_tessellation_shader"),
    es("GL_OES_texture_3D"),
    es("GL_OES_texture_buffer"),
    es("GL_OES_texture_cube_map_array"),
    es("GL_OES_texture_storage_multisample_2d_array"),
    both("GL_OVR_multiview"),
    both("GL_OVR_multiview2"),
];

/// Whether an extension is read in desktop GLSL or GLSL ES.
pub fn is_known(name: &str, is_es: bool) -> bool {
    KNOWN.iter().any(|known| known.name == name && if is_es { known.es } else { known.desktop })
}
