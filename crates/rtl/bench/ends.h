// How boards end, for whoever started them.

static const int BAD_INPUT = 125;
static const int OUT_OF_TIME = 124;
