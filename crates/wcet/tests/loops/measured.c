/* Loops that end because each iteration takes something away, and some that only look like it. */
#define APART __attribute__((noinline))
#define STAYS __asm__ volatile("")

unsigned char ring[32];
volatile int port;

/* The lowest bit that is set goes. */
APART int measured_bits(unsigned number)
{
    int count = 0;
    while (number) {
        number &= number - 1;
        count++;
        STAYS;
    }
    return count;
}

APART int measured_bits_at_end(unsigned number)
{
    int count = 0;
    number |= 1;
    do {
        count += port;
        number &= number - 1;
    } while (number);
    return count;
}

/* The highest bit that is set comes to the top. */
APART int measured_normal(unsigned number)
{
    int count = 0;
    if (!number)
        return 32;
    while ((int)number >= 0) {
        number <<= 1;
        count++;
        STAYS;
    }
    return count;
}

APART int measured_double(int number)
{
    int count = 0;
    if (number <= 0)
        return 0;
    do {
        number = (int)((unsigned)number << 1);
        count += port;
    } while (number >= 0);
    return count;
}

/* Euclid. */
APART unsigned measured_divisor(unsigned number)
{
    unsigned one = number, other = number >> 7 ^ 0x5a5;
    while (other) {
        unsigned rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

APART int measured_signed_divisor(int number)
{
    int one = number, other = number / 3 - 1000;
    while (other) {
        int rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* Two counters meet. */
APART int measured_meeting(unsigned number)
{
    int low = 0, high = 100;
    while (low < high) {
        if (number & 1)
            low++;
        else
            high--;
        number >>= 1;
        STAYS;
    }
    return low;
}

APART int measured_crossing(unsigned number)
{
    int low = 3, high = 40;
    while (low <= high) {
        if (port & 1) {
            low++;
            number ^= 5;
        } else {
            high--;
        }
    }
    return low + (int)number;
}

/* A bit is added here, and less 1 there. */
APART int measured_balance(int number)
{
    int low = 0, high = 100;
    while (low < high) {
        int bit = number & 1;
        low += bit;
        high += bit - 1;
        number >>= 1;
        STAYS;
    }
    return low;
}

/* What is between two ends is halved. */
APART int measured_search(int number)
{
    int low = 0, high = 31;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (ring[middle] == (number & 255))
            return middle;
        if (ring[middle] < (number & 255))
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

APART unsigned measured_place(unsigned number)
{
    unsigned low = 0, high = number & 31;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (ring[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

APART int measured_root(int number)
{
    int low = 0, high = 1000;
    number &= 0xfffff;
    do {
        int middle = (low + high) >> 1;
        if (middle * middle <= number)
            low = middle + 1;
        else
            high = middle - 1;
        STAYS;
    } while (low <= high);
    return high;
}

/* An index goes around. */
APART int measured_ring(unsigned number)
{
    int sum = 0;
    unsigned at = number & 31, end = number >> 5 & 31;
    while (at != end) {
        sum += ring[at];
        at = (at + 1) & 31;
    }
    return sum;
}

APART int measured_fixed_ring(unsigned number)
{
    int sum = 0;
    number &= 15;
    while (number != 5) {
        sum += port;
        number = (number + 1) & 15;
    }
    return sum;
}

/* None of these has an end for every argument. */
APART int endless_normal(unsigned number)
{
    int count = 0;
    while ((int)number >= 0) {
        number <<= 1;
        count++;
        STAYS;
    }
    return count;
}

APART int endless_ring(unsigned number)
{
    int sum = 0;
    unsigned at = number & 31;
    while (at != number) {
        sum += port;
        at = (at + 1) & 31;
    }
    return sum;
}

APART int endless_bits(unsigned number)
{
    int count = 0;
    while (number) {
        if (port)
            number &= number - 1;
        count++;
    }
    return count;
}

APART int endless_meeting(unsigned number)
{
    int low = 0, high = 100;
    while (low < high) {
        if (number & 1)
            low++;
        number >>= 1;
        STAYS;
    }
    return low;
}

/* The first iteration may go below 0, from where it is a long way down. */
APART int endless_below(unsigned number)
{
    unsigned low = 0, high = number & 1;
    do {
        high--;
        STAYS;
    } while (low < high);
    return (int)high;
}

/* Equal ends pass, and the middle stays. */
APART int endless_place(int number)
{
    int low = 0, high = 31;
    while (low <= high) {
        int middle = (low + high) >> 1;
        if (ring[middle] < (number & 255))
            low = middle + 1;
        else
            high = middle;
        STAYS;
    }
    return low;
}

/* The lower end stays at the middle. */
APART int endless_half(int number)
{
    int low = 0, high = 31;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (ring[middle] < (number & 255))
            low = middle;
        else
            high = middle - 1;
        STAYS;
    }
    return low;
}

/* Behind -1 comes the greatest number. */
APART unsigned endless_search(unsigned number)
{
    unsigned low = 0, high = 31;
    while (low <= high) {
        unsigned middle = (low + high) >> 1;
        if (port + number < middle)
            low = middle + 1;
        else
            high = middle - 1;
        STAYS;
    }
    return low;
}

APART int endless_divisor(unsigned number)
{
    unsigned one = number, other = 7;
    while (other) {
        unsigned rest = (one % 5 + 1) ^ (unsigned)port;
        one = other;
        other = rest;
    }
    return (int)one;
}

void measure_all(void)
{
}
