import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

@Suite("The memory store")
struct MemoryObjectStoreTests {
    @Test("keeps the promise", arguments: ObjectStoreConformance.cases)
    func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
        try await promise.check(MemoryObjectStore(now: { Date(timeIntervalSince1970: 1) }), prefix: "kit/")
    }
}
