// A board around the VexRiscv Linux core for whole systems: memory, serial line, timer, power switch.
//
// The memory is a file that the host shares. The core's caches write through, so that
// the host finds there what the core has written. Each beat takes the given wait states;
// instructions and data have a bus each, and the memory serves both at once. What is sent
// through the serial line goes to standard output. Of the code that is watched, each
// instruction that retires goes to standard error, and each trap that the core takes.
//
//   0x80000000  memory, as long as the file; the core starts there
//   0xf0000000  serial line (a 16550 that is always ready; interrupts as source 1)
//   0xf0010000  timer: compare at +0x4000, time in cycles at +0xbff8
//   0xf0020000  power: 0x5555 ends well, 0x3333 + 65536 * n ends with status n
//   0xf0030000  16 devices, a page each; interrupts as sources 2 and on
//
// A device is 16 words. The first says after how many cycles it interrupts, again and again; 0:
// never. The second is not 0 while it interrupts, and storing to it ends that; the third counts
// how often that was. The others hold what is stored there.
//
// What is nowhere is answered with an error.

#include "VVexRiscv_VexRiscv.h"
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace systems {

static const uint32_t RAM_BASE = 0x80000000u;

// What interrupts again and again, and has some registers.
struct Device {
    enum Register { EVERY, PENDING, TIMES, REGISTERS = 16 };
    uint32_t words[REGISTERS] = {};
    uint64_t next = ~0ull;

    void write(uint32_t at, uint32_t data, uint64_t time) {
        words[at] = at == PENDING ? 0 : data;
        if (at == EVERY) next = data ? time + data : ~0ull;
    }

    bool interrupts(uint64_t time) {
        if (time >= next) {
            next = time + words[EVERY];
            words[PENDING] = 1;
            words[TIMES]++;
        }
        return words[PENDING];
    }
};

static const uint32_t DEVICE_BASE = 0xf0030000u, DEVICE_PAGE = 4096, FIRST_SOURCE = 2;

struct Board {
    Device devices[16];
    // When one of them interrupts next, and which sources of theirs do.
    uint64_t soonest = ~0ull;
    uint32_t interrupting = 0;
    uint8_t *ram = nullptr;
    uint64_t size = 0;
    uint64_t time = 0;
    uint64_t compare = ~0ull;
    // Whether the serial line shall interrupt when it can send, and whether it does.
    bool enabled = false, pending = false;
    bool ended = false;
    int status = 0;

    bool is_ram(uint32_t address) const { return address - RAM_BASE < size; }

    // The register of a device at an address, if there is one.
    Device *device(uint32_t address) {
        uint32_t at = address - DEVICE_BASE;
        bool is = at < 16 * DEVICE_PAGE && at % DEVICE_PAGE / 4 < Device::REGISTERS;
        return is ? &devices[at / DEVICE_PAGE] : nullptr;
    }

    // The sources that interrupt. Devices are asked when one of them has something new to say.
    uint32_t sources() {
        if (time >= soonest) {
            soonest = ~0ull, interrupting = 0;
            for (unsigned n = 0; n < 16; n++) {
                interrupting |= uint32_t(devices[n].interrupts(time)) << (FIRST_SOURCE + n);
                if (devices[n].next < soonest) soonest = devices[n].next;
            }
        }
        return interrupting | (pending ? 2 : 0);
    }

    // Reads the word at an address, of which just some bytes are asked for; false: it is nowhere.
    bool read(uint32_t address, uint8_t lanes, uint32_t &word) {
        if (is_ram(address)) {
            memcpy(&word, ram + (address - RAM_BASE), 4);
            return true;
        }
        word = 0;
        if (Device *one = device(address)) {
            word = one->words[address % DEVICE_PAGE / 4];
            return true;
        }
        switch (address) {
        case 0xf0000000u:
            // Who reads why it interrupts, as a single byte, has been told.
            if (lanes == 4) pending = false;
            return true;
        // Line status: everything is sent, nothing has come.
        case 0xf0000004u: word = 0x60u << 8; return true;
        case 0xf001bff8u: word = uint32_t(time); return true;
        case 0xf001bffcu: word = uint32_t(time >> 32); return true;
        case 0xf0014000u: word = uint32_t(compare); return true;
        case 0xf0014004u: word = uint32_t(compare >> 32); return true;
        case 0xf0020000u: return true;
        default: return false;
        }
    }

    bool write(uint32_t address, uint8_t lanes, uint32_t data) {
        if (is_ram(address)) {
            for (int lane = 0; lane < 4; lane++)
                if (lanes >> lane & 1) ram[address - RAM_BASE + lane] = uint8_t(data >> (8 * lane));
            return true;
        }
        if (Device *one = device(address)) {
            one->write(address % DEVICE_PAGE / 4, data, time);
            soonest = time;
            return true;
        }
        switch (address) {
        case 0xf0000000u: serial(lanes, data); return true;
        case 0xf0000004u: return true;
        case 0xf0014000u: compare = (compare & ~0xffffffffull) | data; return true;
        case 0xf0014004u: compare = (compare & 0xffffffffull) | uint64_t(data) << 32; return true;
        case 0xf0020000u:
            ended = true;
            status = (data & 0xffff) == 0x5555 ? 0 : int(data >> 16 & 0x7f);
            return true;
        default: return false;
        }
    }

    void serial(uint8_t lanes, uint32_t data) {
        if (lanes & 1) {
            fputc(int(data & 0xff), stdout);
            pending = enabled;
        }
        if (lanes & 2) {
            bool was = enabled;
            enabled = data >> 8 & 2;
            pending = enabled && (pending || !was);
        }
    }
};

static void fetch(VVexRiscv &core, Board &board, Waiting &waiting) {
    bool asked = core.iBusWishbone_CYC && core.iBusWishbone_STB;
    core.iBusWishbone_ACK = waiting.answer(asked, (core.iBusWishbone_ADR & 7) == 0);
    core.iBusWishbone_ERR = 0;
    if (!core.iBusWishbone_ACK) return;
    uint32_t word = 0;
    core.iBusWishbone_ERR = !board.read(core.iBusWishbone_ADR << 2, 15, word);
    core.iBusWishbone_DAT_MISO = word;
}

static void move(VVexRiscv &core, Board &board, Waiting &waiting) {
    bool asked = core.dBusWishbone_CYC && core.dBusWishbone_STB, single = core.dBusWishbone_CTI == 0;
    core.dBusWishbone_ACK = waiting.answer(asked, single || (core.dBusWishbone_ADR & 7) == 0);
    core.dBusWishbone_ERR = 0;
    if (!core.dBusWishbone_ACK) return;
    uint32_t address = core.dBusWishbone_ADR << 2, word = 0;
    bool there = core.dBusWishbone_WE ? board.write(address, core.dBusWishbone_SEL, core.dBusWishbone_DAT_MOSI)
                                      : board.read(address, core.dBusWishbone_SEL, word);
    core.dBusWishbone_ERR = !there;
    core.dBusWishbone_DAT_MISO = word;
}

// What is told of the core while it runs.
struct Watch {
    std::vector<std::pair<uint32_t, uint32_t>> code;

    void see(const VVexRiscv_VexRiscv &inside, uint64_t cycle) const {
        if (code.empty()) return;
        // What an exception has replaced would have retired a cycle ago.
        if (inside.CsrPlugin_hadException) trap(cycle - 1);
        if (inside.CsrPlugin_interruptJump) trap(cycle);
        if (!inside.lastStageIsFiring) return;
        for (auto [first, end] : code)
            if (inside.lastStagePc >= first && inside.lastStagePc < end)
                fprintf(stderr, "@ 0 %" PRIu64 " %x\n", cycle, unsigned(inside.lastStagePc));
    }

    static void trap(uint64_t cycle) { fprintf(stderr, "- 0 %" PRIu64 "\n", cycle); }
};

static int run(int count, char **arguments) {
    if (count < 4 || count % 2) {
        fprintf(stderr, "usage: board %s MEMORY LATENCY CYCLES [FIRST END]...\n", arguments[0]);
        return BAD_INPUT;
    }
    Board board;
    if (!map(arguments[1], board.ram, board.size)) return BAD_INPUT;
    const unsigned latency = unsigned(strtoul(arguments[2], nullptr, 10));
    const uint64_t limit = strtoull(arguments[3], nullptr, 10);
    Watch watch;
    for (int i = 4; i < count; i += 2)
        watch.code.push_back({uint32_t(strtoul(arguments[i], nullptr, 16)), uint32_t(strtoul(arguments[i + 1], nullptr, 16))});
    static char told[1 << 16];
    setvbuf(stderr, told, _IOFBF, sizeof told);
    Waiting fetches(latency, latency), moves(latency, latency);
    VerilatedContext context;
    VVexRiscv core(&context);
    reset(core, RAM_BASE);
    for (; board.time < limit && !board.ended; board.time++) {
        core.clk = 0;
        core.timerInterrupt = board.time >= board.compare;
        core.externalInterruptArray = board.sources();
        core.eval();
        fetch(core, board, fetches);
        move(core, board, moves);
        core.eval();
        watch.see(*core.VexRiscv, board.time);
        core.clk = 1;
        core.eval();
    }
    fflush(stdout);
    return board.ended ? board.status : OUT_OF_TIME;
}

} // namespace systems
