/* Sixteen symbols of a canonical Huffman code with lengths up to six, bit by bit. */
static const unsigned char first[7] = {0, 0, 0, 2, 10, 28, 62};
static const unsigned char counts[7] = {0, 0, 1, 3, 4, 3, 2};
static const unsigned char offset[7] = {0, 0, 0, 1, 4, 8, 11};
static const unsigned char symbols[13] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
unsigned char stream[16];
unsigned char decoded[16];

int prepare(int input)
{
    for (int i = 0; i < 16; i++) stream[i] = (unsigned char)(input == 0 ? 0xff : input == 1 ? 0xfb : 0x35 * i);
    return input < 3;
}

void run(void)
{
    unsigned bit = 0;
    for (int n = 0; n < 16; n++) {
        unsigned code = 0, length;
        for (length = 1; length <= 6; length++) {
            code = code << 1 | (stream[bit >> 3 & 15] >> (7 - (bit & 7)) & 1);
            bit++;
            if (code - first[length] < counts[length]) break;
        }
        decoded[n] = length <= 6 ? symbols[(offset[length] + code - first[length]) % 13] : 0;
    }
}
