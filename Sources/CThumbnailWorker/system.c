#include "CThumbnailWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int photolala_socket_pair(int sockets[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return -1;
    for (int index = 0; index < 2; index++) {
        fcntl(sockets[index], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
        int on = 1;
        setsockopt(sockets[index], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    }
    return 0;
}

/// A message with room for one descriptor.
typedef struct {
    photolala_request request;
    struct iovec content;
    struct msghdr header;
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
} Message;

static void prepare(Message *message) {
    memset(message, 0, sizeof *message);
    message->content = (struct iovec){.iov_base = &message->request, .iov_len = sizeof message->request};
    message->header.msg_iov = &message->content;
    message->header.msg_iovlen = 1;
    message->header.msg_control = message->control.bytes;
    message->header.msg_controllen = sizeof message->control.bytes;
}

int photolala_send_descriptor(int socket, int descriptor, photolala_request request) {
    Message message;
    prepare(&message);
    message.request = request;
    struct cmsghdr *control = CMSG_FIRSTHDR(&message.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(control), &descriptor, sizeof descriptor);
    int flags = MSG_DONTWAIT;
#ifdef MSG_NOSIGNAL
    flags |= MSG_NOSIGNAL;
#endif
    ssize_t sent;
    do sent = sendmsg(socket, &message.header, flags);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof message.request ? 0 : -1;
}

int photolala_receive_descriptor(int socket, photolala_request *request) {
    Message message;
    prepare(&message);
    int flags = 0;
#ifdef MSG_CMSG_CLOEXEC
    flags |= MSG_CMSG_CLOEXEC;
#endif
    ssize_t received;
    do received = recvmsg(socket, &message.header, flags);
    while (received < 0 && errno == EINTR);
    struct cmsghdr *control = CMSG_FIRSTHDR(&message.header);
    if (received != sizeof message.request || control == NULL || control->cmsg_type != SCM_RIGHTS ||
        control->cmsg_len != CMSG_LEN(sizeof(int)))
        return -1;
    *request = message.request;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(control), sizeof descriptor);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

void photolala_close_others(void) {
    for (int descriptor = getdtablesize() < 4096 ? getdtablesize() : 4096; descriptor > 2; descriptor--)
        close(descriptor);
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 &&
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor)
            _exit(1);
}

static int limit(int resource, uint64_t most) {
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    return setrlimit(resource, &limit);
}

int photolala_limit_resources(uint64_t memory) {
    if (limit(RLIMIT_CORE, 0) != 0 || limit(RLIMIT_FSIZE, 0) != 0) return -1;
#ifdef __linux__
    return limit(RLIMIT_AS, memory);
#else
    // macOS has no such limit.
    (void)memory;
    return 0;
#endif
}

pid_t photolala_fork(void) { return fork(); }

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
    #include <linux/audit.h>
    #include <linux/filter.h>
    #include <linux/sched.h>
    #include <linux/seccomp.h>
    #include <signal.h>
    #include <stddef.h>
    #include <sys/mman.h>
    #include <sys/prctl.h>
    #include <sys/syscall.h>

    #ifdef __x86_64__
        #define ARCHITECTURE AUDIT_ARCH_X86_64
    #else
        #define ARCHITECTURE AUDIT_ARCH_AARCH64
    #endif

    #define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
    #define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
    /// Skips instructions unless the loaded word equals a value.
    #define UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
    #define ALLOW(call) UNLESS_EQUAL(__NR_##call, 1), RETURN(SECCOMP_RET_ALLOW)
    /// The lower half of an argument; both architectures are little-endian.
    #define ARGUMENT(number) (offsetof(struct seccomp_data, args) + (number) * sizeof(uint64_t))
    /// Allows a call if a bit of an argument is set, or if it is not set.
    #define ALLOW_IF_SET(call, argument, bit)                                                                           \
        UNLESS_EQUAL(__NR_##call, 4), LOAD(ARGUMENT(argument)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1),          \
            RETURN(SECCOMP_RET_ALLOW), RETURN(DENIED)
    #define ALLOW_UNLESS_SET(call, argument, bit)                                                                       \
        UNLESS_EQUAL(__NR_##call, 4), LOAD(ARGUMENT(argument)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 1, 0),          \
            RETURN(SECCOMP_RET_ALLOW), RETURN(DENIED)
    /// Libraries treat this error as an older kernel, and continue without the call: clone3 is replaced by clone.
    #define DENIED (SECCOMP_RET_ERRNO | ENOSYS)

    #define DENY(call) UNLESS_EQUAL(__NR_##call, 1), RETURN(DENIED)
    /// Ends programs of another architecture, whose calls have other numbers, and loads the number of the call.
    #define LOAD_CALL                                                                                                   \
        LOAD(offsetof(struct seccomp_data, arch)), UNLESS_EQUAL(ARCHITECTURE, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),    \
            RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(offsetof(struct seccomp_data, nr))
    #define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static int install(struct sock_filter *filter, size_t count) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int limit_child(unsigned processor_seconds) {
    return limit(RLIMIT_CPU, processor_seconds) == 0 ? prctl(PR_SET_PDEATHSIG, SIGKILL) : -1;
}

int photolala_enter_sandbox(unsigned processor_seconds) {
    struct sock_filter filter[] = {
        LOAD_CALL,
        // Threads, but no processes; memory, but no new code.
        ALLOW_IF_SET(clone, 0, CLONE_THREAD), ALLOW_UNLESS_SET(mmap, 2, PROT_EXEC),
        ALLOW_UNLESS_SET(mprotect, 2, PROT_EXEC),
        ALLOW(brk), ALLOW(clock_getres), ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(close), ALLOW(exit),
        ALLOW(exit_group), ALLOW(futex), ALLOW(getcpu), ALLOW(getpid), ALLOW(getrandom), ALLOW(getrusage),
        ALLOW(gettid), ALLOW(gettimeofday), ALLOW(madvise), ALLOW(mremap), ALLOW(munmap), ALLOW(nanosleep),
        ALLOW(read), ALLOW(restart_syscall), ALLOW(rseq), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn), ALLOW(sched_getaffinity), ALLOW(sched_yield), ALLOW(set_robust_list),
        ALLOW(sigaltstack), ALLOW(sysinfo), ALLOW(write),
        RETURN(DENIED),
    };
    return limit_child(processor_seconds) == 0 ? install(filter, sizeof filter / sizeof *filter) : -1;
}

int photolala_forbid_changes(unsigned processor_seconds) {
    struct sock_filter filter[] = {
        LOAD_CALL,
        // The calls since Linux 5.11, and on x86-64 the second numbers of all calls (x32).
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 441, 0, 1), RETURN(DENIED),
    #ifdef __x86_64__
        ALLOW_UNLESS_SET(open, 1, WRITING),
        DENY(creat), DENY(chmod), DENY(chown), DENY(lchown), DENY(link), DENY(mkdir), DENY(mknod), DENY(rename),
        DENY(rmdir), DENY(symlink), DENY(unlink), DENY(utime), DENY(utimes), DENY(futimesat), DENY(fork),
        DENY(vfork),
    #endif
        ALLOW_UNLESS_SET(openat, 2, WRITING), ALLOW_IF_SET(clone, 0, CLONE_THREAD),
        DENY(clone3), DENY(fchmod), DENY(fchmodat), DENY(fchown), DENY(fchownat), DENY(ftruncate), DENY(fallocate),
        DENY(io_uring_setup), DENY(kill), DENY(linkat), DENY(mkdirat), DENY(mknodat), DENY(mount), DENY(openat2),
        DENY(open_by_handle_at), DENY(pidfd_getfd), DENY(pidfd_open), DENY(pidfd_send_signal), DENY(prlimit64),
        DENY(process_vm_readv), DENY(process_vm_writev), DENY(ptrace), DENY(renameat2), DENY(rt_sigqueueinfo),
        DENY(rt_tgsigqueueinfo), DENY(fsetxattr), DENY(lsetxattr), DENY(setxattr), DENY(fremovexattr),
        DENY(lremovexattr), DENY(removexattr), DENY(shmget), DENY(socket), DENY(socketpair), DENY(symlinkat),
        DENY(tgkill), DENY(tkill), DENY(truncate), DENY(unlinkat), DENY(unshare), DENY(utimensat), DENY(bpf),
        DENY(fcntl),
    #ifdef __NR_renameat
        DENY(renameat),
    #endif
        RETURN(SECCOMP_RET_ALLOW),
    };
    return limit_child(processor_seconds) == 0 ? install(filter, sizeof filter / sizeof *filter) : -1;
}
#else
int photolala_enter_sandbox(unsigned processor_seconds) { return limit(RLIMIT_CPU, processor_seconds); }

int photolala_forbid_changes(unsigned processor_seconds) { return limit(RLIMIT_CPU, processor_seconds); }
#endif
