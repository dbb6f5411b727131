import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/app-store/{environment}.json`: the time up to which missed notifications were fetched from Apple's server.
package struct NotificationPollDocument: VersionedDocument {
    package var version: Int
    package var askedUntil: Date
    /// When handling of the notification at `askedUntil` first failed; `nil` while nothing fails.
    package var failingSince: Date?
}

/// Tracks the time range of fetching missed notifications.
package struct NotificationPolls: Sendable {
    /// The overlap of two fetches, in seconds: a notification is signed shortly before its delivery fails.
    private static let overlap: TimeInterval = 3600
    /// The range of the first fetch, in seconds. Apple keeps 180 days.
    private static let firstSpan: TimeInterval = 30 * 86_400

    /// How long notifications that cannot be handled are fetched again, in seconds.
    private static let failureTolerance: TimeInterval = 3 * 86_400

    private let documents: Documents<NotificationPollDocument>
    private let environment: AppStoreEnvironment

    package init(store: any ObjectStore, retry: RetryPolicy, environment: AppStoreEnvironment) {
        documents = Documents(store: store, retry: retry)
        self.environment = environment
    }

    /// Returns the start of the next fetch. One read.
    package func nextStart(before end: Date) async throws(ObjectStoreError) -> Date {
        guard let last = try await documents.load(key) else { return end.addingTimeInterval(-Self.firstSpan) }
        return max(last.value.askedUntil.addingTimeInterval(-Self.overlap), end.addingTimeInterval(-180 * 86_400))
    }

    /// Records the end of a fetch. One read and one write.
    /// - Parameter failure: the time of the first notification that could not be handled. It is fetched again for three
    ///   days and then given up, with all others that cannot be handled at that time.
    package func recordEnd(_ end: Date, failingFrom failure: Date?) async throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            let last = try await documents.load(key)
            // `askedUntil` stays at the first failure; later notifications have failed for less time.
            let failingSince = failure.map { failure in
                let isKnown = last.map { Self.wholeSeconds(failure) <= $0.value.askedUntil } ?? false
                return isKnown ? last?.value.failingSince ?? end : end
            }
            let isGivenUp = failingSince.map { end.timeIntervalSince($0) > Self.failureTolerance } ?? false
            var next = last?.value ?? NotificationPollDocument(version: 1, askedUntil: failure ?? end)
            let reached = isGivenUp ? end : min(end, failure ?? end)
            next.askedUntil = Self.wholeSeconds(max(reached, next.askedUntil))
            next.failingSince = isGivenUp ? nil : failingSince.map(Self.wholeSeconds)
            guard let last else {
                _ = try await documents.create(key, next)
                return
            }
            if next != last.value { _ = try await documents.replace(key, last, with: next) }
        } catch .preconditionFailed {
            // Another instance fetched at the same time.
        }
    }

    private static func wholeSeconds(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    private var key: ObjectKey {
        ObjectKey(known: StorageLayout.notificationPoll(environment: environment.rawValue.lowercased()))
    }
}
