#version 330
// latte_interp.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

in vec4 param0;
in vec4 param1;
in vec4 param2;
in vec4 param3;

layout(location = 0) out vec4 color0;

void main() {
    vec3 v0 = vec3(
        vec2(float(floatBitsToInt(param2.x)) + param3.x, float(floatBitsToInt(param2.y)))
            + vec2(param0.x, param3.y),
        float(floatBitsToInt(param2.z))
    ) + vec3(param1.x, param0.y, param3.z);
    vec3 v1 = vec3(float(floatBitsToInt(param2.w)), v0.yz) + vec3(param3.w, param1.y, param0.z);
    vec2 v2 = v1.xz + vec2(param0.w, param1.x);
    color0 = vec4(v0.x, v1.y, v2.y, v2.x + param1.y);
}
