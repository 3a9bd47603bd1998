/* One block of a 256-bit hash: the schedule of 64 words, then 64 rounds with computed constants. */
unsigned words[64], state[8];

int prepare(int input)
{
    for (int i = 0; i < 16; i++) words[i] = (unsigned)(i + input) * 0x9e3779b9u;
    for (int i = 0; i < 8; i++) state[i] = (unsigned)i * 0x6a09e667u;
    return input < 1;
}

static unsigned turned(unsigned x, int n) { return x >> n | x << (32 - n); }

void run(void)
{
    for (int i = 16; i < 64; i++) {
        unsigned a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    unsigned s[8];
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        unsigned t = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + words[i];
        unsigned u = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--) s[k] = s[k - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}
