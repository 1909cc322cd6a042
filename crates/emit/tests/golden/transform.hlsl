// example.shbin #0, for PICA200
// Assumed: all inputs are finite.

struct Uniforms {
    row_major float4x4 projection;
    row_major float3x4 modelView;
    float3 lightDirection;
    int _pad3_0;
    float4 tint;
};

struct VertexOutput {
    float4 position : SV_Position;
    float4 color : LOC1;
    float2 texcoord0 : LOC2;
};

cbuffer uniforms : register(b0) { Uniforms uniforms; }

struct VertexOutput_main {
    float4 color : LOC1;
    float2 texcoord0 : LOC2;
    float4 position : SV_Position;
};

VertexOutput ConstructVertexOutput(float4 arg0, float4 arg1, float2 arg2) {
    VertexOutput ret = (VertexOutput)0;
    ret.position = arg0;
    ret.color = arg1;
    ret.texcoord0 = arg2;
    return ret;
}

VertexOutput_main main(float4 inPosition : LOC0, float3 inNormal : LOC1, float2 inTexcoord : LOC2)
{
    float4x4 projection = uniforms.projection;
    float3x4 modelView = uniforms.modelView;
    float3 lightDirection = uniforms.lightDirection;
    float4 tint = uniforms.tint;
    float4 viewPosition = float4(mul(modelView, inPosition), 1.0);
    float4 position_1 = mul(projection, viewPosition);
    float3 normal = normalize(float3(dot(modelView[0].xyz, inNormal), dot(modelView[1].xyz, inNormal), dot(modelView[2].xyz, inNormal)));
    float lambert = max(dot(normal, -(lightDirection)), 0.0);
    float4 color_1 = tint * float4((lambert).xxx, 1.0);
    const VertexOutput vertexoutput = ConstructVertexOutput(position_1, color_1, inTexcoord);
    const VertexOutput_main vertexoutput_1 = { vertexoutput.color, vertexoutput.texcoord0, vertexoutput.position };
    return vertexoutput_1;
}
