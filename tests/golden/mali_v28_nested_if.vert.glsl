#version 100
// mali_v28_nested_if.vert.mbs#vert: vertex program, mali-gp
// Assumed:
// - the position is what the viewport transform at the end was applied to

uniform vec4 u_q;

attribute vec4 a_pos;

varying vec4 v_c;

void main() {
    float v_c_value = a_pos.x;
    float f0 = 0.0;
    vec3 v0 = a_pos.wzy;
    float f1;
    while (true) {
        if (f0 >= 40.0) {
            f1 = v0.y;
            break;
        }
        if (v_c_value <= u_q.x) {
            f1 = v0.y * v0.x;
            break;
        }
        float f2 = v0.z * u_q.y;
        float f3 = v_c_value * u_q.y;
        bool c0 = f2 < u_q.z;
        v_c_value = c0 ? f3 : f3 - 0.5;
        f0 += 1.0;
        v0 = vec3(v0.xy * u_q.y, c0 ? f2 + 1.0 : f2);
    }
    gl_Position = a_pos;
    v_c = vec4(v_c_value, v0.z, f1, v0.x);
}
