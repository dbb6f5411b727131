import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import Secrets

/// The store of one machine.
enum LiveStore {
    static func open(_ settings: Settings, logger: Logger) async throws -> DirectoryObjectStore {
        do {
            return try await DirectoryObjectStore.open(
                at: URL(fileURLWithPath: settings.data, isDirectory: true), now: { Date() }, randomness: .system,
                logger: logger
            )
        } catch {
            throw StartProblem("the store in \(settings.data) cannot be opened: \(error)")
        }
    }

    /// How long the store's "try again" is followed.
    static let retry = RetryPolicy(
        backoff: Backoff(first: .milliseconds(20), randomness: .system) { try? await Task.sleep(for: $0) }
    )
}
