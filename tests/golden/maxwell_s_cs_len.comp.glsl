#version 450
// maxwell_s_cs_len.comp.dksh#0/compute: compute program, maxwell

layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;

layout(std430, binding = 0) writeonly buffer Buffer0 {
    int buffer0[];
};

void main() {
    buffer0[0] = max(buffer0.length() - 1, 0);
}
