#version 100
// mali_v28_nested_if.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to.

uniform vec4 u_q;

attribute vec4 a_pos;

varying vec4 v_c;

void main() {
    vec4 pos = a_pos;
    for (float i = 0.0; i < 40.0; i += 1.0) {
        if (pos.x <= u_q.x) {
            gl_Position = a_pos;
            v_c = vec4(pos.xy, pos.z * pos.w, pos.w);
            return;
        }
        float productY = pos.y * u_q.y;
        float product = pos.x * u_q.y;
        bool isBelow = productY < u_q.z;
        pos = vec4(
            isBelow ? product : product - 0.5,
            isBelow ? productY + 1.0 : productY,
            pos.zw * u_q.y
        );
    }
    gl_Position = a_pos;
    v_c = pos;
}
