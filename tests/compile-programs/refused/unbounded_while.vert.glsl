// refused: 11: loop
#version 450
in vec4 inPosition;

out vec4 color;

void main()
{
    float x = abs(inPosition.x);
    float steps = 0.0;
    while (x > 0.125) {
        x *= 0.5;
        steps += 1.0;
    }
    color = vec4(steps);
    gl_Position = inPosition;
}
