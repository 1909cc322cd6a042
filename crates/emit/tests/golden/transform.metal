// example.shbin #0, for PICA200
// Assumed: all inputs are finite.

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct Uniforms {
    metal::float4x4 projection;
    metal::float3x4 modelView;
    metal::float3 lightDirection;
    metal::float4 tint;
};
struct VertexOutput {
    metal::float4 position;
    metal::float4 color;
    metal::float2 texcoord0;
    char _pad3[8];
};

struct main_Input {
    metal::float4 inPosition [[attribute(0)]];
    metal::float3 inNormal [[attribute(1)]];
    metal::float2 inTexcoord [[attribute(2)]];
};
struct main_Output {
    metal::float4 position [[position]];
    metal::float4 color [[user(loc1), center_perspective]];
    metal::float2 texcoord0 [[user(loc2), center_perspective]];
};
vertex main_Output main_(
  main_Input varyings [[stage_in]]
, constant Uniforms& uniforms [[user(fake0)]]
) {
    const auto inPosition = varyings.inPosition;
    const auto inNormal = varyings.inNormal;
    const auto inTexcoord = varyings.inTexcoord;
    metal::float4x4 projection = uniforms.projection;
    metal::float3x4 modelView = uniforms.modelView;
    metal::float3 lightDirection = uniforms.lightDirection;
    metal::float4 tint = uniforms.tint;
    metal::float4 viewPosition = metal::float4(inPosition * modelView, 1.0);
    metal::float4 position = viewPosition * projection;
    metal::float3 normal = metal::normalize(metal::float3(metal::dot(modelView[0].xyz, inNormal), metal::dot(modelView[1].xyz, inNormal), metal::dot(modelView[2].xyz, inNormal)));
    float lambert = metal::max(metal::dot(normal, -(lightDirection)), 0.0);
    metal::float4 color = tint * metal::float4(metal::float3(lambert), 1.0);
    const auto _tmp = VertexOutput {position, color, inTexcoord};
    return main_Output { _tmp.position, _tmp.color, _tmp.texcoord0 };
}
