#version 450
// Terrain from several octaves: a loop with a uniform bound around one of constant length.
// range: octaves 0 5 integer
in vec3 inPosition;
in vec2 inTexcoord;
uniform int octaves;
uniform vec4 directions[3];
uniform mat4 mvp;
out vec4 color;
out vec2 texcoord0;

void main()
{
    float height = 0.0;
    float amplitude = 1.0;
    float frequency = 0.25;
    for (int octave = 0; octave < octaves; octave++) {
        float ridge = 0.0;
        for (int i = 0; i < 3; i++) {
            float along = dot(directions[i].xy, inPosition.xz) * frequency + directions[i].z;
            ridge += abs(fract(along) - 0.5);
        }
        height += ridge * amplitude;
        amplitude *= 0.5;
        frequency *= 2.0;
    }
    gl_Position = mvp * vec4(inPosition.x, height, inPosition.z, 1.0);
    color = vec4(vec3(height * 0.25), 1.0);
    texcoord0 = inTexcoord;
}
