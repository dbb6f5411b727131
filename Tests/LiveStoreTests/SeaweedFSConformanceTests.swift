import ObjectStorage
import PhotolalaTesting
import Testing

extension AgainstSeaweedFS {
    @Suite("The S3 store", .serialized)
    struct ConformanceTests {
        @Test("the store meets all requirements, except for known deviations", arguments: ObjectStoreConformance.cases)
        func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
            let store = try LiveEngine.current.store()
            var complaint: String?
            do {
                try await promise.check(store, prefix: "service/kit/")
            } catch let failure as ConformanceFailure {
                complaint = failure.description
            }
            #expect(complaint == SeaweedFSDeviations.knownDeviations[promise.description])
        }

        @Test("every known deviation names a conformance case")
        func knownPromises() {
            let promises = Set(ObjectStoreConformance.cases.map(\.description))
            #expect(promises.isSuperset(of: SeaweedFSDeviations.knownDeviations.keys))
        }
    }
}
