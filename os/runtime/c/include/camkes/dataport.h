/* Dataports: memory that several components see. */
#pragma once

#include <stdint.h>
#include <sys/types.h>
#include <utils/util.h>

/* The type of a dataport without a type of its own: a page of bytes. */
typedef struct Buf_ {
    char content[PAGE_SIZE_4K];
} Buf;

/* A pointer into a dataport that can be handed to another component. */
typedef struct dataport_ptr_ {
    int32_t id;
    off_t offset;
} dataport_ptr_t;

dataport_ptr_t dataport_wrap_ptr(void *pointer);
void *dataport_unwrap_ptr(dataport_ptr_t pointer);
