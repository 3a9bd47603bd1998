// A memory that a board shares with the host: a file of its size, mapped.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Maps a file; when that fails, says so.
static bool map(const char *path, uint8_t *&bytes, uint64_t &size) {
    int file = open(path, O_RDWR);
    struct stat about;
    if (file >= 0 && fstat(file, &about) == 0) {
        void *at = mmap(nullptr, size_t(about.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (at != MAP_FAILED) {
            bytes = static_cast<uint8_t *>(at);
            size = uint64_t(about.st_size);
            return true;
        }
    }
    fprintf(stderr, "the memory `%s` can't be shared: %s\n", path, strerror(errno));
    return false;
}
