// example.shbin #0, for PICA200

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct Uniforms {
    metal::float4 u_tint;
    float u_bias;
    char _pad2[12];
};
struct FragmentOutput {
    metal::float4 fragColor;
};

struct main_Input {
    metal::float2 v_uv [[user(loc0), center_perspective]];
    float v_fog [[user(loc3), center_perspective]];
    metal::float3 v_normal [[user(loc1), center_perspective]];
    metal::float4 v_shadow [[user(loc2), center_perspective]];
};
struct main_Output {
    metal::float4 fragColor [[color(0)]];
};
fragment main_Output main_(
  main_Input varyings [[stage_in]]
, constant Uniforms& uniforms [[user(fake0)]]
, metal::texture2d<float, metal::access::sample> u_diffuse [[user(fake0)]]
, metal::sampler u_diffuse_sampler [[user(fake0)]]
, metal::texturecube<float, metal::access::sample> u_sky [[user(fake0)]]
, metal::sampler u_sky_sampler [[user(fake0)]]
) {
    const auto v_uv = varyings.v_uv;
    const auto v_fog = varyings.v_fog;
    const auto v_normal = varyings.v_normal;
    const auto v_shadow = varyings.v_shadow;
    metal::float4 base = {};
    metal::float4 u_tint = uniforms.u_tint;
    float u_bias = uniforms.u_bias;
    metal::float4 texel = u_diffuse.sample(u_diffuse_sampler, v_uv);
    base = texel * u_tint;
    metal::float4 _e14 = base;
    if (_e14.w < 0.5) {
        metal::discard_fragment();
    }
    metal::float4 texel_1 = u_sky.sample(u_sky_sampler, metal::normalize(v_normal));
    if (0.0 < v_fog) {
        metal::float4 _e24 = base;
        metal::float4 texel_2 = u_diffuse.sample(u_diffuse_sampler, v_uv, metal::bias(u_bias));
        base = _e24 + texel_2;
    }
    metal::float4 _e29 = base;
    metal::float4 texel_3 = u_diffuse.sample(u_diffuse_sampler, v_shadow.xy / metal::float2(v_shadow.w));
    metal::float4 fragColor = metal::mix(_e29, texel_1, metal::float4(v_fog)) * texel_3;
    const auto _tmp = FragmentOutput {fragColor};
    return main_Output { _tmp.fragColor };
}
