#version 450
// maxwell_s_const_int_out.frag.dksh#0/fragment: fragment program, maxwell

layout(location = 0) out ivec4 color0;

void main() {
    color0 = ivec4(-1, -510, 7, 0x7fffffff);
}
