import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// A folder whose due deletions a test completes, without waiting for weeks.
struct ErasureJourney {
    let folder: URL

    var data: URL { folder.appendingPathComponent("data") }
    var photos: URL { folder.appendingPathComponent("photos") }

    /// The master key of `TestService`, which completes deletions with its own clock.
    static let keys = ["PHOTOLALA_KEYS_MASTER": "test:\(Data(repeating: 7, count: 32).base64EncodedString())"]

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func command(_ words: String...) throws -> OperatorCommand {
        try OperatorCommand.run(words[0], Array(words.dropFirst()), data: data, variables: Self.keys)
    }

    /// Runs the job that erases, as a server would in the next weeks. No server may run on the folder.
    func completeDeletions() async throws {
        let clock = TestClock(Date())
        let store = try await DirectoryObjectStore.open(
            at: data, now: { clock.now }, randomness: .system,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, reserve: StorageReserve(bytes: 0))
        var options = TestService.Options()
        options.deletedData = ScrubErasure(
            store, record: ObjectKey(known: StorageLayout.scrub), retry: RetryPolicy(backoff: .none))
        let service = try await TestService.make(options, store: store, clock: clock)
        for _ in 0..<60 {
            clock.advance(by: 12 * 3600)
            try await service.services.accountErasure.eraseDueAccounts()
        }
        #expect(try await service.components.accounts.deletions.all().isEmpty)
        try await store.close()
    }
}
