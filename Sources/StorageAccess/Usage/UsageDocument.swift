import Foundation
import ObjectStorage
import PhotolalaAPI

/// `usage.json`: the last count of an account's storage.
package struct UsageDocument: VersionedDocument {
    package var version: Int
    /// The bytes below the user's prefixes.
    package var bytes: Int64
    package var objects: Int
    package var countedAt: Date
    /// The same by kind; `nil` in counts of an earlier version.
    package var kinds: [UsageKind: KindUsage]?
    /// The part of the thumbnails that is previews; `nil` in counts of an earlier version. It is no kind: earlier versions
    /// could not read counts with one more.
    package var previews: KindUsage?
    /// While the account is over its limit, the sizes of catalogs and data at the last count within it, or at the
    /// first count; otherwise `nil`.
    package var whenExceeded: RecordBytes?
}

/// The purposes of a user's prefixes.
package enum UsageKind: String, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
    /// Includes photos in the trash, as long as they are stored.
    case photos
    /// Includes previews.
    case thumbnails
    case catalogs
    /// The profile, and other data that the user stores there.
    case data

    /// Whether its keys are distributed evenly over the hex digits.
    var isNamedByMD5: Bool { self == .photos || self == .thumbnails }

    /// The prefix of all users' objects of this kind.
    var root: String {
        switch self {
        case .photos: StorageLayout.photos
        case .thumbnails: StorageLayout.thumbnails
        case .catalogs: StorageLayout.catalogs
        case .data: StorageLayout.userData
        }
    }

    func prefix(of user: UserID) -> String {
        switch self {
        case .photos: StorageLayout.photos(user)
        case .thumbnails: StorageLayout.thumbnails(user)
        case .catalogs: StorageLayout.catalogs(user)
        case .data: StorageLayout.userData(user)
        }
    }
}

/// The storage used by one kind.
package struct KindUsage: Codable, Sendable, Equatable {
    package var bytes: Int64 = 0
    package var objects = 0

    package static func += (left: inout KindUsage, right: KindUsage) {
        left.bytes += right.bytes
        left.objects += right.objects
    }
}
