/// How far storage credentials reach.
public enum StorageAccessLevel: String, Sendable, Codable, CaseIterable {
    /// Everything under the user's own prefixes.
    case readWrite
    /// Over quota or lapsed: nothing new under `photos/` and `thumbnails/`; reading and deleting go on.
    case readDelete
    /// The account is being deleted: reading only.
    case read
    /// Nothing but new photos and thumbnails. Uploads are signed with it; no device gets it.
    case upload

    /// What both of two reach. Of `upload` and another than `readWrite` that is nothing, for which there is no level: `read`.
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
