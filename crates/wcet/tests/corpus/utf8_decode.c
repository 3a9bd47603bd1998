/* 24 bytes of UTF-8 to code points; what is wrong becomes a replacement. */
unsigned char bytes[24];
unsigned points[24];
int counted;

int prepare(int input)
{
    for (int i = 0; i < 24; i++)
        bytes[i] = (unsigned char)(input == 0 ? "\xf0\x9f\x98\x80"[i & 3] : input == 1 ? "\xe2\x82\xac"[i % 3] : input == 2 ? 'a' : 0xff);
    return input < 4;
}

void run(void)
{
    int i = 0, out = 0;
    while (i < 24) {
        unsigned lead = bytes[i++];
        int more = lead < 0x80 ? 0 : lead < 0xc0 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf8 ? 3 : -1;
        unsigned point = more < 0 ? 0xfffd : more == 0 ? lead : lead & (0x3fu >> more);
        for (; more > 0; more--) {
            if (i >= 24 || (bytes[i] & 0xc0) != 0x80) {
                point = 0xfffd;
                break;
            }
            point = point << 6 | (bytes[i++] & 0x3f);
        }
        points[out++] = point;
    }
    counted = out;
}
