import PhotolalaAPI
import PhotolalaClient

/// How full somebody's storage is, for people.
enum StorageWords {
    /// After something was sent; `nil` where there is room enough.
    static func warning(_ storage: StorageStanding?) -> String? {
        guard let storage else { return nil }
        return warning(storage.fullness, used: storage.used, limit: storage.limit)
    }

    static func warning(_ fullness: StorageFullness, used: Int64, limit: Int64) -> String? {
        let share = "\(ByteText.text(used)) of \(ByteText.text(limit)) used"
        let advice = "Delete photos for good (photolala trash, photolala purge-trash), or get a larger plan."
        return switch fullness {
        case .roomy: nil
        case .near: "Your storage is more than four fifths full: \(share)."
        case .almostFull: "Your storage is ALMOST FULL: \(share). \(advice)"
        case .full: "Your storage is FULL: \(share). \(advice)"
        }
    }

    /// What is stored, by what it is for.
    static func kinds(_ usage: UsageByKind) -> String {
        let kinds: [(String, StoredObjects)] = [
            ("photos", usage.photos), ("thumbnails", usage.thumbnails), ("catalogs", usage.catalogs),
            ("profile", usage.data),
        ]
        return kinds.filter { $0.1.objects > 0 }.map { "\($0.0) \(ByteText.text($0.1.bytes)) (\($0.1.objects))" }
            .joined(separator: ", ")
    }
}
