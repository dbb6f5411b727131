import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@Suite("The S3 store against the endpoint of one machine")
struct OneMachineConformanceTests {
    @Test("keeps the promise below a user's own prefix", arguments: ObjectStoreConformance.cases)
    func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
        try await OneMachine.run { machine in
            try await promise.check(try await machine.store(), prefix: "\(StorageLayout.photos(machine.user))kit/")
        }
    }
}
