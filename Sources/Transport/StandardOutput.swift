#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Glibc
#endif

/// The end of a program whose standard output cannot be written.
package enum StandardOutput {
    /// Ends the process as SIGPIPE ends other programs when the reader of a pipe has ended: without a message, and with
    /// the status 141 in a shell. Sockets make this process ignore the signal.
    package static func endByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(128 + SIGPIPE)
    }

    /// Whether standard output is a pipe whose reader has ended.
    package static var hasLostReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// Makes the process fail at its end if printed text could not be written: a script must not take lost output for
    /// success.
    package static func checkAtExit() { atexit { StandardOutput.finish() } }

    private static func finish() {
        let isFlushed = fflush(stdout) == 0
        let reason = errno
        guard !isFlushed || ferror(stdout) != 0 else { return }
        if hasLostReader { endByBrokenPipe() }
        let cause = isFlushed ? "" : ": \(String(cString: strerror(reason)))"
        let message = Array("error: Cannot write to standard output\(cause).\n".utf8)
        _ = write(STDERR_FILENO, message, message.count)
        _exit(1)
    }
}
