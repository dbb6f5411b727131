import PhotolalaAPI
import PhotolalaClient

/// Formats the storage usage of an account.
enum StorageStrings {
    private static let advice =
        "Delete photos for good (photolala trash put PATH, and after 30 days photolala trash purge), or get a "
        + "larger plan."

    /// Returns the warning after an upload; `nil` if there is enough quota headroom.
    static func warning(_ storage: StorageUsage?, withoutRoom files: Int) -> String? {
        guard let storage else { return nil }
        guard files > 0 else { return warning(storage.fullness, used: storage.used, limit: storage.limit) }
        let share = share(used: storage.used, limit: storage.limit)
        let counted = storage.countedAt.map {
            " It was counted \(DateText.minute($0)); room that was made since shows within a quarter of an hour."
        }
        return "\(Counted.files(files)) did NOT FIT into your storage: \(share). \(advice)\(counted ?? "")"
    }

    static func warning(_ fullness: StorageFullness, used: Int64, limit: Int64) -> String? {
        let share = share(used: used, limit: limit)
        return switch fullness {
        case .roomy: nil
        case .near: "Your storage is more than four fifths full: \(share)."
        case .almostFull: "Your storage is ALMOST FULL: \(share). \(advice)"
        case .full: "Your storage is FULL: \(share). \(advice)"
        }
    }

    private static func share(used: Int64, limit: Int64) -> String {
        "\(ByteText.text(used)) of \(ByteText.text(limit)) used"
    }

    /// Formats the usage by kind of object.
    static func kinds(_ usage: UsageByKind) -> String {
        let kinds: [(String, StoredObjects)] = [
            ("photos", usage.photos), ("thumbnails", usage.thumbnails), ("catalogs", usage.catalogs),
            ("profile", usage.data),
        ]
        return kinds.filter { $0.1.objects > 0 }.map { "\($0.0) \(ByteText.text($0.1.bytes)) (\($0.1.objects))" }
            .joined(separator: ", ")
    }
}
