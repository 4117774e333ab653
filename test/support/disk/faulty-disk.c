/*
 * A disk that fails on request, for tests: preloaded into a process, it stands between that process and the files below
 * FAULTY_DISK_DIRECTORY. The first bytes of FAULTY_DISK_CONTROL say which fault is on; FAULTY_DISK_LOG takes what a loss of
 * power would undo: every write with the bytes that were there before, and every sync. faulty-disk.ts reads and applies it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FULL = 1, READ_ONLY = 2, SYNC_FAILS = 4, STALLS = 8, FULL_UNTIL_REMOVAL = 16 };
enum { WRITE = 1, SYNC = 2, TRUNCATE = 3, FAILED_SYNC = 4 };
#define FILES_MAX 65536
#define STALL_STEP_US 20000

struct record {
  uint32_t kind, old_bytes;
  uint64_t inode, offset, bytes, size_before;
};

static char watched[FILES_MAX];
static const char *directory;
static size_t directory_length;
static volatile uint8_t *control;
static int log_file = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(result, name, ...) \
  static result (*real_##name)(__VA_ARGS__); \
  if (!real_##name) real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
  REAL(int, open64, const char *, int, ...);
  directory = getenv("FAULTY_DISK_DIRECTORY");
  const char *control_path = getenv("FAULTY_DISK_CONTROL"), *log_path = getenv("FAULTY_DISK_LOG");
  if (!directory || !control_path || !log_path) abort();
  directory_length = strlen(directory);
  int file = real_open64(control_path, O_RDWR | O_CLOEXEC);
  control = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  log_file = real_open64(log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (control == MAP_FAILED || log_file < 0) abort();
}

static int fault(int which) { return control && (*control & which); }
static int is_below(const char *path) { return directory && path && strncmp(path, directory, directory_length) == 0; }
static int is_watched(int file) { return file >= 0 && file < FILES_MAX && watched[file]; }

static int refuse(int reason) {
  errno = reason;
  return -1;
}

static void stall(void) {
  while (fault(STALLS)) usleep(STALL_STEP_US);
}

/* One write call for a record, so that records of several threads do not mix. */
static void note(uint32_t kind, int file, uint64_t offset, uint64_t bytes) {
  REAL(ssize_t, pread64, int, void *, size_t, off64_t);
  REAL(ssize_t, writev, int, const struct iovec *, int);
  struct stat64 about;
  int reason = errno;
  if (fstat64(file, &about) != 0) return;
  struct record record = {kind, 0, about.st_ino, offset, bytes, about.st_size};
  uint64_t wanted = offset >= (uint64_t)about.st_size ? 0 : about.st_size - offset;
  if (kind == WRITE && wanted > bytes) wanted = bytes;
  if (kind == SYNC || kind == FAILED_SYNC) wanted = 0;
  char *before = malloc(wanted + 1);
  char path[64];
  /* The file may have been opened for writing only. */
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  REAL(int, open64, const char *, int, ...);
  int readable = wanted > 0 ? real_open64(path, O_RDONLY | O_CLOEXEC) : -1;
  if (readable >= 0) {
    ssize_t got = real_pread64(readable, before, wanted, offset);
    record.old_bytes = got > 0 ? got : 0;
    REAL(int, close, int);
    real_close(readable);
  }
  struct iovec parts[2] = {{&record, sizeof record}, {before, record.old_bytes}};
  pthread_mutex_lock(&lock);
  if (real_writev(log_file, parts, 2) < 0) abort();
  pthread_mutex_unlock(&lock);
  free(before);
  errno = reason;
}

/* Of a write: 0, or the reason why the disk does not take it. */
static int refusal(int file, uint64_t end) {
  struct stat64 about;
  stall();
  if (fault(READ_ONLY)) return EROFS;
  if (fault(FULL | FULL_UNTIL_REMOVAL) && fstat64(file, &about) == 0 && end > (uint64_t)about.st_size) return ENOSPC;
  return 0;
}

static int before_write(int file, uint64_t offset, uint64_t bytes) {
  int reason = refusal(file, offset + bytes);
  if (reason) return refuse(reason);
  note(WRITE, file, offset, bytes);
  return 0;
}

static int open_watched(const char *path, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
  if (is_below(path)) {
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    if (writes && fault(READ_ONLY)) return refuse(EROFS);
    if (flags & O_CREAT && fault(FULL | FULL_UNTIL_REMOVAL) && access(path, F_OK) != 0) return refuse(ENOSPC);
  }
  int file = real(path, flags, mode);
  if (file >= 0 && file < FILES_MAX) watched[file] = is_below(path) && (flags & O_ACCMODE) != O_RDONLY;
  return file;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    return open_watched(path, flags, mode, real_##name); \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  REAL(int, close, int);
  if (file >= 0 && file < FILES_MAX) watched[file] = 0;
  return real_close(file);
}

static uint64_t position_of(int file) {
  off64_t at = lseek64(file, 0, SEEK_CUR);
  return at < 0 ? 0 : at;
}

ssize_t write(int file, const void *from, size_t bytes) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (is_watched(file) && before_write(file, position_of(file), bytes) != 0) return -1;
  return real_write(file, from, bytes);
}

ssize_t pwrite(int file, const void *from, size_t bytes, off_t offset) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  if (is_watched(file) && before_write(file, offset, bytes) != 0) return -1;
  return real_pwrite(file, from, bytes, offset);
}

ssize_t pwrite64(int file, const void *from, size_t bytes, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  if (is_watched(file) && before_write(file, offset, bytes) != 0) return -1;
  return real_pwrite64(file, from, bytes, offset);
}

static size_t length_of(const struct iovec *parts, int count) {
  size_t bytes = 0;
  for (int at = 0; at < count; at += 1) bytes += parts[at].iov_len;
  return bytes;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (is_watched(file) && before_write(file, position_of(file), length_of(parts, count)) != 0) return -1;
  return real_writev(file, parts, count);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t);
  if (is_watched(file) && before_write(file, offset, length_of(parts, count)) != 0) return -1;
  return real_pwritev64(file, parts, count, offset);
}

static int before_truncate(int file, uint64_t bytes) {
  int reason = refusal(file, bytes);
  if (reason) return refuse(reason);
  note(TRUNCATE, file, bytes, 0);
  return 0;
}

int ftruncate(int file, off_t bytes) {
  REAL(int, ftruncate, int, off_t);
  if (is_watched(file) && before_truncate(file, bytes) != 0) return -1;
  return real_ftruncate(file, bytes);
}

int ftruncate64(int file, off64_t bytes) {
  REAL(int, ftruncate64, int, off64_t);
  if (is_watched(file) && before_truncate(file, bytes) != 0) return -1;
  return real_ftruncate64(file, bytes);
}

static int sync_watched(int file, int (*real)(int)) {
  if (!is_watched(file)) return real(file);
  stall();
  if (fault(SYNC_FAILS)) {
    note(FAILED_SYNC, file, 0, 0);
    return refuse(EIO);
  }
  int result = real(file);
  if (result == 0) note(SYNC, file, 0, 0);
  return result;
}

int fsync(int file) {
  REAL(int, fsync, int);
  return sync_watched(file, real_fsync);
}

int fdatasync(int file) {
  REAL(int, fdatasync, int);
  return sync_watched(file, real_fdatasync);
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (is_below(to) && fault(READ_ONLY)) return refuse(EROFS);
  return real_rename(from, to);
}

static int removed(const char *path, int result) {
  if (result == 0 && is_below(path) && control) *control &= ~FULL_UNTIL_REMOVAL;
  return result;
}

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  if (is_below(path) && fault(READ_ONLY)) return refuse(EROFS);
  return removed(path, real_unlink(path));
}

int unlinkat(int at, const char *path, int flags) {
  REAL(int, unlinkat, int, const char *, int);
  if (is_below(path) && fault(READ_ONLY)) return refuse(EROFS);
  return removed(path, real_unlinkat(at, path, flags));
}

int remove(const char *path) {
  REAL(int, remove, const char *);
  if (is_below(path) && fault(READ_ONLY)) return refuse(EROFS);
  return removed(path, real_remove(path));
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (is_below(path) && fault(READ_ONLY)) return refuse(EROFS);
  if (is_below(path) && fault(FULL | FULL_UNTIL_REMOVAL)) return refuse(ENOSPC);
  return real_mkdir(path, mode);
}
