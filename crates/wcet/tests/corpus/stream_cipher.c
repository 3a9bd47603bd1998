/* A stream cipher with a permutation of 64 places: it is set up by a key, then 32 bytes are drawn. */
unsigned char key[8], drawn[32];

int prepare(int input)
{
    for (int i = 0; i < 8; i++) key[i] = (unsigned char)(i * 29 + input);
    return input < 2;
}

void run(void)
{
    unsigned char s[64];
    for (int i = 0; i < 64; i++) s[i] = (unsigned char)i;
    unsigned j = 0;
    for (unsigned i = 0; i < 64; i++) {
        j = (j + s[i] + key[i & 7]) & 63;
        unsigned char kept = s[i];
        s[i] = s[j];
        s[j] = kept;
    }
    unsigned i = 0;
    j = 0;
    for (int n = 0; n < 32; n++) {
        i = (i + 1) & 63;
        j = (j + s[i]) & 63;
        unsigned char kept = s[i];
        s[i] = s[j];
        s[j] = kept;
        drawn[n] = s[(s[i] + s[j]) & 63];
    }
}
