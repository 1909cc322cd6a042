// refused: 15: deep
#version 450
in vec4 inPosition;

uniform int n;
out vec4 color;

void main()
{
    vec4 sum = inPosition;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    for (int m = 0; m < n; m++)
                        sum = sum.yzwx * 0.5 + float(i + j + k + l + m);
    color = sum;
    gl_Position = inPosition;
}
