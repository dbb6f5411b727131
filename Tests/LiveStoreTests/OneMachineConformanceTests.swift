import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@Suite("The S3 store against the one-machine endpoint")
struct OneMachineConformanceTests {
    @Test("the store meets all requirements below a user's own prefix", arguments: ObjectStoreConformance.cases)
    func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
        try await OneMachine.run { machine in
            try await promise.check(try await machine.store(), prefix: "\(StorageLayout.photos(machine.user))kit/")
        }
    }
}
