#version 450
// maxwell_s_samplepos.frag.dksh#0/fragment: fragment program, maxwell

layout(location = 0) out vec4 color0;

void main() {
    color0 = vec4(gl_SamplePosition, float(gl_SampleID), 1.0);
}
