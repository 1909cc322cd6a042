//! Functions that see other lanes: subgroups, votes, ballots; and clocks.

use super::Operation as Do;
use super::operation::{Memory, Reduction, Subgroup};
use super::row::{Row, row};
use crate::language::{Since, Stage, since, since_or};

const BASIC: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_basic"]);
const VOTE: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_vote"]);
const ARITHMETIC: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_arithmetic"]);
const BALLOT: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_ballot"]);
const SHUFFLE: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_shuffle"]);
const RELATIVE: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_shuffle_relative"]);
const CLUSTERED: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_clustered"]);
const QUAD: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_quad"]);
const ROTATE: Since = since_or(0, 0, &["GL_KHR_shader_subgroup_rotate"]);
const PARTITIONED: Since = since_or(0, 0, &["GL_NV_shader_subgroup_partitioned"]);
const VOTE_460: Since = since(460, 0);
const VOTE_ARB: Since = since_or(0, 0, &["GL_ARB_shader_group_vote"]);
const BALLOT_ARB: Since = since_or(0, 0, &["GL_ARB_shader_ballot"]);
const DEMOTE: Since = since_or(0, 0, &["GL_EXT_demote_to_helper_invocation"]);
const CLOCK_ARB: Since = since_or(0, 0, &["GL_ARB_shader_clock"]);
const CLOCK_EXT: Since = since_or(0, 0, &["GL_EXT_shader_realtime_clock"]);

/// All of them.
pub(super) static ROWS: &[Row] = &[
    row("void subgroupBarrier()", "", BASIC, Do::Subgroup(Subgroup::Barrier)),
    row("void subgroupMemoryBarrier()", "", BASIC, Do::Subgroup(Subgroup::MemoryBarrier(Memory::All))),
    row(
        "void subgroupMemoryBarrierBuffer()",
        "",
        BASIC,
        Do::Subgroup(Subgroup::MemoryBarrier(Memory::Buffer)),
    ),
    row("void subgroupMemoryBarrierImage()", "", BASIC, Do::Subgroup(Subgroup::MemoryBarrier(Memory::Image))),
    row(
        "void subgroupMemoryBarrierShared()",
        "",
        BASIC,
        Do::Subgroup(Subgroup::MemoryBarrier(Memory::Shared)),
    )
    .only(&[Stage::Compute]),
    row("bool subgroupElect()", "", BASIC, Do::Subgroup(Subgroup::Elect)),
    row("bool subgroupAll(bool)", "", VOTE, Do::Subgroup(Subgroup::All)),
    row("bool subgroupAny(bool)", "", VOTE, Do::Subgroup(Subgroup::Any)),
    row("bool subgroupAllEqual(gen)", "fiubdhlmstce", VOTE, Do::Subgroup(Subgroup::AllEqual)),
    row("gen subgroupBroadcast(gen,uint)", "fiubdhlmstce", BALLOT, Do::Subgroup(Subgroup::Broadcast)),
    row("gen subgroupBroadcastFirst(gen)", "fiubdhlmstce", BALLOT, Do::Subgroup(Subgroup::BroadcastFirst)),
    row("uvec4 subgroupBallot(bool)", "", BALLOT, Do::Subgroup(Subgroup::Ballot)),
    row("bool subgroupInverseBallot(uvec4)", "", BALLOT, Do::Subgroup(Subgroup::InverseBallot)),
    row("bool subgroupBallotBitExtract(uvec4,uint)", "", BALLOT, Do::Subgroup(Subgroup::BallotBitExtract)),
    row("uint subgroupBallotBitCount(uvec4)", "", BALLOT, Do::Subgroup(Subgroup::BallotBitCount)),
    row(
        "uint subgroupBallotInclusiveBitCount(uvec4)",
        "",
        BALLOT,
        Do::Subgroup(Subgroup::BallotInclusiveBitCount),
    ),
    row(
        "uint subgroupBallotExclusiveBitCount(uvec4)",
        "",
        BALLOT,
        Do::Subgroup(Subgroup::BallotExclusiveBitCount),
    ),
    row("uint subgroupBallotFindLSB(uvec4)", "", BALLOT, Do::Subgroup(Subgroup::BallotFindLsb)),
    row("uint subgroupBallotFindMSB(uvec4)", "", BALLOT, Do::Subgroup(Subgroup::BallotFindMsb)),
    row("gen subgroupShuffle(gen,uint)", "fiubdhlmstce", SHUFFLE, Do::Subgroup(Subgroup::Shuffle)),
    row("gen subgroupShuffleXor(gen,uint)", "fiubdhlmstce", SHUFFLE, Do::Subgroup(Subgroup::ShuffleXor)),
    row("gen subgroupShuffleUp(gen,uint)", "fiubdhlmstce", RELATIVE, Do::Subgroup(Subgroup::ShuffleUp)),
    row("gen subgroupShuffleDown(gen,uint)", "fiubdhlmstce", RELATIVE, Do::Subgroup(Subgroup::ShuffleDown)),
    row("gen subgroupRotate(gen,uint)", "fiubdhlmstce", ROTATE, Do::Subgroup(Subgroup::Rotate)),
    row(
        "gen subgroupClusteredRotate(gen,uint,uint)",
        "fiubdhlmstce",
        ROTATE,
        Do::Subgroup(Subgroup::ClusteredRotate),
    ),
    row("gen subgroupAdd(gen)", "fiudhlmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::Add))),
    row(
        "gen subgroupInclusiveAdd(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::Add)),
    ),
    row(
        "gen subgroupExclusiveAdd(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::Add)),
    ),
    row(
        "gen subgroupClusteredAdd(gen,uint)",
        "fiudhlmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::Add)),
    ),
    row("gen subgroupMul(gen)", "fiudhlmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::Mul))),
    row(
        "gen subgroupInclusiveMul(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::Mul)),
    ),
    row(
        "gen subgroupExclusiveMul(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::Mul)),
    ),
    row(
        "gen subgroupClusteredMul(gen,uint)",
        "fiudhlmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::Mul)),
    ),
    row("gen subgroupMin(gen)", "fiudhlmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::Min))),
    row(
        "gen subgroupInclusiveMin(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::Min)),
    ),
    row(
        "gen subgroupExclusiveMin(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::Min)),
    ),
    row(
        "gen subgroupClusteredMin(gen,uint)",
        "fiudhlmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::Min)),
    ),
    row("gen subgroupMax(gen)", "fiudhlmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::Max))),
    row(
        "gen subgroupInclusiveMax(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::Max)),
    ),
    row(
        "gen subgroupExclusiveMax(gen)",
        "fiudhlmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::Max)),
    ),
    row(
        "gen subgroupClusteredMax(gen,uint)",
        "fiudhlmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::Max)),
    ),
    row("gen subgroupAnd(gen)", "iublmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::And))),
    row(
        "gen subgroupInclusiveAnd(gen)",
        "iublmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::And)),
    ),
    row(
        "gen subgroupExclusiveAnd(gen)",
        "iublmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::And)),
    ),
    row(
        "gen subgroupClusteredAnd(gen,uint)",
        "iublmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::And)),
    ),
    row("gen subgroupOr(gen)", "iublmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::Or))),
    row(
        "gen subgroupInclusiveOr(gen)",
        "iublmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::Or)),
    ),
    row(
        "gen subgroupExclusiveOr(gen)",
        "iublmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::Or)),
    ),
    row(
        "gen subgroupClusteredOr(gen,uint)",
        "iublmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::Or)),
    ),
    row("gen subgroupXor(gen)", "iublmstce", ARITHMETIC, Do::Subgroup(Subgroup::Reduce(Reduction::Xor))),
    row(
        "gen subgroupInclusiveXor(gen)",
        "iublmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::InclusiveScan(Reduction::Xor)),
    ),
    row(
        "gen subgroupExclusiveXor(gen)",
        "iublmstce",
        ARITHMETIC,
        Do::Subgroup(Subgroup::ExclusiveScan(Reduction::Xor)),
    ),
    row(
        "gen subgroupClusteredXor(gen,uint)",
        "iublmstce",
        CLUSTERED,
        Do::Subgroup(Subgroup::Clustered(Reduction::Xor)),
    ),
    row("gen subgroupQuadBroadcast(gen,uint)", "fiubdhlmstce", QUAD, Do::Subgroup(Subgroup::QuadBroadcast)),
    row(
        "gen subgroupQuadSwapHorizontal(gen)",
        "fiubdhlmstce",
        QUAD,
        Do::Subgroup(Subgroup::QuadSwapHorizontal),
    ),
    row("gen subgroupQuadSwapVertical(gen)", "fiubdhlmstce", QUAD, Do::Subgroup(Subgroup::QuadSwapVertical)),
    row("gen subgroupQuadSwapDiagonal(gen)", "fiubdhlmstce", QUAD, Do::Subgroup(Subgroup::QuadSwapDiagonal)),
    row("bool anyInvocation(bool)", "", VOTE_460, Do::Subgroup(Subgroup::Any)),
    row("bool allInvocations(bool)", "", VOTE_460, Do::Subgroup(Subgroup::All)),
    row("bool allInvocationsEqual(bool)", "", VOTE_460, Do::Subgroup(Subgroup::AllEqual)),
    row("bool anyInvocationARB(bool)", "", VOTE_ARB, Do::Subgroup(Subgroup::Any)),
    row("bool allInvocationsARB(bool)", "", VOTE_ARB, Do::Subgroup(Subgroup::All)),
    row("bool allInvocationsEqualARB(bool)", "", VOTE_ARB, Do::Subgroup(Subgroup::AllEqual)),
    row("uint64_t ballotARB(bool)", "", BALLOT_ARB, Do::Subgroup(Subgroup::Ballot)),
    row("gen readInvocationARB(gen,uint)", "fiu", BALLOT_ARB, Do::Subgroup(Subgroup::Broadcast)),
    row("gen readFirstInvocationARB(gen)", "fiu", BALLOT_ARB, Do::Subgroup(Subgroup::BroadcastFirst)),
    row("bool helperInvocationEXT()", "", DEMOTE, Do::HelperInvocation).only(&[Stage::Fragment]),
    row("uvec2 clock2x32ARB()", "", CLOCK_ARB, Do::Clock),
    row("uint64_t clockARB()", "", CLOCK_ARB, Do::Clock),
    row("uvec2 clockRealtime2x32EXT()", "", CLOCK_EXT, Do::Clock),
    row("uint64_t clockRealtimeEXT()", "", CLOCK_EXT, Do::Clock),
    row("uvec4 subgroupPartitionNV(gen)", "fiubdhlmstce", PARTITIONED, Do::Subgroup(Subgroup::Partition)),
    row(
        "gen subgroupPartitionedAddNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::Add)),
    ),
    row(
        "gen subgroupPartitionedInclusiveAddNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::Add)),
    ),
    row(
        "gen subgroupPartitionedExclusiveAddNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::Add)),
    ),
    row(
        "gen subgroupPartitionedMulNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::Mul)),
    ),
    row(
        "gen subgroupPartitionedInclusiveMulNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::Mul)),
    ),
    row(
        "gen subgroupPartitionedExclusiveMulNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::Mul)),
    ),
    row(
        "gen subgroupPartitionedMinNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::Min)),
    ),
    row(
        "gen subgroupPartitionedInclusiveMinNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::Min)),
    ),
    row(
        "gen subgroupPartitionedExclusiveMinNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::Min)),
    ),
    row(
        "gen subgroupPartitionedMaxNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::Max)),
    ),
    row(
        "gen subgroupPartitionedInclusiveMaxNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::Max)),
    ),
    row(
        "gen subgroupPartitionedExclusiveMaxNV(gen,uvec4)",
        "fiudhlmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::Max)),
    ),
    row(
        "gen subgroupPartitionedAndNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::And)),
    ),
    row(
        "gen subgroupPartitionedInclusiveAndNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::And)),
    ),
    row(
        "gen subgroupPartitionedExclusiveAndNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::And)),
    ),
    row(
        "gen subgroupPartitionedOrNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::Or)),
    ),
    row(
        "gen subgroupPartitionedInclusiveOrNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::Or)),
    ),
    row(
        "gen subgroupPartitionedExclusiveOrNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::Or)),
    ),
    row(
        "gen subgroupPartitionedXorNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::Partitioned(Reduction::Xor)),
    ),
    row(
        "gen subgroupPartitionedInclusiveXorNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedInclusiveScan(Reduction::Xor)),
    ),
    row(
        "gen subgroupPartitionedExclusiveXorNV(gen,uvec4)",
        "iublmstce",
        PARTITIONED,
        Do::Subgroup(Subgroup::PartitionedExclusiveScan(Reduction::Xor)),
    ),
];
