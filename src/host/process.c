/* host/process.c: run a program and keep what it says. */
#define _GNU_SOURCE /* pipe2 */
#include "host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/runner.h"

extern char **environ;

#define MAX_OUTPUT (64u << 20)
#define POLL_MS 50    /* between looks for signals, and whether the program ended */
#define STOP_POLLS 10 /* of 10 ms, before a program that is to end is killed */

typedef struct channel {
    int read_end, write_end; /* -1: closed */
    cu_blob text;
    size_t capacity;
} channel;

static void
channel_clear(channel *c)
{
    if (c->read_end >= 0) close(c->read_end);
    if (c->write_end >= 0) close(c->write_end);
    free(c->text.data);
    *c = (channel){-1, -1, {0}, 0};
}

static bool
channel_open(channel *c)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC)) return false;
    c->read_end = ends[0];
    c->write_end = ends[1];
    return true;
}

/* Take what is there; false at the end of the output. */
static bool
channel_read(channel *c)
{
    if (c->capacity - c->text.nbytes < 4096) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 16384;
        char *bigger = capacity <= MAX_OUTPUT ? realloc(c->text.data, capacity) : NULL;
        if (!bigger) return false;
        c->text.data = bigger;
        c->capacity = capacity;
    }
    const ssize_t n = read(c->read_end, c->text.data + c->text.nbytes,
                           c->capacity - c->text.nbytes - 1);
    if (n < 0) return errno == EINTR;
    c->text.nbytes += (size_t)n;
    c->text.data[c->text.nbytes] = '\0';
    return n > 0;
}

/* Whether the program is gone; *status is its end. One that ignores its children hears
 * nothing of it: then it is 0. */
static bool
has_ended(pid_t pid, int *status)
{
    const pid_t got = waitpid(pid, status, WNOHANG);

    if (got < 0 && errno != EINTR) *status = 0;
    return got > 0 || (got < 0 && errno != EINTR);
}

/* Stop the program and those that it started, which are of its group. Asked first: it may
 * have files to remove. */
static void
stop(pid_t pid)
{
    int status;

    kill(-pid, SIGTERM);
    for (int i = 0; i < STOP_POLLS; i++) {
        if (has_ended(pid, &status)) break;
        poll(NULL, 0, 10);
        if (i == STOP_POLLS - 1) {
            kill(-pid, SIGKILL);
            while (!has_ended(pid, &status)) poll(NULL, 0, 1);
        }
    }
    kill(-pid, SIGKILL);
}

/* Read until the program has ended and said all: those that it left behind may hold the
 * pipes open. *status is its end. Stops it where a signal handler raises. */
static cu_status
wait_for_exit(pid_t pid, channel *channels, int *status)
{
    struct pollfd fds[2] = {{channels[0].read_end, POLLIN, 0},
                            {channels[1].read_end, POLLIN, 0}};
    bool ended = false;

    for (;;) {
        const bool silent = fds[0].fd < 0 && fds[1].fd < 0;
        const int n = poll(fds, 2, ended ? 0 : silent ? 1 : POLL_MS);

        if (n < 0 && errno != EINTR) fds[0].fd = fds[1].fd = -1;
        for (int i = 0; i < 2 && n > 0; i++) {
            if (fds[i].fd >= 0 && fds[i].revents && !channel_read(&channels[i])) {
                fds[i].fd = -1;
            }
        }
        if (n > 0 && (fds[0].fd >= 0 || fds[1].fd >= 0)) continue;
        if (ended) return CUPRIC_OK;
        ended = has_ended(pid, status);
        if (!ended && cu_host_interrupted()) {
            stop(pid);
            return CUPRIC_ERR_PYTHON;
        }
    }
}

/* The environment with messages in English, which callers read for the first error; the
 * encoding stays. NULL without memory; the caller frees it, and *encoding. */
static char **
english_environment(char **encoding)
{
    static const char *const replaced[] = {"LC_ALL=", "LC_MESSAGES=", "LANGUAGE="};
    const char *all = getenv("LC_ALL");
    size_t n = 0, kept = 0;
    char **copy;

    *encoding = NULL;
    while (environ[n]) n++;
    copy = calloc(n + 3, sizeof *copy);
    if (!copy) return NULL;
    for (size_t i = 0; i < n; i++) {
        bool keep = !all || strncmp(environ[i], "LC_CTYPE=", 9);
        for (size_t k = 0; k < sizeof replaced / sizeof *replaced; k++)
            keep = keep && strncmp(environ[i], replaced[k], strlen(replaced[k]));
        if (keep) copy[kept++] = environ[i];
    }
    copy[kept++] = (char *)"LC_MESSAGES=C";
    if (all && *all && (*encoding = malloc(strlen(all) + 10))) {
        sprintf(*encoding, "LC_CTYPE=%s", all);
        copy[kept++] = *encoding;
    }
    return copy;
}

/* posix_spawn, which shares memory with the child until it runs: forking a process that
 * holds many gigabytes would take as long as the compilation. */
static int
spawn(char *const *argv, const channel *channels, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char *encoding, **environment = english_environment(&encoding); /* owned */
    int failed;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0); /* a group of its own: see stop */
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, channels[0].write_end, 1);
    posix_spawn_file_actions_adddup2(&actions, channels[1].write_end, 2);
    failed = posix_spawn(pid, argv[0], &actions, &attributes, argv,
                         environment ? environment : environ);
    free(environment);
    free(encoding);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

cu_status
cu_process_run(char *const *argv, int *code, cu_blob *out, cu_blob *err)
{
    channel channels[2] = {{-1, -1, {0}, 0}, {-1, -1, {0}, 0}};
    cu_status st = CUPRIC_OK;
    pid_t pid;
    int failed, status = 0;

    if (!channel_open(&channels[0]) || !channel_open(&channels[1])) {
        st = cu_fail(CUPRIC_ERR_OS, "cannot run %s: %s", argv[0], strerror(errno));
        goto done;
    }
    failed = spawn(argv, channels, &pid);
    if (failed) {
        st = cu_fail(CUPRIC_ERR_OS, "cannot run %s: %s", argv[0], strerror(failed));
        goto done;
    }
    for (int i = 0; i < 2; i++) {
        close(channels[i].write_end);
        channels[i].write_end = -1;
    }
    st = wait_for_exit(pid, channels, &status);
    if (st) goto done;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    *out = channels[0].text;
    *err = channels[1].text;
    channels[0].text = channels[1].text = (cu_blob){0};

done:
    channel_clear(&channels[0]);
    channel_clear(&channels[1]);
    return st;
}

static bool
is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *
cu_process_find(const char *name)
{
    const char *folders = getenv("PATH");
    char path[4096];

    if (strchr(name, '/')) return is_program(name) ? strdup(name) : NULL;
    if (!folders) folders = "/usr/local/bin:/usr/bin:/bin";
    while (*folders) {
        const size_t n = strcspn(folders, ":");
        if (n > 0 && n + strlen(name) + 2 < sizeof path) {
            snprintf(path, sizeof path, "%.*s/%s", (int)n, folders, name);
            if (is_program(path)) return strdup(path);
        }
        folders += n + (folders[n] == ':');
    }
    return NULL;
}
