import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

@Suite("In-memory object store")
struct MemoryObjectStoreTests {
    @Test("the store fulfils the ObjectStore contract", arguments: ObjectStoreConformance.cases)
    func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
        try await promise.check(MemoryObjectStore(now: { Date(timeIntervalSince1970: 1) }), prefix: "kit/")
    }
}
