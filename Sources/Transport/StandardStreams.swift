#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The streams with which a program is started.
package enum StandardStreams {
    /// Opens `/dev/null` on each of the descriptors 0 to 2 that is closed. Otherwise the next opened file would get it, and
    /// messages would be written into that file. As with a closed stream, reading and writing fail.
    package static func openClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // A file gets the lowest free descriptor, which is this one.
            guard open("/dev/null", mode) == descriptor else { _exit(1) }
        }
    }
}
