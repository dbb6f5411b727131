/// The access level of storage credentials.
public enum StorageAccessLevel: String, Sendable, Codable, CaseIterable {
    /// Reads, writes and deletes under all of the user's own prefixes.
    case readWrite
    /// For an account over its quota or with a lapsed subscription: no new objects under `photos/` and `thumbnails/`;
    /// reading and deleting remain possible.
    case readDelete
    /// For an account that is being deleted: reading only.
    case read
    /// New photos and thumbnails only. Signs uploads and is never issued to a device.
    case upload

    /// Returns the access that both levels allow. `upload` and any level but `readWrite` share no access; since no
    /// level expresses that, the result is `read`.
    public func narrowed(to other: StorageAccessLevel) -> StorageAccessLevel {
        switch (self, other) {
        case (.read, _), (_, .read): .read
        case (.upload, .readDelete), (.readDelete, .upload): .read
        case (.readDelete, _), (_, .readDelete): .readDelete
        case (.upload, _), (_, .upload): .upload
        case (.readWrite, .readWrite): .readWrite
        }
    }
}
