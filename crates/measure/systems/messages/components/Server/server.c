/* Takes everything and does nothing with it. */
#include <camkes.h>

void post_nothing(void)
{
}

void post_one(uint64_t *a)
{
    *a = 1;
}

void post_ten(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t *e, uint64_t *f, uint64_t *g, uint64_t *h,
              uint64_t *i, uint64_t *j)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j;
}

void post_bytes(uint8_t *a, uint8_t *b, uint8_t *c, uint8_t *d, uint8_t *e, uint8_t *f, uint8_t *g, uint8_t *h,
                uint8_t *i, uint8_t *j)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j;
}

void post_text(const char *a)
{
    (void)a;
}

void post_texts(const char *a, const char *b, const char *c, const char *d, const char *e, const char *f)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
}

void post_array(size_t a_sz, const uint8_t *a)
{
    (void)a_sz, (void)a;
}

void post_arrays(size_t a_sz, const uint8_t *a, size_t b_sz, const uint8_t *b, size_t c_sz, const uint8_t *c,
                 size_t d_sz, const uint8_t *d, size_t e_sz, const uint8_t *e, size_t f_sz, const uint8_t *f)
{
    (void)a_sz, (void)a, (void)b_sz, (void)b, (void)c_sz, (void)c;
    (void)d_sz, (void)d, (void)e_sz, (void)e, (void)f_sz, (void)f;
}

void post_reference(const size_t *a_sz, uint8_t **a)
{
    (void)a_sz, (void)a;
}
