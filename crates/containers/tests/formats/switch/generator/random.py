# Writes random files with their descriptions to standard output, each as two lengths, the file, the text. Every
# fourth is big endian; half of both go through the versions in turn.
import json, struct


def send(data, dump):
    text = json.dumps(dump).encode()
    sys.stdout.buffer.write(struct.pack("<II", len(data), len(text)) + data + text)


make, other = little(sys.argv[1]), big(sys.argv[1])
for seed in range(int(sys.argv[2]), int(sys.argv[3])):
    use = other if seed % 4 == 3 else make
    send(*use.random_bnsh(seed, use.BNSH_VERSIONS[seed // 4 % len(use.BNSH_VERSIONS)] if seed % 2 else None))
    send(*use.random_bfsha(seed, use.BFSHA_VERSIONS[seed // 4 % len(use.BFSHA_VERSIONS)] if seed % 2 else None))
    if sys.argv[4] and seed % 10 == 0:
        send(*make.make_fsha(seed, codes := make.r700_codes(sys.argv[4])))
