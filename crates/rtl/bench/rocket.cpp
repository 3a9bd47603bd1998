// A board around the Rocket cores: memory, boot code, serial line, power switch.
//
// It is told before how many cores there are (`CORES`, 2 or 4), and how many bytes of
// memory they read at once (`BEAT`, 16 or 8).
//
// The memory is a file that the host shares: it puts a program there before the
// start, and reads what is left afterwards. It answers the first beat of a burst
// after the given number of cycles and each further one a cycle later; reads are
// answered in the order in which they were asked for, whichever core asked. What is
// sent through the serial line goes to standard output. The timer and the interrupt
// controller are the cores' own.
//
//   0x10000000  boot code: each core jumps to the memory, with its number in a0
//   0x10001000  serial line (a 16550 that is always ready; interrupts as source 1)
//   0x10002000  power: 0x5555 ends well, 0x3333 + 65536 * n ends with status n
//   0x80000000  memory, as long as the file
//
// Told ranges of addresses, it says on standard error at which cycle each core retires
// each instruction there (`@ CORE CYCLE ADDRESS`), and what it retires before and behind
// them (`- CORE CYCLE`).

#include "VExampleRocketSystem.h"
#include "VExampleRocketSystem___024root.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <utility>
#include <vector>

static const uint64_t RAM_BASE = 0x80000000u;
static const uint32_t SERIAL = 0x10001000u;
static const uint32_t POWER = 0x10002000u;
// lui a5, 0x80000 and a shift that clears what it has extended; csrr a0, mhartid; jr a5.
static const uint32_t BOOT[] = {0x0010079bu, 0x01f79793u, 0xf1402573u, 0x00078067u};
// Beats that the board keeps for one channel before it makes the cores wait.
static const size_t ROOM = 32;
// Bytes of a line of the cores' caches, which is what they read from the memory.
static const uint64_t LINE = 64;
// More cycles than any line takes to be read through the port for devices.
static const int PATIENCE = 10000;

// What is behind a port: addresses in units of its bus, one word of it at a time.
struct Behind {
    virtual void read(uint64_t address, uint8_t *bytes, size_t count) = 0;
    // A read asked for just these bytes.
    virtual void asked(uint64_t, size_t) {}
    virtual void write(uint64_t address, const uint8_t *bytes, uint32_t strobes, size_t count) = 0;
    virtual ~Behind() {}
};

struct Memory : Behind {
    uint8_t *bytes;
    uint64_t size;
    // Every line that a cache has read, and may have changed since.
    std::set<uint64_t> lines;

    void read(uint64_t address, uint8_t *to, size_t count) override {
        lines.insert(address / LINE * LINE);
        uint64_t offset = address - RAM_BASE;
        if (offset + count <= size) memcpy(to, bytes + offset, count);
        else memset(to, 0, count);
    }

    void write(uint64_t address, const uint8_t *from, uint32_t strobes, size_t count) override {
        uint64_t offset = address - RAM_BASE;
        if (offset + count > size) return;
        for (size_t i = 0; i < count; i++)
            if (strobes >> i & 1) bytes[offset + i] = from[i];
    }
};

struct Devices : Behind {
    bool ended = false;
    int status = 0;
    // Whether the serial line shall interrupt when it can send, and whether it does.
    bool enabled = false, pending = false;

    // Who reads why it interrupts, as a single byte, has been told.
    void asked(uint64_t address, size_t count) override {
        if (address == SERIAL + 2 && count == 1) pending = false;
    }

    void read(uint64_t address, uint8_t *to, size_t count) override {
        memset(to, 0, count);
        uint64_t boot = address - 0x10000000u;
        if (boot + count <= sizeof BOOT) memcpy(to, reinterpret_cast<const uint8_t *>(BOOT) + boot, count);
        // Line status: everything is sent, nothing has come.
        if (address <= SERIAL + 5 && SERIAL + 5 < address + count) to[SERIAL + 5 - address] = 0x60;
    }

    void write(uint64_t address, const uint8_t *from, uint32_t strobes, size_t) override {
        if (address == SERIAL && (strobes & 1)) {
            fputc(from[0], stdout);
            pending = enabled;
        }
        if (address == SERIAL && (strobes & 2)) {
            bool was = enabled;
            enabled = from[1] & 2;
            pending = enabled && (pending || !was);
        }
        if (address == POWER && (strobes & 15) == 15) {
            uint32_t word;
            memcpy(&word, from, 4);
            ended = true;
            status = (word & 0xffff) == 0x5555 ? 0 : int(word >> 16 & 0x7f);
        }
    }
};

// One AXI port of `WIDTH` bytes: bursts that count upwards, answered in order.
template <size_t WIDTH> struct Port {
    struct Beat {
        uint64_t due;
        uint8_t id;
        bool last;
        uint8_t data[WIDTH];
    };
    struct Burst {
        uint64_t address;
        uint32_t left;
        uint32_t size;
        uint8_t id;
        bool wraps;
        uint64_t bytes;
    };
    struct Answer {
        uint64_t due;
        uint8_t id;
    };
    struct Written {
        uint8_t data[WIDTH];
        uint32_t strobes;
        bool last;
    };
    Behind &behind;
    uint64_t latency;
    std::deque<Beat> reads;
    std::deque<Burst> bursts;
    std::deque<Written> words;
    std::deque<Answer> answers;

    Port(Behind &behind, uint64_t latency) : behind(behind), latency(latency) {}

    static uint64_t next(uint64_t address, const Burst &burst) {
        uint64_t step = 1ull << burst.size, up = address + step;
        if (!burst.wraps) return up;
        uint64_t start = address / burst.bytes * burst.bytes;
        return up < start + burst.bytes ? up : start;
    }

    static Burst burst(uint64_t address, uint32_t length, uint32_t size, uint32_t kind, uint8_t id) {
        return Burst{address, length + 1, size, id, kind == 2, uint64_t(length + 1) << size};
    }

    bool takes_reads() const { return reads.size() < ROOM; }
    bool takes_bursts() const { return bursts.size() < ROOM; }
    bool takes_words() const { return words.size() < ROOM; }

    void ask(uint64_t now, Burst asked) {
        uint64_t due = now + latency;
        behind.asked(asked.address, size_t(asked.left) << asked.size);
        if (!reads.empty() && reads.back().due >= due) due = reads.back().due + 1;
        for (uint64_t address = asked.address; asked.left > 0; asked.left--, due++) {
            Beat beat{due, asked.id, asked.left == 1, {}};
            behind.read(address & ~uint64_t(WIDTH - 1), beat.data, WIDTH);
            reads.push_back(beat);
            address = next(address, asked);
        }
    }

    // Writes what has come of both the address and the data.
    void store(uint64_t now) {
        while (!bursts.empty() && !words.empty()) {
            Burst &to = bursts.front();
            const Written &word = words.front();
            behind.write(to.address & ~uint64_t(WIDTH - 1), word.data, word.strobes, WIDTH);
            to.address = next(to.address, to);
            if (word.last) {
                answers.push_back(Answer{now + latency, to.id});
                bursts.pop_front();
            }
            words.pop_front();
        }
    }
};

// The signals of a port. Verilator gives each its own name, so a macro says them all.
#define BEFORE_EDGE(PORT, port, BITS)                                                              \
    const bool PORT##_asked = core.PORT##_ar_valid && core.PORT##_ar_ready;                        \
    const bool PORT##_told = core.PORT##_aw_valid && core.PORT##_aw_ready;                         \
    const bool PORT##_given = core.PORT##_w_valid && core.PORT##_w_ready;                          \
    const bool PORT##_read = core.PORT##_r_valid && core.PORT##_r_ready;                           \
    const bool PORT##_heard = core.PORT##_b_valid && core.PORT##_b_ready;                          \
    if (PORT##_read) port.reads.pop_front();                                                       \
    if (PORT##_heard) port.answers.pop_front();                                                    \
    if (PORT##_asked)                                                                              \
        port.ask(cycle, port.burst(core.PORT##_ar_bits_addr, core.PORT##_ar_bits_len,              \
                                   core.PORT##_ar_bits_size, core.PORT##_ar_bits_burst,            \
                                   core.PORT##_ar_bits_id));                                       \
    if (PORT##_told)                                                                               \
        port.bursts.push_back(port.burst(core.PORT##_aw_bits_addr, core.PORT##_aw_bits_len,        \
                                         core.PORT##_aw_bits_size, core.PORT##_aw_bits_burst,      \
                                         core.PORT##_aw_bits_id));                                 \
    if (PORT##_given) {                                                                            \
        port.words.push_back({{}, core.PORT##_w_bits_strb, bool(core.PORT##_w_bits_last)});        \
        memcpy(port.words.back().data, BITS(core.PORT##_w_bits_data), sizeof port.words.back().data); \
    }                                                                                              \
    port.store(cycle);

#define AFTER_EDGE(PORT, port, BITS)                                                               \
    core.PORT##_ar_ready = port.takes_reads();                                                     \
    core.PORT##_aw_ready = port.takes_bursts();                                                    \
    core.PORT##_w_ready = port.takes_words();                                                      \
    core.PORT##_r_valid = !port.reads.empty() && port.reads.front().due <= cycle;                  \
    if (core.PORT##_r_valid) {                                                                     \
        core.PORT##_r_bits_id = port.reads.front().id;                                             \
        core.PORT##_r_bits_last = port.reads.front().last;                                         \
        memcpy(BITS(core.PORT##_r_bits_data), port.reads.front().data, sizeof port.reads.front().data); \
    }                                                                                              \
    core.PORT##_b_valid = !port.answers.empty() && port.answers.front().due <= cycle;              \
    if (core.PORT##_b_valid) core.PORT##_b_bits_id = port.answers.front().id;

// Says what one core retires in ranges of addresses, and where it enters and leaves them.
struct Watch {
    const std::vector<std::pair<uint64_t, uint64_t>> &ranges;
    int core;
    bool inside = false;
    uint64_t outside = 0;

    void see(bool retires, uint64_t cycle, uint64_t address) {
        if (!retires) return;
        bool is = false;
        for (const auto &range : ranges) is |= range.first <= address && address < range.second;
        if (is && !inside) fprintf(stderr, "- %d %" PRIu64 "\n", core, outside);
        if (is) fprintf(stderr, "@ %d %" PRIu64 " %" PRIx64 "\n", core, cycle, address);
        if (!is && inside) fprintf(stderr, "- %d %" PRIu64 "\n", core, cycle);
        if (!is) outside = cycle;
        inside = is;
    }
};

// What a core's control and status registers say of the instruction that retires.
#define RETIRED(tile, what) \
    core.rootp->ExampleRocketSystem__DOT__##tile##__DOT__tile_reset_domain_tile__DOT__core__DOT__##what
#define SEE(number, tile)                                                                          \
    watches[number].see(                                                                           \
        RETIRED(tile, csr_io_trace_0_valid) && !RETIRED(tile, csr_io_trace_0_exception), cycle,    \
        RETIRED(tile, csr_io_trace_0_iaddr));
#define HOLD(number, tile) core.resetctrl_hartIsInReset_##number = held;

#if CORES == 4
#define EACH_CORE(DO)                                                                              \
    DO(0, tile_prci_domain)                                                                        \
    DO(1, tile_prci_domain_1)                                                                      \
    DO(2, tile_prci_domain_2)                                                                      \
    DO(3, tile_prci_domain_3)
#elif CORES == 2
#define EACH_CORE(DO) DO(0, tile_prci_domain) DO(1, tile_prci_domain_1)
#endif

#define WIDE(wide) wide.m_storage
#define NARROW(narrow) &narrow
// Verilator keeps what has more than 64 bits as an array.
#if BEAT > 8
#define DATA WIDE
#else
#define DATA NARROW
#endif

struct Board {
    VerilatedContext context;
    VExampleRocketSystem core{&context};
    Memory memory;
    Devices devices;
    Port<BEAT> mem;
    Port<8> mmio{devices, 1};
    uint64_t cycle = 0;
    std::vector<std::pair<uint64_t, uint64_t>> watched;
    std::vector<Watch> watches;

    explicit Board(uint64_t latency) : mem(memory, latency) {
        for (int number = 0; number < CORES; number++) watches.push_back(Watch{watched, number});
    }

    void hold(bool held) { EACH_CORE(HOLD) }

    void reset() {
        core.debug_reset = core.reset = 1;
        hold(true);
        for (int i = 0; i < 20; i++) {
            core.clock = 0; core.eval();
            core.clock = 1; core.eval();
        }
        core.clock = core.reset = 0;
        hold(false);
        core.eval();
    }

    void step() {
        BEFORE_EDGE(mem_axi4_0, mem, DATA)
        BEFORE_EDGE(mmio_axi4_0, mmio, NARROW)
        if (!watched.empty()) {
            EACH_CORE(SEE)
        }
        core.clock = 1;
        core.eval();
        AFTER_EDGE(mem_axi4_0, mem, DATA)
        AFTER_EDGE(mmio_axi4_0, mmio, NARROW)
        core.interrupts = devices.pending;
        core.clock = 0;
        core.eval();
        cycle++;
    }

    // Reads a line as a device would: what a cache has changed of it is found there.
    bool read_back(uint64_t address) {
        core.l2_frontend_bus_axi4_0_ar_valid = 1;
        core.l2_frontend_bus_axi4_0_ar_bits_addr = uint32_t(address);
        core.l2_frontend_bus_axi4_0_ar_bits_len = LINE / 8 - 1;
        core.l2_frontend_bus_axi4_0_ar_bits_size = 3;
        core.l2_frontend_bus_axi4_0_ar_bits_burst = 1;
        core.l2_frontend_bus_axi4_0_r_ready = 1;
        core.eval();
        for (int patience = PATIENCE; patience > 0; patience--) {
            bool taken = core.l2_frontend_bus_axi4_0_ar_valid && core.l2_frontend_bus_axi4_0_ar_ready;
            bool comes = core.l2_frontend_bus_axi4_0_r_valid, last = core.l2_frontend_bus_axi4_0_r_bits_last;
            if (comes) {
                uint64_t word = core.l2_frontend_bus_axi4_0_r_bits_data;
                memcpy(memory.bytes + (address - RAM_BASE), &word, 8);
                address += 8;
            }
            step();
            if (taken) {
                core.l2_frontend_bus_axi4_0_ar_valid = 0;
                core.eval();
            }
            if (comes && last) return true;
        }
        return false;
    }

    // Brings the memory up to what the cores see, for the host.
    bool read_back() {
        const std::set<uint64_t> lines = memory.lines;
        for (uint64_t line : lines)
            if (line - RAM_BASE < memory.size && !read_back(line)) return false;
        return true;
    }
};

int main(int count, char **arguments) {
    if (count < 4 || count % 2 != 0) {
        fprintf(stderr, "usage: %s MEMORY LATENCY CYCLES [FROM TO]...\n", arguments[0]);
        return BAD_INPUT;
    }
    Board board(strtoull(arguments[2], nullptr, 10));
    const uint64_t limit = strtoull(arguments[3], nullptr, 10);
    if (!map(arguments[1], board.memory.bytes, board.memory.size)) return BAD_INPUT;
    for (int at = 4; at < count; at += 2)
        board.watched.emplace_back(strtoull(arguments[at], nullptr, 16),
                                   strtoull(arguments[at + 1], nullptr, 16));
    board.reset();
    while (board.cycle < limit && !board.devices.ended) board.step();
    board.watched.clear();
    const bool ended = board.devices.ended;
    if (!board.read_back()) {
        fprintf(stderr, "the caches do not answer\n");
        return BAD_INPUT;
    }
    fflush(stdout);
    return ended ? board.devices.status : OUT_OF_TIME;
}
