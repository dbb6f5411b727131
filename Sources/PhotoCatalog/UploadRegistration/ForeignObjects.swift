import ObjectStorage
import PhotolalaAPI
import Synchronization

/// Stored objects that are neither photos nor videos, remembered for ten minutes so that repeated calls do not read them.
package final class ForeignObjects: Sendable {
    private struct Key: Hashable {
        let user: UserID
        let md5: ContentDigest
        /// Of a few formats, the extension decides whether they are media.
        let ending: String
    }

    /// In seconds; the object may be replaced by one with the right bytes.
    private static let lifetime: Int64 = 600

    private let times = Mutex(RecentValues<Key, Timestamp>(capacity: 4096))

    package init() {}

    func contains(_ md5: ContentDigest, of user: UserID, as name: String, at now: Timestamp) -> Bool {
        let key = Self.key(md5, user, name)
        return times.withLock { $0.value(key).map { now.seconds - $0.seconds < Self.lifetime } ?? false }
    }

    func insert(_ md5: ContentDigest, of user: UserID, as name: String, at now: Timestamp) {
        let key = Self.key(md5, user, name)
        times.withLock { $0.insert(now, at: key) }
    }

    private static func key(_ md5: ContentDigest, _ user: UserID, _ name: String) -> Key {
        Key(user: user, md5: md5, ending: FileExtensions.fileExtension(of: name))
    }
}
