/* What the worker does when it is started, and when that was. */
enum task { WAIT, SPIN, SIGNAL };

struct board {
    uint64_t task, begun, last, ended, sent, told, received;
};
