/// The metadata that shows, without reading the file, that it is still the one that was written.
struct FileFingerprint: Equatable, Sendable {
    /// The length in bytes.
    let size: Int64
    /// The last modification of the contents, in nanoseconds since 1970.
    let modified: Int64
    let inode: Int64
}
