#version 330
// a program

layout(std140) uniform Scene {
    vec4 offset;
    vec4 tint;
    vec4 fog;
};

#ifdef GEOMETRY_SHADER
#define VARYING out
#endif
#ifdef FRAGMENT_SHADER
#define VARYING in
#endif
#ifdef VARYING
VARYING vec3 gNormal; // vNormal in the fragment program
flat VARYING vec4 gColor; // shade in the fragment program
#endif

#ifdef VERTEX_SHADER
layout(location = 0) in vec3 place;

out vec3 vNormal;
out vec4 vColor;

void main() {
    gl_Position = vec4(place + offset.xyz, 1.0);
    vNormal = place;
    vColor = tint;
}
#endif

#ifdef GEOMETRY_SHADER
layout(triangles) in;
layout(triangle_strip, max_vertices = 1) out;

in vec3 vNormal[];

void main() {
    gl_Position = vec4(vNormal[0], 1.0);
    gNormal = vNormal[1];
    gColor = vec4(vNormal[2], 1.0);
    EmitVertex();
    EndPrimitive();
}
#endif

#ifdef FRAGMENT_SHADER
out vec4 color;

void main() {
    vec4 tintValue = gColor * fog;
    color = vec4((gNormal.xy + offset.xy + tintValue.xy), 0.0, 1.0);
}
#endif
