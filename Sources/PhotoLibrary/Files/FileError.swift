#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Why the local file system did not do as it was asked.
package enum FileError: Error, Equatable, Sendable {
    /// There is no such file or folder.
    case missing
    /// The file system refuses this person.
    case denied
    /// There is something of this name already.
    case exists
    /// It is no regular file (a folder, a link, a device) where one was wanted, or no folder.
    case wrongKind
    /// The name or path is longer than the file system takes.
    case nameTooLong
    /// The disk or the person's share of it is full.
    case outOfSpace
    /// The file system cannot do this at all.
    case unsupported
    /// The task was cancelled before the work began.
    case cancelled
    /// Anything else, by the system's error number.
    case system(Int32)

    /// Reads an error number as the calls used here mean it.
    init(errno code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = code == ENOENT ? .missing : .wrongKind
        case EACCES, EPERM, EROFS: self = .denied
        case EEXIST: self = .exists
        case ELOOP, EISDIR: self = .wrongKind
        case ENAMETOOLONG: self = .nameTooLong
        case ENOSPC, EDQUOT, EFBIG: self = .outOfSpace
        case ENOTSUP, ENOSYS, EOPNOTSUPP: self = .unsupported
        default: self = .system(code)
        }
    }

    /// The error of the call that just failed on this thread.
    static var last: FileError { FileError(errno: errno) }
}
