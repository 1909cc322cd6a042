#version 450
// pica200_t05_cond.shbin#0: vertex program, pica200
// Assumed:
// - no product of zero with an infinity or NaN is formed
// - the sign of a zero does not matter, and no NaN is compared

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 u;
    vec4 t;
};

layout(location = 0) in vec4 v;

void main() {
    vec4 v0 = v.x == u.x ? t + u : t;
    v0 = v.x > u.x ? v0 - u : v0 + u;
    vec4 position_value = v0 * u;
    if (v.x >= u.x && v.y > u.y) {
        position_value = max(position_value * u, u);
    }
    bool c0 = v.x <= u.x;
    bool c1 = v.y == u.y;
    if (v.x > u.x && c1) {
        position_value = min(position_value, u);
    }
    if (c0 || v.y != u.y) {
        position_value = min(position_value, u);
        if (c0) {
            position_value += u;
        }
    }
    if (c0 && c1) {
        position_value += u;
    }
    if (v.y < u.y) {
        position_value = position_value + u + u;
    }
    gl_Position = position_value;
}
