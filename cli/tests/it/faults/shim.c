// Makes calls of the C library fail, for LD_PRELOAD. See ../faults.rs.
//
// FAULT_CALL   the name of the function
// FAULT_FIRST  the number of the first call that fails, from 1
// FAULT_STEP   0: only that call fails; 1: all later calls fail too; 2: every other one
// FAULT_ERROR  the error number; 0: the call transfers half of its bytes instead
// FAULT_LOG    a file for the number of calls of each function, written at exit
//
// The headers that declare the functions are not included: every function takes six words and passes them on.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

extern long syscall(long, ...);

struct vector {
    void *base;
    unsigned long length;
};

struct call {
    const char *name;
    long (*real)(long, long, long, long, long, long);
    long count;
};

enum { OK, FAIL, SHORT };

static long number(const char *name) {
    const char *value = getenv(name);
    return value ? strtol(value, 0, 10) : 0;
}

static int decide(struct call *call) {
    long count = __sync_add_and_fetch(&call->count, 1);
    const char *wanted = getenv("FAULT_CALL");
    if (!call->real) call->real = (long (*)(long, long, long, long, long, long))dlsym(RTLD_NEXT, call->name);
    if (!wanted || strcmp(wanted, call->name)) return OK;
    long after = count - number("FAULT_FIRST"), step = number("FAULT_STEP");
    if (after < 0 || (after > 0 && (step == 0 || after % step))) return OK;
    return number("FAULT_ERROR") ? FAIL : SHORT;
}

static long fail(long result) {
    errno = (int)number("FAULT_ERROR");
    return result;
}

#define CALL(symbol, filter, on_fail, on_short)                               \
    static struct call call_##symbol = {#symbol, 0, 0};                       \
    long symbol(long a, long b, long c, long d, long e, long f) {             \
        struct call *call = &call_##symbol;                                   \
        if (!call->real) call->real = (long (*)(long, long, long, long, long, long))dlsym(RTLD_NEXT, #symbol); \
        if (filter) switch (decide(call)) {                                   \
            case FAIL: { on_fail; }                                           \
            case SHORT: { on_short; }                                         \
            default: break;                                                   \
        }                                                                     \
        return call->real(a, b, c, d, e, f);                                  \
    }

#define PLAIN(symbol) CALL(symbol, 1, return fail(-1), break)

// Messages to standard error must not fail.
#define NOT_MESSAGES ((int)a != 2)
#define HALVE(count) if (count > 1) count /= 2; break

CALL(read, 1, return fail(-1), HALVE(c))
CALL(write, NOT_MESSAGES, return fail(-1), HALVE(c))
CALL(writev, NOT_MESSAGES, return fail(-1),
     struct vector first = *(struct vector *)b; if (first.length > 1) first.length /= 2;
     return call->real(a, (long)&first, 1, d, e, f))
// A descriptor is closed even if an error is reported.
CALL(close, 1, call->real(a, b, c, d, e, f); return fail(-1), break)
// Anonymous mappings are the memory of threads.
CALL(mmap, (int)e >= 0, return fail(-1), break)
CALL(mmap64, (int)e >= 0, return fail(-1), break)
// Returns the error number.
CALL(pthread_create, 1, return number("FAULT_ERROR"), break)

PLAIN(open64)
PLAIN(fsync)
PLAIN(fallocate64)
PLAIN(fstatfs64)
PLAIN(fchmod)
PLAIN(fchown)
PLAIN(rename)
PLAIN(readlink)
PLAIN(statx)
PLAIN(lseek64)
PLAIN(preadv64v2)
PLAIN(madvise)
PLAIN(fcntl)
PLAIN(fcntl64)
PLAIN(pipe2)
PLAIN(socketpair)
PLAIN(poll)
// Never called: there is no use of the network.
PLAIN(socket)
PLAIN(connect)
PLAIN(bind)
PLAIN(getaddrinfo)

static struct call *const calls[] = {
    &call_read,      &call_write,       &call_writev,    &call_close,    &call_mmap,   &call_mmap64,
    &call_open64,    &call_fsync,       &call_fchmod,    &call_fchown,   &call_rename, &call_readlink,
    &call_statx,     &call_lseek64,     &call_madvise,   &call_fcntl,    &call_fcntl64, &call_pipe2,
    &call_poll,      &call_fstatfs64, &call_fallocate64,
    &call_preadv64v2, &call_socketpair, &call_pthread_create,
    &call_socket,    &call_connect,     &call_bind,      &call_getaddrinfo,
};

__attribute__((destructor)) static void log_counts(void) {
    const char *path = getenv("FAULT_LOG");
    if (!path) return;
    // O_WRONLY | O_CREAT | O_TRUNC; -100 is the current folder.
    long file = syscall(SYS_openat, -100, path, 1 | 0100 | 01000, 0600);
    for (unsigned long i = 0; i < sizeof calls / sizeof *calls; i++) {
        char line[64], digits[24];
        long count = calls[i]->count, n = 0, length;
        if (count == 0) continue;
        strcpy(line, calls[i]->name);
        length = (long)strlen(line);
        line[length++] = ' ';
        do digits[n++] = (char)('0' + count % 10); while (count /= 10);
        while (n) line[length++] = digits[--n];
        line[length++] = '\n';
        syscall(SYS_write, file, line, length);
    }
    syscall(SYS_close, file);
}
