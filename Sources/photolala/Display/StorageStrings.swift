import PhotolalaAPI
import PhotolalaClient

/// Formats the storage usage of an account.
enum StorageStrings {
    private static let advice =
        "To free space, delete photos permanently (photolala trash put PATH, then photolala trash purge PATH --now) or "
        + "upgrade your plan."

    /// Returns the warning after an upload; `nil` if there is enough quota headroom.
    static func warning(_ storage: StorageUsage?, withoutRoom files: Int) -> String? {
        guard let storage else { return nil }
        guard files > 0 else { return warning(storage.fullness, used: storage.used, limit: storage.limit) }
        let share = share(used: storage.used, limit: storage.limit)
        let counted = storage.countedAt.map {
            " Usage as of \(DateText.minute($0)); freed space is counted within 15 minutes."
        }
        return "\(Counted.files(files)) not uploaded, quota exceeded: \(share). \(advice)\(counted ?? "")"
    }

    static func warning(_ fullness: StorageFullness, used: Int64, limit: Int64) -> String? {
        let share = share(used: used, limit: limit)
        return switch fullness {
        case .roomy: nil
        case .near: "Storage \(limit > 0 ? Int(Double(used) / Double(limit) * 100) : 100)% full: \(share)."
        case .almostFull: "Storage almost full: \(share). \(advice)"
        case .full: "Storage full: \(share). \(advice)"
        }
    }

    private static func share(used: Int64, limit: Int64) -> String {
        "\(ByteText.text(used)) of \(ByteText.text(limit)) used"
    }

    /// Formats the usage by kind of object.
    static func kinds(_ usage: UsageByKind) -> String {
        let kinds: [(String, StoredObjects)] = [
            ("photos", usage.photos), ("thumbnails", usage.thumbnails),
            ("previews", usage.previews ?? StoredObjects(bytes: 0, objects: 0)), ("catalogs", usage.catalogs),
            ("profile", usage.data),
        ]
        return kinds.filter { $0.1.objects > 0 }.map { "\($0.0) \(ByteText.text($0.1.bytes)) (\($0.1.objects))" }
            .joined(separator: ", ")
    }
}
