import DirectoryStorage
import Foundation
import Logging
import PhotolalaTesting
import Secrets
import Testing

/// An operator imports a store of a legacy layout, and Bob signs in as before.
@Suite struct LayoutJourneyTests {
    @Test("a folder with a legacy layout is imported, and Bob restores his photos byte for byte")
    func folder() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let older = OlderBucket(photos: folder.appendingPathComponent("mine")) { act in
                let store = try await DirectoryObjectStore.open(
                    at: data, now: { Date() }, randomness: .system, logger: Logger(label: "test"))
                try await act(store)
                try await store.close()
            } migrate: { arguments in
                try OperatorCommand.run("migrate", arguments, data: data)
            } serve: {
                try await ServerProcess(data: data, transport: transport)
            }
            try await older.journey(in: folder)
        }
    }
}

extension OnSeaweedFS {
    @Suite struct LayoutJourneyTests {
        @Test("a bucket with a legacy layout is imported, and Bob restores his photos byte for byte")
        func bucket() async throws {
            try await SeaweedFS.run { engine in
                try await withTemporaryFolder { folder in
                    let older = OlderBucket(photos: folder.appendingPathComponent("mine")) { act in
                        try await act(try engine.store())
                    } migrate: { arguments in
                        try OperatorCommand.run("migrate", arguments, on: engine, as: engine.admin)
                    } serve: {
                        try await ServerProcess(on: engine, transport: engine.transport)
                    }
                    try await older.journey(in: folder)
                }
            }
        }
    }
}
