#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The reason why an operation on the local file system failed.
package enum FileError: Error, Equatable, Sendable {
    /// The file or folder does not exist.
    case missing
    case denied
    /// The file system is read-only.
    case readOnly
    /// A file with this name already exists.
    case exists
    /// Another process writes the file.
    case inUse
    /// Not a regular file (a folder, a link, a device) where one is required, or not a folder.
    case wrongKind
    /// The name or path is too long for the file system.
    case nameTooLong
    /// The disk is full, the user's disk quota is exceeded, or the file would be too large.
    case outOfSpace
    /// The file system does not support the operation.
    case unsupported
    /// An ignore file is too long, or has a line that is not a pattern.
    case malformedIgnoreFile(line: Int?)
    /// The ignore file of a folder is not a regular file.
    case unusableIgnoreFile
    /// The task was cancelled before the operation began.
    case cancelled
    /// Any other error, with the system's error number.
    case system(Int32)

    /// Maps an error number to its meaning for the calls used in this module.
    package init(errno code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = code == ENOENT ? .missing : .wrongKind
        case EACCES, EPERM: self = .denied
        case EROFS: self = .readOnly
        case EEXIST: self = .exists
        case ELOOP, EISDIR: self = .wrongKind
        case ENAMETOOLONG: self = .nameTooLong
        case ENOSPC, EDQUOT, EFBIG: self = .outOfSpace
        case ENOTSUP, ENOSYS, EOPNOTSUPP: self = .unsupported
        default: self = .system(code)
        }
    }

    /// The error of the last failed call on this thread.
    static var last: FileError { FileError(errno: errno) }
}
