#version 100
// mali_v28_nested_if.vert.mbs#vert: vertex program, mali-gp
// Assumed:
// - the position is what the viewport transform at the end was applied to

uniform vec4 u_q;

attribute vec4 a_pos;

varying vec4 v_c;

void main() {
    vec4 v_c_value = a_pos;
    for (float i = 0.0; i < 40.0; i += 1.0) {
        if (v_c_value.x <= u_q.x) {
            gl_Position = a_pos;
            v_c = vec4(v_c_value.xy, v_c_value.z * v_c_value.w, v_c_value.w);
            return;
        }
        float f0 = v_c_value.y * u_q.y;
        float f1 = v_c_value.x * u_q.y;
        bool c0 = f0 < u_q.z;
        v_c_value = vec4(c0 ? f1 : f1 - 0.5, c0 ? f0 + 1.0 : f0, v_c_value.zw * u_q.y);
    }
    gl_Position = a_pos;
    v_c = v_c_value;
}
