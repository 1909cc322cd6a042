#version 450
// Skinning with dual quaternions: two rows a bone, the second bone's sign corrected.
// range: bones 0 7 integer
// range: weight 0 1
// range: dualQuaternions 0.125 1
in vec3 inPosition;
in vec2 bones;
in float weight;
uniform vec4 dualQuaternions[16];
uniform mat4 mvp;
out vec4 color;

void main()
{
    int first = int(bones.x) * 2;
    int second = int(bones.y) * 2;
    vec4 real0 = dualQuaternions[first];
    vec4 dual0 = dualQuaternions[first + 1];
    vec4 real1 = dualQuaternions[second];
    vec4 dual1 = dualQuaternions[second + 1];

    float other = 1.0 - weight;
    if (dot(real0, real1) < 0.0) {
        other = -other;
    }
    vec4 real = real0 * weight + real1 * other;
    vec4 dual = dual0 * weight + dual1 * other;
    float scale = inversesqrt(dot(real, real));
    real *= scale;
    dual *= scale;

    vec3 turned = inPosition + 2.0 * cross(real.xyz, cross(real.xyz, inPosition) + real.w * inPosition);
    vec3 moved = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
    gl_Position = mvp * vec4(turned + moved, 1.0);
    color = abs(real);
}
