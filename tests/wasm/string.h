/* All of the C library that freestanding code may use. Defined by mem.c or by the program around it. */
#ifndef RUNQ_TESTS_WASM_STRING_H
#define RUNQ_TESTS_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);

#endif
