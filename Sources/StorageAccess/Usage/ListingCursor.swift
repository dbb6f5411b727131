import Foundation
import ObjectStorage

/// A position in the listing of a prefix, which moves forward only. Each page is listed once, however many accounts it
/// covers, and pages between two positions are not listed.
struct ListingCursor: Sendable {
    private let store: any ObjectStore
    private let prefix: String
    private let now: @Sendable () -> Date
    private var objects: ArraySlice<ListedObject> = []
    private var lastKey: String?
    private var hasMore = true
    /// When the current page was requested.
    private(set) var readAt: Date

    init(_ prefix: String, in store: any ObjectStore, now: @escaping @Sendable () -> Date) {
        self.prefix = prefix
        self.store = store
        self.now = now
        readAt = now()
    }

    /// Moves to the first object below a folder and returns it; `nil` if there is none.
    /// - Parameter folder: a prefix that ends in `/`, not before those of earlier calls.
    mutating func first(below folder: String) async throws(ObjectStoreError) -> ListedObject? {
        while true {
            // Compares bytes, as listings are in byte order.
            while let object = objects.first, object.key.description.utf8.lexicographicallyPrecedes(folder.utf8) {
                objects.removeFirst()
            }
            if let object = objects.first {
                return object.key.description.utf8.starts(with: folder.utf8) ? object : nil
            }
            guard hasMore else { return nil }
            try await readPage(from: folder)
        }
    }

    /// Removes and returns the next object below a folder; `nil` if there is none.
    mutating func next(below folder: String) async throws(ObjectStoreError) -> ListedObject? {
        guard let object = try await first(below: folder) else { return nil }
        objects.removeFirst()
        return object
    }

    private mutating func readPage(from folder: String) async throws(ObjectStoreError) {
        // Without the `/`, so that an object with the folder's own name is included.
        let start = String(folder.dropLast())
        let after = lastKey.map { start.utf8.lexicographicallyPrecedes($0.utf8) ? $0 : start } ?? start
        readAt = now()
        let page = try await store.list(prefix: prefix, after: after, limit: 1000)
        objects = page.objects[...]
        lastKey = page.objects.last?.key.description ?? lastKey
        hasMore = page.isTruncated && !page.objects.isEmpty
    }
}
