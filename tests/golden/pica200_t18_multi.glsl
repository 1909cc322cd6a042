#version 450
// pica200_t18_multi.shbin#0: vertex program, pica200
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 proj;
    mat4 mview;
    vec4 tintA;
    vec4 offset;
};

layout(location = 0) in vec4 p;

layout(location = 1) out vec4 color;

void main() {
    gl_Position = proj * (offset + mview * vec4(p.xyz, 1.0));
    color = vec4(tintA.xyz * p.xyz, tintA.w);
}

#version 450
// pica200_t18_multi.shbin#1: vertex program, pica200
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 proj;
    mat4 mview;
    vec4 tintB[2];
    vec4 offset;
    bool useTint;
};

layout(location = 0) in vec4 p;
layout(location = 1) in vec4 t;

layout(location = 1) out vec4 texcoord0;
layout(location = 2) out vec4 color;

void main() {
    gl_Position = proj * (offset + mview * vec4(p.xyz, 1.0));
    texcoord0 = useTint ? tintB[1] * t : t;
    color = vec4(0.5, 0.25, 0.125, 1.0);
}

#version 450
// pica200_t18_multi.shbin#2: geometry program, pica200

layout(points) in;
layout(triangle_strip, max_vertices = 3) out;

layout(std140, binding = 0) uniform Uniforms {
    vec4 goff;
};

layout(location = 0) in vec4 position[];

void main() {
    vec4 positionValue = goff + position[0];
    vec2 positionValue2 = goff.zx + position[0].xz;
    gl_Position = positionValue;
    EmitVertex();
    gl_Position = vec4(goff.yx + position[0].xy, positionValue.zw);
    EmitVertex();
    gl_Position = vec4(positionValue2.x, positionValue.y, positionValue2.y, positionValue.w);
    EmitVertex();
    EndPrimitive();
}
