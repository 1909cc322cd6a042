#version 330
// latte_vendor_points.gsh#vertex0: vertex program, latte

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;

out vec4 param0;

void main() {
    gl_Position = position;
    param0 = color;
}

#version 330
// latte_vendor_points.gsh#geometry0: geometry program, latte
// Assumed: no number is so small that the machine takes it for zero; no product of zero with an
// infinity or NaN is formed.

layout(points) in;
layout(triangle_strip, max_vertices = 2) out;

in vec4 param0[];

out vec4 v_param_0;

void main() {
    gl_Position = gl_in[0].gl_Position;
    v_param_0 = param0[0];
    EmitVertex();
    gl_Position = vec4(gl_in[0].gl_Position.x + 1.0, gl_in[0].gl_Position.yzw);
    v_param_0 = vec4(param0[0].x, param0[0].y * 0.5, param0[0].zw);
    EmitVertex();
}

#version 330
// latte_vendor_points.gsh#copy0: vertex program, latte

layout(location = 0) in vec4 ring0;
layout(location = 1) in vec4 ring1;

out vec4 v_param_0;

void main() {
    gl_Position = ring1;
    v_param_0 = ring0;
}
