/*
 * How many refused calls each stack remembers, for assembly and C; a power of two.
 */
#ifndef FUSEE_REFUSALS
#define FUSEE_REFUSALS 8
#endif
