import Foundation
import ObjectStorage
import PhotolalaAPI

/// Photo metadata stored by earlier versions: one property list for each photo, named by its MD5. Users can write
/// arbitrary data there, so unknown content is ignored.
struct PhotoDescriptions {
    struct Description {
        let name: String?
        let taken: CaptureDate?
        let modified: Timestamp?
    }

    /// The largest property list that is read, in bytes.
    private static let limit = 64 << 10
    private static let names = ["originalFilename", "filename", "fileName", "name"]
    private static let taken = ["dateTaken", "photoDate", "creationDate", "createdAt"]
    private static let modified = ["modificationDate", "fileModificationDate", "modifiedAt"]

    private let store: any ObjectStore
    private let keys: [ContentDigest: ObjectKey]

    init(store: any ObjectStore, user: UserID) async throws {
        self.store = store
        var keys: [ContentDigest: ObjectKey] = [:]
        let prefix = StorageLayout.metadata(user)
        try await store.forEachObject(below: prefix) { object in
            let name = object.key.description.dropFirst(prefix.count)
            guard name.hasSuffix(".plist"), let digest = ContentDigest(name.dropLast(6).lowercased()) else { return }
            keys[digest] = object.key
        }
        self.keys = keys
    }

    func read(_ digest: ContentDigest) async throws -> Description? {
        guard let key = keys[digest] else { return nil }
        let found: StoredObject?
        do {
            found = try await store.get(key, limit: Self.limit)
        } catch {
            if case .tooLarge = error { return nil }
            throw error
        }
        // `PropertyListSerialization` crashes the process on a set in a binary property list.
        guard let found,
            let list = try? PropertyListDecoder().decode(
                [String: Value].self, from: Data(found.bytes.readableBytesView))
        else { return nil }
        let name = Self.names.lazy.compactMap { list[$0]?.text }.first
        return Description(
            name: name, taken: Self.taken(list), modified: Self.date(list, Self.modified))
    }

    private struct Value: Decodable {
        let text: String?
        let date: Date?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try? container.decode(String.self)
            date = text == nil ? try? container.decode(Date.self) : nil
        }
    }

    /// Returns the first valid capture date. A text value may include a UTC offset.
    private static func taken(_ list: [String: Value]) -> CaptureDate? {
        taken.lazy.compactMap { name in
            list[name]?.text.flatMap { CaptureDate($0) } ?? date(list, [name]).flatMap { CaptureDate($0) }
        }.first
    }

    private static func date(_ list: [String: Value], _ names: [String]) -> Timestamp? {
        for name in names {
            if let text = list[name]?.text, let date = Timestamp(text) { return date }
            guard let date = list[name]?.date, abs(date.timeIntervalSince1970) < 1e12 else { continue }
            return Timestamp(seconds: Int64(date.timeIntervalSince1970.rounded(.down)), nanoseconds: 0)
        }
        return nil
    }
}
