#version 450
// pica200_t05_cond.shbin#0: vertex program, pica200
// Assumed: no product of zero with an infinity or NaN is formed; the sign of a zero does not
// matter, and no NaN is compared.

layout(std140, binding = 0) uniform Uniforms {
    vec4 u;
    vec4 t;
};

layout(location = 0) in vec4 v;

void main() {
    vec4 position = v.x == u.x ? t + u : t;
    position = (v.x > u.x ? position - u : position + u) * u;
    if (v.x >= u.x && v.y > u.y) {
        position = max(position * u, u);
    }
    bool isBelow = v.x <= u.x;
    bool isEqual = v.y == u.y;
    if (v.x > u.x && isEqual) {
        position = min(position, u);
    }
    if (isBelow || v.y != u.y) {
        position = min(position, u);
        if (isBelow) {
            position += u;
        }
    }
    if (isBelow && isEqual) {
        position += u;
    }
    if (v.y < u.y) {
        position = position + u + u;
    }
    gl_Position = position;
}
