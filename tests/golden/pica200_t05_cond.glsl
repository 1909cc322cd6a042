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
    vec4 position_value = u.x == v.x ? t + u : t;
    position_value = u.x < v.x ? position_value - u : position_value + u;
    if (-u.z >= v.w) {
        position_value *= u;
    } else {
        position_value *= u;
    }
    if (v.x >= u.x && v.y > u.y) {
        position_value *= u;
        position_value = v.x < u.x || v.y <= u.y ? position_value + u : max(position_value, u);
    }
    bool c1 = v.x <= u.x;
    bool c2 = v.y == u.y;
    if (v.x > u.x && c2) {
        position_value = min(position_value, u);
    }
    if (c1 || v.y != u.y) {
        position_value = min(position_value, u);
    }
    if (c1) {
        position_value += u;
    }
    if (c1 && c2) {
        position_value += u;
    }
    if (v.y < u.y) {
        position_value = position_value + u + u;
    }
    gl_Position = position_value;
}
