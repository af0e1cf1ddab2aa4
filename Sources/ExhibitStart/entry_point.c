#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exhibit_start.h"

/* Swift Testing's `__swiftPMEntryPoint(passing:) async -> Never`, which SwiftPM's main calls. Ours is bound in
   libTesting's place, but is weak: a libTesting linked into the executable keeps its own. */
#define ENTRY_POINT "$s7Testing19__swiftPMEntryPoint7passings5NeverOAA25__CommandLineArguments_v0VSg_tYaF"

struct async_function {
  int32_t offset;
  uint32_t context_size;
};

__attribute__((visibility("hidden"), used)) void *exhibit_entry_target;

/* https://github.com/swiftlang/swift-testing, Sources/Testing/ABI/EntryPoints/ABIEntryPoint.swift. */
const void *swt_abiv0_getEntryPoint(void) __attribute__((weak));

const void *exhibit_tests_entry_point(void) { return swt_abiv0_getEntryPoint(); }

void exhibit_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }

extern struct async_function exhibit_entry_of_tests __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define JUMP "jmp *exhibit_entry_target(%rip)\n"
#elif defined(__aarch64__)
#define JUMP                                           \
  "adrp x16, exhibit_entry_target\n"                   \
  "ldr x16, [x16, :lo12:exhibit_entry_target]\n"       \
  "br x16\n"
#endif

#ifdef JUMP
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".weak \"" ENTRY_POINT "\"\n"
    ".type \"" ENTRY_POINT "\", %function\n"
    "\"" ENTRY_POINT "\":\n"
    ".Lexhibit_entry:\n" JUMP
    ".size \"" ENTRY_POINT "\", . - .Lexhibit_entry\n"
    ".data\n"
    ".p2align 3\n"
    ".weak \"" ENTRY_POINT "Tu\"\n"
    ".type \"" ENTRY_POINT "Tu\", %object\n"
    ".size \"" ENTRY_POINT "Tu\", 8\n"
    ".hidden exhibit_entry_of_tests\n"
    ".globl exhibit_entry_of_tests\n"
    "\"" ENTRY_POINT "Tu\":\n"
    "exhibit_entry_of_tests:\n"
    ".long .Lexhibit_entry - .\n"
    ".long 0\n"
    ".text\n");

extern const struct async_function ours __asm__("exhibit_run_testsTu");

static void *address_of(const struct async_function *function) {
  return (char *)(uintptr_t)function + function->offset;
}

/* Runs in every process, so that calls reach the toolchain's. */
__attribute__((constructor)) static void leave_entry_point(void) {
  const struct async_function *theirs = dlsym(RTLD_NEXT, ENTRY_POINT "Tu");
  if (!theirs) theirs = &ours;
  exhibit_entry_target = address_of(theirs);
  exhibit_entry_of_tests.context_size =
      theirs->context_size > ours.context_size ? theirs->context_size : ours.context_size;
}

void exhibit_take_entry_point(void) {
  const char *wish = getenv("EXHIBIT_ENTRY");
  if ((wish && strcmp(wish, "off") == 0) || !swt_abiv0_getEntryPoint) return;
  exhibit_entry_target = address_of(&ours);
}
#else
void exhibit_take_entry_point(void) {}
#endif
