/* A link protocol, byte by byte: mark, length, content, checksum. */
unsigned char line[64];
unsigned char content[16];
int frames, errors;

int prepare(int input)
{
    for (int i = 0; i < 64; i++)
        line[i] = (unsigned char)(input == 0 ? (i % 19 == 0 ? 0x7e : i % 19 == 1 ? 16 : i) : input == 1 ? 0x7e : i);
    return input < 3;
}

void run(void)
{
    enum { MARK, LENGTH, CONTENT, CHECK } state = MARK;
    unsigned length = 0, used = 0, sum = 0;
    for (int i = 0; i < 64; i++) {
        unsigned byte = line[i];
        switch (state) {
        case MARK:
            if (byte == 0x7e) state = LENGTH;
            break;
        case LENGTH:
            length = byte;
            used = sum = 0;
            if (length == 0 || length > 16) {
                errors++;
                state = MARK;
            } else
                state = CONTENT;
            break;
        case CONTENT:
            content[used++ & 15] = (unsigned char)byte;
            sum += byte;
            if (used == length) state = CHECK;
            break;
        case CHECK:
            if ((sum & 255) == byte)
                frames++;
            else
                errors++;
            state = MARK;
            break;
        }
    }
}
