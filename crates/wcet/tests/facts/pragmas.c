/* Loops whose lines a compiler mixes, with their bounds. */

struct stream {
    unsigned char *data;
    unsigned at, size;
};

unsigned char bytes[512];
unsigned char block[8];
struct stream input;
unsigned width;

void prepare(unsigned n)
{
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = 1;
    input.data = bytes;
    input.at = 0;
    input.size = 8 * n;
    width = n;
}

/* One block more; the bytes that were left, 0 at the end. */
static inline unsigned take(struct stream *from)
{
    unsigned left = from->size - from->at;
    unsigned number = left < sizeof block ? left : sizeof block;
    unsigned to = 0, end = from->at + number;
    _Pragma("loopbound min 0 max 8")
    while (from->at < end)
        block[to++] = from->data[from->at++];
    return number;
}

/* Its lines are those where the loop of `take` is put. */
unsigned drain(void)
{
    unsigned sum = 0;
    _Pragma("loopbound min 0 max 3")
    while (take(&input) > 0)
        sum += block[0];
    return sum;
}

/* The same where nothing says how often the loop of a function iterates. */
static inline unsigned count(struct stream *from)
{
    unsigned found = 0;
    while (from->at < from->size && from->data[from->at] == 1) {
        found += from->data[from->at];
        from->at++;
    }
    return found;
}

unsigned total(void)
{
    unsigned sum = 0;
    _Pragma("loopbound min 0 max 2")
    do {
        sum += count(&input);
    } while (input.at < input.size);
    return sum;
}

/* The end of the inner loop leads back to the header of the outer one. */
unsigned reverse(void)
{
    unsigned char *low = bytes - width, *high = bytes + 20 * width;
    _Pragma("loopbound min 0 max 12")
    while (1) {
        low += width;
        high -= width;
        if (high <= low)
            break;
        unsigned char *one = low, *other = high;
        unsigned left = width;
        _Pragma("loopbound min 1 max 3")
        do {
            unsigned char byte = *one;
            *one++ = *other;
            *other++ = byte;
        } while (--left > 0);
    }
    return bytes[0];
}

/* Which of two loops is meant nobody knows. */
unsigned nested(void)
{
    unsigned sum = 0;
    _Pragma("loopbound min 0 max 3")
    for (unsigned i = 0; i < width; i++) for (unsigned j = 0; j < 8 * width; j++)
        sum += bytes[j] ^ sum >> i;
    return sum;
}

/* The inner loop becomes one with the outer one; nothing says how often it iterates. */
unsigned seek(void)
{
    unsigned sum = 0, at = width;
    _Pragma("loopbound min 0 max 4")
    for (unsigned k = 0; k <= width; k++) {
        do {
            at = at * 5 + 3;
            sum += bytes[at & 511];
        } while (at & 31);
        sum += k;
    }
    return sum;
}

void measure_all(void)
{
    prepare(3);
    drain();
    total();
    reverse();
    nested();
    seek();
}
