#!/bin/sh
# Builds Mesa's compilers for tools/differential: build.sh SOURCE OUT. SOURCE is Mesa's own source tree (22.3.6 was used), which is not
# changed; OUT gets lima_compiler and radeon_shim.so. Wanted are meson, ninja, a C compiler, bison, flex, python3-mako and libdrm's headers.
set -eu
source=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
out=$(realpath "$2")

tree=$out/tree
if [ ! -d "$tree" ]; then
    cp -r "$source" "$tree"
    lima=$tree/src/gallium/drivers/lima/standalone/lima_compiler_cmdline.c
    cp "$here/lima_dump.h" "$tree/src/gallium/drivers/lima/standalone/"
    sed -i \
        -e 's|^#include "standalone/glsl.h"|&\n#include "standalone/lima_dump.h"|' \
        -e 's|NIR_PASS_V(nir, gl_nir_lower_samplers, prog);|prepare(nir);\n   NIR_PASS_V(nir, gl_nir_lower_samplers, NULL);|' \
        -e 's|gpir_compile_nir(vs, nir, NULL);|dump_vertex(filename[0], nir, gpir_compile_nir(vs, nir, NULL), vs);|' \
        -e 's|struct lima_vs_compiled_shader \*vs = ralloc(nir,|struct lima_vs_compiled_shader *vs = rzalloc(nir,|' \
        -e 's|ppir_compile_nir(so, nir, ra, NULL);|dump_fragment(filename[0], nir, ppir_compile_nir(so, nir, ra, NULL), so);|' \
        "$lima"
    # As the driver has them.
    context=$tree/src/compiler/glsl/standalone.cpp
    values="GLSLFragCoordIsSysVal = ctx->Const.GLSLPointCoordIsSysVal = ctx->Const.GLSLFrontFacingIsSysVal"
    sed -i "s|^   ctx->Const.GenerateTemporaryNames = true;|&\n   ctx->Const.$values = true;|" "$context"
    # MBS says nothing of the register that holds the colour: it is the first one.
    regalloc=$tree/src/gallium/drivers/lima/ir/pp/regalloc.c
    sed -i 's|^\( *\)ra_set_node_class(g, n++, ra_get_class_from_index(comp->ra, c));|\1if (reg->out_reg)\n\1   ra_set_node_reg(g, n, 0);\n&|' "$regalloc"
    [ "$(grep -c 'ra_set_node_reg(g, n, 0)' "$regalloc")" = 1 ] || { echo "build.sh: another register allocation than that of 22.3.6" >&2; exit 1; }
    # Two faults that it leaves out where UNSHADE_MENDED is set, by which programs are recognised that have them.
    sed -i 's|gpir_op_infos\[child->op\].dest_neg) {|gpir_op_infos[child->op].dest_neg \&\& !(child->op == gpir_op_select \&\& getenv("UNSHADE_MENDED"))) {|' \
        "$tree/src/gallium/drivers/lima/ir/gp/lower.c"
    sed -i 's|f->lod_bias = ppir_target_get_src_reg_index(&ldtex->src\[1\]);|f->lod_bias = ppir_target_get_src_reg_index(\&ldtex->src[1]) + (getenv("UNSHADE_MENDED") ? ldtex->src[1].swizzle[0] : 0);|' \
        "$tree/src/gallium/drivers/lima/ir/pp/codegen.c"
    [ "$(grep -c 'dump_vertex\|dump_fragment\|prepare(nir)\|lima_dump.h' "$lima")" = 4 ] || { echo "build.sh: another lima_compiler than that of 22.3.6" >&2; exit 1; }
fi

if [ ! -d "$out/build" ]; then
    meson setup "$out/build" "$tree" -Dbuildtype=plain -Dc_args='-O1 -w' -Dcpp_args='-O1 -w' -Db_ndebug=false -Dgallium-drivers=lima -Dvulkan-drivers= \
        -Dplatforms= -Dglx=disabled -Dgbm=disabled -Degl=disabled -Dgles1=disabled -Dgles2=disabled -Dopengl=true -Dllvm=disabled -Dtools=lima \
        -Dshader-cache=disabled -Dvideo-codecs= -Dzstd=disabled -Dlibunwind=disabled -Dvalgrind=disabled -Dglvnd=false
fi
ninja -C "$out/build" src/gallium/drivers/lima/lima_compiler
cp "$out/build/src/gallium/drivers/lima/lima_compiler" "$out/"

# The shim, with its start renamed, so that ours is called first.
util="hash_table set ralloc vma u_debug log os_misc os_file u_process fast_idiv_by_const u_math half_float u_printf u_cpu_detect softfloat u_call_once"
files="$tree/src/drm-shim/drm_shim.c $tree/src/drm-shim/device.c $tree/src/c11/impl/threads_posix.c $here/radeon_shim.c"
for name in $util; do files="$files $tree/src/util/$name.c"; done
flags=$(ninja -C "$out/build" -t commands src/util/libmesa_util.a.p/hash_table.c.o | tail -1 | sed 's/ -MD .*//; s/^\(ccache \)\?cc //')
flags="$flags -w -fPIC -fvisibility=hidden -I$tree/include/drm-uapi -I/usr/include/libdrm -I$tree/src/amd -I$tree/src/drm-shim"
cd "$out/build"
eval "cc $flags -Ddrm_shim_driver_init=radeon_shim_start -c $tree/src/amd/drm-shim/radeon_noop_drm_shim.c -o $out/radeon_noop.o"
eval "cc $flags -shared $files $out/radeon_noop.o -o $out/radeon_shim.so -ldl -lm -lpthread"
