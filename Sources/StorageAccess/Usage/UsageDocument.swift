import Foundation
import ObjectStorage
import PhotolalaAPI

/// `usage.json`: the last count of what an account stores.
package struct UsageDocument: VersionedDocument {
    package var version: Int
    /// Bytes under the user's prefixes.
    package var bytes: Int64
    package var objects: Int
    package var countedAt: Date
    /// The same by kind; none in a count of an earlier version.
    package var kinds: [UsageKind: KindUsage]?
    /// While the account is over its limit, what catalogs and data took at the last count within it, or else at the first
    /// count; `nil` while it is within.
    package var whenExceeded: RecordBytes?
}

/// What a user's prefixes are for.
package enum UsageKind: String, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
    /// Those in the trash, too, as long as they are stored.
    case photos
    case thumbnails
    case catalogs
    /// The profile, and whatever else the user keeps there.
    case data

    /// Whether its keys are spread evenly over the hex digits.
    var isNamedByMD5: Bool { self == .photos || self == .thumbnails }

    func prefix(of user: UserID) -> String {
        switch self {
        case .photos: StorageLayout.photos(user)
        case .thumbnails: StorageLayout.thumbnails(user)
        case .catalogs: StorageLayout.catalogs(user)
        case .data: StorageLayout.userData(user)
        }
    }
}

/// How much is stored of one kind.
package struct KindUsage: Codable, Sendable, Equatable {
    package var bytes: Int64 = 0
    package var objects = 0

    package static func += (left: inout KindUsage, right: KindUsage) {
        left.bytes += right.bytes
        left.objects += right.objects
    }
}
