#version 450
// Irradiance from nine spherical-harmonic coefficients.
// range: inNormal -1 1
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform vec3 sh[9];
out vec4 color;

vec3 irradiance(vec3 n)
{
    vec3 result = sh[0] * 0.282095;
    result += sh[1] * (0.488603 * n.y);
    result += sh[2] * (0.488603 * n.z);
    result += sh[3] * (0.488603 * n.x);
    result += sh[4] * (1.092548 * n.x * n.y);
    result += sh[5] * (1.092548 * n.y * n.z);
    result += sh[6] * (0.315392 * (3.0 * n.z * n.z - 1.0));
    result += sh[7] * (1.092548 * n.x * n.z);
    result += sh[8] * (0.546274 * (n.x * n.x - n.y * n.y));
    return result;
}

void main()
{
    color = vec4(max(irradiance(inNormal), vec3(0.0)), 1.0);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
