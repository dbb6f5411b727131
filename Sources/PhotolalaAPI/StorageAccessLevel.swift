/// How far storage credentials reach.
public enum StorageAccessLevel: String, Sendable, Codable, CaseIterable {
    /// Everything under the user's own prefixes.
    case readWrite
    /// Over quota or lapsed: nothing new under `photos/` and `thumbnails/`; reading and deleting go on.
    case readDelete
    /// The account is being deleted: reading only.
    case read

    /// The one of two that reaches less far.
    public func narrowed(to other: StorageAccessLevel) -> StorageAccessLevel {
        switch (self, other) {
        case (.read, _), (_, .read): .read
        case (.readDelete, _), (_, .readDelete): .readDelete
        case (.readWrite, .readWrite): .readWrite
        }
    }
}
