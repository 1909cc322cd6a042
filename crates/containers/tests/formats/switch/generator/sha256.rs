//! SHA-256 (FIPS 180-4), as the generator's descriptions name blobs by it.

fn primes() -> impl Iterator<Item = u64> {
    (2_u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// The first 32 bits behind the point of a root.
fn fraction(value: f64) -> u32 {
    ((value - value.floor()) * 4_294_967_296.0) as u32
}

/// The digest of `bytes` in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let constants: Vec<u32> = primes().take(64).map(|p| fraction((p as f64).cbrt())).collect();
    let mut state: Vec<u32> = primes().take(8).map(|p| fraction((p as f64).sqrt())).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.as_chunks::<64>().0 {
        let mut words: Vec<u32> =
            block.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word)).collect();
        for index in 16..64 {
            let (a, b) = (words[index - 15], words[index - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            words.push(words[index - 16].wrapping_add(s0).wrapping_add(words[index - 7]).wrapping_add(s1));
        }
        let mut v = state.clone();
        for (word, constant) in words.iter().zip(&constants) {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = v[4] & v[5] ^ !v[4] & v[6];
            let first =
                v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(*constant).wrapping_add(*word);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2];
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(first);
            v[0] = first.wrapping_add(s0).wrapping_add(majority);
        }
        for (sum, add) in state.iter_mut().zip(v) {
            *sum = sum.wrapping_add(add);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}
