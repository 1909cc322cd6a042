#version 450
// Assumed: no product of zero with an infinity or NaN is formed.

layout(std140, binding = 0) uniform Uniforms {
    vec4 points[40];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexCoord;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    vec4 offset = inPosition - points[39];
    vec4 offset2 = inPosition - points[38];
    vec4 offset3 = inPosition - points[37];
    vec4 offset4 = inPosition - points[36];
    vec4 offset5 = inPosition - points[35];
    vec4 offset6 = inPosition - points[34];
    vec4 offset7 = inPosition - points[33];
    vec4 offset8 = inPosition - points[32];
    vec4 scaled = max(
        offset8,
        max(
            offset7,
            max(
                offset6,
                max(
                    offset5,
                    max(offset4, max(offset3, max(offset2, offset * 0.75) * 0.75) * 0.75) * 0.75
                ) * 0.75
            ) * 0.75
        ) * 0.75
    ) * 0.75;
    vec4 offset9 = inPosition - points[31];
    vec4 offset10 = inPosition - points[30];
    vec4 offset11 = inPosition - points[29];
    vec4 offset12 = inPosition - points[28];
    vec4 offset13 = inPosition - points[27];
    vec4 offset14 = inPosition - points[26];
    vec4 offset15 = inPosition - points[25];
    vec4 offset16 = inPosition - points[24];
    scaled = max(
        offset16,
        max(
            offset15,
            max(
                offset14,
                max(
                    offset13,
                    max(
                        offset12,
                        max(offset11, max(offset10, max(offset9, scaled) * 0.75) * 0.75) * 0.75
                    ) * 0.75
                ) * 0.75
            ) * 0.75
        ) * 0.75
    );
    vec4 offset17 = inPosition - points[23];
    vec4 offset18 = inPosition - points[22];
    vec4 offset19 = inPosition - points[21];
    vec4 offset20 = inPosition - points[20];
    vec4 offset21 = inPosition - points[19];
    vec4 offset22 = inPosition - points[18];
    vec4 offset23 = inPosition - points[17];
    scaled = max(
        offset23,
        max(
            offset22,
            max(
                offset21,
                max(
                    offset20,
                    max(offset19, max(offset18, max(offset17, scaled * 0.75) * 0.75) * 0.75) * 0.75
                ) * 0.75
            ) * 0.75
        ) * 0.75
    ) * 0.75;
    vec4 offset24 = inPosition - points[16];
    vec4 offset25 = inPosition - points[15];
    vec4 offset26 = inPosition - points[14];
    vec4 offset27 = inPosition - points[13];
    vec4 offset28 = inPosition - points[12];
    vec4 offset29 = inPosition - points[11];
    vec4 offset30 = inPosition - points[10];
    vec4 offset31 = inPosition - points[9];
    scaled = max(
        offset31,
        max(
            offset30,
            max(
                offset29,
                max(
                    offset28,
                    max(
                        offset27,
                        max(offset26, max(offset25, max(offset24, scaled) * 0.75) * 0.75) * 0.75
                    ) * 0.75
                ) * 0.75
            ) * 0.75
        ) * 0.75
    );
    vec4 offset32 = inPosition - points[8];
    vec4 offset33 = inPosition - points[7];
    vec4 offset34 = inPosition - points[6];
    vec4 offset35 = inPosition - points[5];
    vec4 offset36 = inPosition - points[4];
    vec4 offset37 = inPosition - points[3];
    vec4 offset38 = inPosition - points[2];
    scaled = max(
        offset38,
        max(
            offset37,
            max(
                offset36,
                max(
                    offset35,
                    max(offset34, max(offset33, max(offset32, scaled * 0.75) * 0.75) * 0.75) * 0.75
                ) * 0.75
            ) * 0.75
        ) * 0.75
    ) * 0.75;
    vec4 offset39 = inPosition - points[1];
    vec4 colorValue = inPosition - points[0];
    vec4 sum = ((((colorValue * 0.5 + offset39 * inTexCoord.y) * 0.5 + offset38 * inTexCoord.x)
        * 0.5
        + offset37 * inTexCoord.y)
        * 0.5
        + offset36 * inTexCoord.x)
        * 0.5
        + offset35 * inTexCoord.y;
    sum = ((((sum * 0.5 + offset34 * inTexCoord.x) * 0.5 + offset33 * inTexCoord.y) * 0.5
        + offset32 * inTexCoord.x)
        * 0.5
        + offset31 * inTexCoord.y)
        * 0.5
        + offset30 * inTexCoord.x;
    sum = ((((sum * 0.5 + offset29 * inTexCoord.y) * 0.5 + offset28 * inTexCoord.x) * 0.5
        + offset27 * inTexCoord.y)
        * 0.5
        + offset26 * inTexCoord.x)
        * 0.5
        + offset25 * inTexCoord.y;
    sum = ((((sum * 0.5 + offset24 * inTexCoord.x) * 0.5 + offset23 * inTexCoord.y) * 0.5
        + offset22 * inTexCoord.x)
        * 0.5
        + offset21 * inTexCoord.y)
        * 0.5
        + offset20 * inTexCoord.x;
    sum = ((((sum * 0.5 + offset19 * inTexCoord.y) * 0.5 + offset18 * inTexCoord.x) * 0.5
        + offset17 * inTexCoord.y)
        * 0.5
        + offset16 * inTexCoord.x)
        * 0.5
        + offset15 * inTexCoord.y;
    sum = ((((sum * 0.5 + offset14 * inTexCoord.x) * 0.5 + offset13 * inTexCoord.y) * 0.5
        + offset12 * inTexCoord.x)
        * 0.5
        + offset11 * inTexCoord.y)
        * 0.5
        + offset10 * inTexCoord.x;
    sum = ((((sum * 0.5 + offset9 * inTexCoord.y) * 0.5 + offset8 * inTexCoord.x) * 0.5
        + offset7 * inTexCoord.y)
        * 0.5
        + offset6 * inTexCoord.x)
        * 0.5
        + offset5 * inTexCoord.y;
    color = max(colorValue, max(offset39, scaled) * 0.75);
    texcoord0 = inTexCoord.xy;
    gl_Position = (((sum * 0.5 + offset4 * inTexCoord.x) * 0.5 + offset3 * inTexCoord.y) * 0.5
        + offset2 * inTexCoord.x)
        * 0.5
        + offset * inTexCoord.y;
}
