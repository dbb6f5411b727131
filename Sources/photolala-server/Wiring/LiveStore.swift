import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import Secrets

/// The store of one machine.
enum LiveStore {
    static func open(_ settings: Settings, logger: Logger) async throws -> DirectoryObjectStore {
        try refuseLostDatabase(settings.data)
        do {
            return try await DirectoryObjectStore.open(
                at: URL(fileURLWithPath: settings.data, isDirectory: true), now: { Date() }, randomness: .system,
                logger: logger
            )
        } catch {
            throw StartProblem("the store in \(settings.data) cannot be opened: \(error)")
        }
    }

    /// Photos without the database that knows their owners are a damaged store, not a new one.
    private static func refuseLostDatabase(_ data: String) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: "\(data)/photolala.sqlite"), files.fileExists(atPath: "\(data)/photos") else {
            return
        }
        throw StartProblem("\(data) holds photos but no photolala.sqlite: restore that file from a backup first")
    }

    /// How long the store's "try again" is followed.
    static let retry = RetryPolicy(
        backoff: Backoff(first: .milliseconds(20), randomness: .system) { try? await Task.sleep(for: $0) }
    )
}
