//! Formats of what fetches find in a buffer.

use super::numbered;

numbered! {
    /// Format of the data in a buffer. Components are named from the one in the highest bits down, as AMD does.
    DataFormat, u32 {
        /// 8 bits.
        X8 = 1 "8",
        /// 4 bits each.
        X4Y4 = 2 "4_4",
        /// 3, 3 and 2 bits.
        X3Y3Z2 = 3 "3_3_2",
        /// 16 bits.
        X16 = 5 "16",
        /// 16-bit float.
        X16Float = 6 "16_FLOAT",
        /// 8 bits each.
        X8Y8 = 7 "8_8",
        /// 5, 6 and 5 bits.
        X5Y6Z5 = 8 "5_6_5",
        /// 6, 5 and 5 bits.
        X6Y5Z5 = 9 "6_5_5",
        /// 1, 5, 5 and 5 bits.
        X1Y5Z5W5 = 10 "1_5_5_5",
        /// 4 bits each.
        X4Y4Z4W4 = 11 "4_4_4_4",
        /// 5, 5, 5 and 1 bits.
        X5Y5Z5W1 = 12 "5_5_5_1",
        /// 32 bits.
        X32 = 13 "32",
        /// 32-bit float.
        X32Float = 14 "32_FLOAT",
        /// 16 bits each.
        X16Y16 = 15 "16_16",
        /// 16-bit floats.
        X16Y16Float = 16 "16_16_FLOAT",
        /// 8 and 24 bits.
        X8Y24 = 17 "8_24",
        /// 8 bits and a 24-bit float.
        X8Y24Float = 18 "8_24_FLOAT",
        /// 24 and 8 bits.
        X24Y8 = 19 "24_8",
        /// A 24-bit float and 8 bits.
        X24Y8Float = 20 "24_8_FLOAT",
        /// 10, 11 and 11 bits.
        X10Y11Z11 = 21 "10_11_11",
        /// Small floats of 10, 11 and 11 bits.
        X10Y11Z11Float = 22 "10_11_11_FLOAT",
        /// 11, 11 and 10 bits.
        X11Y11Z10 = 23 "11_11_10",
        /// Small floats of 11, 11 and 10 bits.
        X11Y11Z10Float = 24 "11_11_10_FLOAT",
        /// 2, 10, 10 and 10 bits.
        X2Y10Z10W10 = 25 "2_10_10_10",
        /// 8 bits each.
        X8Y8Z8W8 = 26 "8_8_8_8",
        /// 10, 10, 10 and 2 bits.
        X10Y10Z10W2 = 27 "10_10_10_2",
        /// 32-bit float with 8 bits beside it.
        X24Y8Z32Float = 28 "X24_8_32_FLOAT",
        /// 32 bits each.
        X32Y32 = 29 "32_32",
        /// 32-bit floats.
        X32Y32Float = 30 "32_32_FLOAT",
        /// 16 bits each.
        X16Y16Z16W16 = 31 "16_16_16_16",
        /// 16-bit floats.
        X16Y16Z16W16Float = 32 "16_16_16_16_FLOAT",
        /// 32 bits each.
        X32Y32Z32W32 = 34 "32_32_32_32",
        /// 32-bit floats.
        X32Y32Z32W32Float = 35 "32_32_32_32_FLOAT",
        /// One bit.
        X1 = 37 "1",
        /// Two pixels with shared colour.
        GbGr = 39 "GB_GR",
        /// Two pixels with shared colour.
        BgRg = 40 "BG_RG",
        /// 32 bits as 8.
        X32As8 = 41 "32_AS_8",
        /// 32 bits as twice 8.
        X32As8Y8 = 42 "32_AS_8_8",
        /// Three mantissas with a shared exponent.
        X5Y9Z9E9 = 43 "5_9_9_9_SHAREDEXP",
        /// 8 bits each.
        X8Y8Z8 = 44 "8_8_8",
        /// 16 bits each.
        X16Y16Z16 = 45 "16_16_16",
        /// 16-bit floats.
        X16Y16Z16Float = 46 "16_16_16_FLOAT",
        /// 32 bits each.
        X32Y32Z32 = 47 "32_32_32",
        /// 32-bit floats.
        X32Y32Z32Float = 48 "32_32_32_FLOAT",
        /// Block compression 1.
        Bc1 = 49 "BC1",
        /// Block compression 2.
        Bc2 = 50 "BC2",
        /// Block compression 3.
        Bc3 = 51 "BC3",
        /// Block compression 4.
        Bc4 = 52 "BC4",
        /// Block compression 5.
        Bc5 = 53 "BC5",
    }
}
