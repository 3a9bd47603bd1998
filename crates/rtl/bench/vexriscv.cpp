// A board around the VexRiscv Linux core: memory, serial line, timer, exit.
//
// The core has one bus for instructions and one for data. The memory serves both
// at once, so neither ever waits for the other; each beat takes the given wait
// states, the first of a burst others than the rest. What retires is written to
// standard output as records of 20 bytes (cycle, address, word, result), what
// the program sends to standard error.
//
//   0x7ff00000  memory, to 0x81000000
//   0xf0000000  serial line: a stored byte is sent (also at 0x10000000)
//   0xf0010000  timer: compare at +0x4000, time in cycles at +0xbff8
//   0xf0020000  exit: 0x5555 ends well, 0x3333 + 65536 * n ends with status n (also at 0x100000)

#include "VVexRiscv_VexRiscv.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace programs {

// A little below 0x80000000, where linkers put the headers of a program linked there.
static const uint32_t RAM_BASE = 0x7ff00000u;
static const uint32_t RAM_SIZE = 17u << 20;

struct Board {
    std::vector<uint8_t> ram = std::vector<uint8_t>(RAM_SIZE);
    uint64_t time = 0;
    uint64_t compare = ~0ull;
    bool ended = false;
    int status = 0;

    uint32_t read(uint32_t address) const {
        uint32_t offset = address - RAM_BASE;
        if (offset < RAM_SIZE) {
            uint32_t word;
            memcpy(&word, &ram[offset], 4);
            return word;
        }
        switch (address) {
        case 0xf001bff8u: return uint32_t(time);
        case 0xf001bffcu: return uint32_t(time >> 32);
        case 0xf0014000u: return uint32_t(compare);
        case 0xf0014004u: return uint32_t(compare >> 32);
        // The serial line is always ready (a 16550's line status).
        case 0xf0000004u: case 0x10000004u: return 0x60u << 8;
        default: return 0;
        }
    }

    void write(uint32_t address, uint32_t data, uint8_t lanes) {
        uint32_t offset = address - RAM_BASE;
        if (offset < RAM_SIZE) {
            for (int lane = 0; lane < 4; lane++)
                if (lanes >> lane & 1) ram[offset + lane] = uint8_t(data >> (8 * lane));
            return;
        }
        switch (address) {
        case 0xf0000000u: case 0x10000000u:
            if (lanes & 1) fputc(int(data & 0xff), stderr);
            break;
        case 0xf0014000u: compare = (compare & ~0xffffffffull) | data; break;
        case 0xf0014004u: compare = (compare & 0xffffffffull) | uint64_t(data) << 32; break;
        case 0xf0020000u: case 0x00100000u:
            ended = true;
            status = (data & 0xffff) == 0x5555 ? 0 : int(data >> 16 & 0x7f);
            break;
        }
    }
};

static uint32_t little(const uint8_t *bytes, int count) {
    uint32_t number = 0;
    while (count--) number = number << 8 | bytes[count];
    return number;
}

// Copies the segments of a 32-bit ELF file to memory; gives where it starts.
static bool load(const char *path, Board &board, uint32_t &start) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    std::vector<uint8_t> bytes;
    uint8_t part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) bytes.insert(bytes.end(), part, part + n);
    fclose(file);
    if (bytes.size() < 52 || memcmp(bytes.data(), "\177ELF\1\1", 6) != 0) return false;
    start = little(&bytes[24], 4);
    uint64_t table = little(&bytes[28], 4), size = little(&bytes[42], 2), count = little(&bytes[44], 2);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t header = table + i * size;
        if (header + 32 > bytes.size()) return false;
        const uint8_t *h = &bytes[header];
        if (little(h, 4) != 1) continue;
        uint64_t from = little(h + 4, 4), to = little(h + 12, 4), length = little(h + 16, 4);
        if (length == 0) continue;
        if (from + length > bytes.size() || to < RAM_BASE || to + length > uint64_t(RAM_BASE) + RAM_SIZE) return false;
        memcpy(&board.ram[to - RAM_BASE], &bytes[from], length);
    }
    return true;
}

static void record(uint64_t cycle, uint32_t address, uint32_t word, uint32_t result) {
    uint32_t fields[5] = {uint32_t(cycle), uint32_t(cycle >> 32), address, word, result};
    fwrite(fields, sizeof fields, 1, stdout);
}

static int run(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: board %s PROGRAM.elf FIRST FURTHER CYCLES\n", arguments[0]);
        return BAD_INPUT;
    }
    Board board;
    uint32_t start = 0;
    if (!load(arguments[1], board, start)) {
        fprintf(stderr, "this program does not fit the board\n");
        return BAD_INPUT;
    }
    unsigned first = unsigned(strtoul(arguments[2], nullptr, 10));
    unsigned further = unsigned(strtoul(arguments[3], nullptr, 10));
    uint64_t limit = strtoull(arguments[4], nullptr, 10);
    Waiting fetches(first, further), data(first, further);
    VerilatedContext context;
    VVexRiscv core(&context);
    reset(core, start);
    // The core's caches hold bytes that are stored while it runs only where it says so.
    for (; board.time < limit && !board.ended; board.time++) {
        core.clk = 0;
        core.timerInterrupt = board.time >= board.compare;
        core.eval();
        bool fetching = core.iBusWishbone_CYC && core.iBusWishbone_STB;
        bool moving = core.dBusWishbone_CYC && core.dBusWishbone_STB;
        core.iBusWishbone_ACK = fetches.answer(fetching, (core.iBusWishbone_ADR & 7) == 0);
        bool single = core.dBusWishbone_CTI == 0;
        core.dBusWishbone_ACK = data.answer(moving, single || (core.dBusWishbone_ADR & 7) == 0);
        if (core.iBusWishbone_ACK) core.iBusWishbone_DAT_MISO = board.read(core.iBusWishbone_ADR << 2);
        if (core.dBusWishbone_ACK) {
            uint32_t address = core.dBusWishbone_ADR << 2;
            if (core.dBusWishbone_WE) board.write(address, core.dBusWishbone_DAT_MOSI, core.dBusWishbone_SEL);
            else core.dBusWishbone_DAT_MISO = board.read(address);
        }
        core.eval();
        const VVexRiscv_VexRiscv &inside = *core.VexRiscv;
        if (inside.lastStageIsFiring)
            record(board.time, inside.lastStagePc, inside.lastStageInstruction, inside.lastStageRegFileWrite_payload_data);
        core.clk = 1;
        core.eval();
    }
    fflush(stdout);
    return board.ended ? board.status : OUT_OF_TIME;
}

} // namespace programs
