import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Testing

@Suite("In-memory object store")
struct MemoryObjectStoreTests {
    @Test("the store fulfils the ObjectStore contract", arguments: ObjectStoreConformance.cases)
    func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
        try await promise.check(MemoryObjectStore(now: { Date(timeIntervalSince1970: 1) }), prefix: "kit/")
    }

    @Test func `totals equal the sum of charges after writes, replacements and deletions`() async throws {
        let store = MemoryObjectStore(now: { Date(timeIntervalSince1970: 1) })
        let prefixes = ["photos/a/", "photos/a/previews/", "photos/b/", "photos/c/"]
        var charges: [String: Int64] = [:]
        for step in 0..<60 {
            let key = prefixes[step % 3] + "\(step * step % 7)"
            if step % 4 == 3 {
                try await store.delete(ObjectKey(known: key), if: .always)
                charges[key] = nil
            } else {
                let bytes = ByteBuffer(repeating: 1, count: step * 500)
                _ = try await store.put(ObjectKey(known: key), bytes, if: .always)
                charges[key] = StorageCharge.bytes(
                    of: ObjectKey(known: key), size: Int64(step * 500), attributes: [:])
            }
            let expected = prefixes.reduce(into: [String: ObjectTotals]()) { totals, prefix in
                let below = charges.filter { $0.key.hasPrefix(prefix) }
                guard !below.isEmpty else { return }
                totals[prefix] = ObjectTotals(bytes: below.values.reduce(0, +), objects: Int64(below.count))
            }
            #expect(try await store.totals(below: prefixes) == expected, "step \(step)")
        }
    }
}
