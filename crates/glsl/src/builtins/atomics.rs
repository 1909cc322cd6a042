//! Functions of memory and images, barriers, and what geometry shaders emit.

use super::Operation as Do;
use super::operation::{Atomic, Memory};
use super::row::{Row, row};
use crate::language::{Since, Stage, since, since_or};

const COUNTERS: Since = since_or(420, 310, &["GL_ARB_shader_atomic_counters"]);
const COUNTER_OPS: Since = since(460, 0);
const COUNTER_OPS_ARB: Since = since_or(0, 0, &["GL_ARB_shader_atomic_counter_ops"]);
const ATOMICS: Since = since_or(430, 310, &["GL_ARB_shader_storage_buffer_object", "GL_ARB_compute_shader"]);
const ATOMICS_64: Since = since_or(0, 0, &["GL_NV_shader_atomic_int64", "GL_EXT_shader_atomic_int64"]);
const IMAGES: Since =
    since_or(420, 310, &["GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store"]);
const IMAGE_ATOMICS: Since = since_or(
    420,
    320,
    &["GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store", "GL_OES_shader_image_atomic"],
);
const IMAGE_SIZE: Since = since_or(430, 310, &["GL_ARB_shader_image_size"]);
const IMAGE_SAMPLES: Since = since_or(450, 0, &["GL_ARB_shader_texture_image_samples"]);
const MEMORY: Since =
    since_or(420, 310, &["GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store"]);
const MEMORY_430: Since = since_or(430, 310, &["GL_ARB_compute_shader"]);
const BARRIER_STAGES: &[Stage] = &[Stage::TessellationControl, Stage::Compute];
const COMPUTE: &[Stage] = &[Stage::Compute];
const GEOMETRY: &[Stage] = &[Stage::Geometry];
const FRAGMENT: &[Stage] = &[Stage::Fragment];
const STREAMS: Since = since_or(400, 0, &["GL_ARB_gpu_shader5"]);

/// All of them.
pub(super) static ROWS: &[Row] = &[
    row("uint atomicCounter(atomic_uint)", "", COUNTERS, Do::CounterLoad).opengl(),
    row("uint atomicCounterIncrement(atomic_uint)", "", COUNTERS, Do::CounterIncrement).opengl(),
    row("uint atomicCounterDecrement(atomic_uint)", "", COUNTERS, Do::CounterDecrement).opengl(),
    row("uint atomicCounterAdd(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Add)).opengl(),
    row("uint atomicCounterSubtract(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Subtract))
        .opengl(),
    row("uint atomicCounterMin(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Min)).opengl(),
    row("uint atomicCounterMax(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Max)).opengl(),
    row("uint atomicCounterAnd(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::And)).opengl(),
    row("uint atomicCounterOr(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Or)).opengl(),
    row("uint atomicCounterXor(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Xor)).opengl(),
    row("uint atomicCounterExchange(atomic_uint,uint)", "", COUNTER_OPS, Do::Counter(Atomic::Exchange))
        .opengl(),
    row(
        "uint atomicCounterCompSwap(atomic_uint,uint,uint)",
        "",
        COUNTER_OPS,
        Do::Counter(Atomic::CompareExchange),
    )
    .opengl(),
    row("uint atomicCounterAddARB(atomic_uint,uint)", "", COUNTER_OPS_ARB, Do::Counter(Atomic::Add)).opengl(),
    row(
        "uint atomicCounterSubtractARB(atomic_uint,uint)",
        "",
        COUNTER_OPS_ARB,
        Do::Counter(Atomic::Subtract),
    )
    .opengl(),
    row("uint atomicCounterMinARB(atomic_uint,uint)", "", COUNTER_OPS_ARB, Do::Counter(Atomic::Min)).opengl(),
    row("uint atomicCounterMaxARB(atomic_uint,uint)", "", COUNTER_OPS_ARB, Do::Counter(Atomic::Max)).opengl(),
    row("uint atomicCounterAndARB(atomic_uint,uint)", "", COUNTER_OPS_ARB, Do::Counter(Atomic::And)).opengl(),
    row("uint atomicCounterOrARB(atomic_uint,uint)", "", COUNTER_OPS_ARB, Do::Counter(Atomic::Or)).opengl(),
    row("uint atomicCounterXorARB(atomic_uint,uint)", "", COUNTER_OPS_ARB, Do::Counter(Atomic::Xor)).opengl(),
    row(
        "uint atomicCounterExchangeARB(atomic_uint,uint)",
        "",
        COUNTER_OPS_ARB,
        Do::Counter(Atomic::Exchange),
    )
    .opengl(),
    row(
        "uint atomicCounterCompSwapARB(atomic_uint,uint,uint)",
        "",
        COUNTER_OPS_ARB,
        Do::Counter(Atomic::CompareExchange),
    )
    .opengl(),
    row("one atomicAdd(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::Add)),
    row("one atomicMin(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::Min)),
    row("one atomicMax(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::Max)),
    row("one atomicAnd(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::And)),
    row("one atomicOr(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::Or)),
    row("one atomicXor(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::Xor)),
    row("one atomicExchange(inout one,one)", "iu", ATOMICS, Do::Atomic(Atomic::Exchange)),
    row("one atomicCompSwap(inout one,one,one)", "iu", ATOMICS, Do::Atomic(Atomic::CompareExchange)),
    row("one atomicAdd(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::Add)),
    row("one atomicMin(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::Min)),
    row("one atomicMax(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::Max)),
    row("one atomicAnd(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::And)),
    row("one atomicOr(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::Or)),
    row("one atomicXor(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::Xor)),
    row("one atomicExchange(inout one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::Exchange)),
    row("one atomicCompSwap(inout one,one,one)", "lm", ATOMICS_64, Do::Atomic(Atomic::CompareExchange)),
    row(
        "gvec4 imageLoad(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I)",
        "",
        IMAGES,
        Do::ImageLoad,
    ),
    row(
        "void imageStore(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gvec4)",
        "",
        IMAGES,
        Do::ImageStore,
    ),
    row(
        "S imageSize(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray})",
        "",
        IMAGE_SIZE,
        Do::ImageSize,
    ),
    row("int imageSamples(gimage{2DMS,2DMSArray})", "", IMAGE_SAMPLES, Do::ImageSamples),
    row(
        "gone imageAtomicAdd(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::Add),
    ),
    row(
        "gone imageAtomicMin(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::Min),
    ),
    row(
        "gone imageAtomicMax(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::Max),
    ),
    row(
        "gone imageAtomicAnd(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::And),
    ),
    row(
        "gone imageAtomicOr(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::Or),
    ),
    row(
        "gone imageAtomicXor(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::Xor),
    ),
    row(
        "gone imageAtomicExchange(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::Exchange),
    ),
    row(
        "gone imageAtomicCompSwap(gimage{1D,2D,3D,2DRect,Cube,Buffer,1DArray,2DArray,CubeArray,2DMS,2DMSArray},I,gone,gone)",
        "",
        IMAGE_ATOMICS,
        Do::ImageAtomic(Atomic::CompareExchange),
    ),
    row("vec4 subpassLoad(subpassInput)", "", since(140, 310), Do::SubpassLoad).vulkan().only(FRAGMENT),
    row("vec4 subpassLoad(subpassInputMS,int)", "", since(140, 310), Do::SubpassLoad).vulkan().only(FRAGMENT),
    row("ivec4 subpassLoad(isubpassInput)", "", since(140, 310), Do::SubpassLoad).vulkan().only(FRAGMENT),
    row("ivec4 subpassLoad(isubpassInputMS,int)", "", since(140, 310), Do::SubpassLoad)
        .vulkan()
        .only(FRAGMENT),
    row("uvec4 subpassLoad(usubpassInput)", "", since(140, 310), Do::SubpassLoad).vulkan().only(FRAGMENT),
    row("uvec4 subpassLoad(usubpassInputMS,int)", "", since(140, 310), Do::SubpassLoad)
        .vulkan()
        .only(FRAGMENT),
    row("void barrier()", "", since_or(150, 310, &[]), Do::Barrier).only(BARRIER_STAGES),
    row("void memoryBarrier()", "", MEMORY, Do::MemoryBarrier(Memory::All)),
    row("void memoryBarrierAtomicCounter()", "", MEMORY_430, Do::MemoryBarrier(Memory::AtomicCounter)),
    row("void memoryBarrierBuffer()", "", MEMORY_430, Do::MemoryBarrier(Memory::Buffer)),
    row("void memoryBarrierImage()", "", MEMORY_430, Do::MemoryBarrier(Memory::Image)),
    row("void memoryBarrierShared()", "", MEMORY_430, Do::MemoryBarrier(Memory::Shared)).only(COMPUTE),
    row("void groupMemoryBarrier()", "", MEMORY_430, Do::MemoryBarrier(Memory::Group)).only(COMPUTE),
    row("void EmitVertex()", "", since(110, 310), Do::EmitVertex).only(GEOMETRY),
    row("void EndPrimitive()", "", since(110, 310), Do::EndPrimitive).only(GEOMETRY),
    row("void EmitStreamVertex(int)", "", STREAMS, Do::EmitStreamVertex).only(GEOMETRY),
    row("void EndStreamPrimitive(int)", "", STREAMS, Do::EndStreamPrimitive).only(GEOMETRY),
];
