/// What tells, without reading it, that a file is still the one that was written.
struct FileFingerprint: Equatable, Sendable {
    /// Length in bytes.
    let size: Int64
    /// The last change of the bytes, in nanoseconds since 1970.
    let modified: Int64
    let inode: Int64
}
