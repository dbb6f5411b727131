import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/app-store/{environment}.json`: until when Apple's server was asked for notifications that did not arrive.
package struct NotificationPollDocument: VersionedDocument {
    package var version: Int
    package var askedUntil: Date
    /// Since when something cannot be taken in; `nil` while all can.
    package var failingSince: Date?
}

/// Where asking for missed notifications goes on.
package struct NotificationPolls: Sendable {
    /// A notification may be signed a little before it fails to arrive, in seconds.
    private static let overlap: TimeInterval = 3600
    /// How far back the first time goes, in seconds. Apple keeps 180 days.
    private static let firstSpan: TimeInterval = 30 * 86_400

    /// For how long what cannot be taken in is asked for again, in seconds.
    private static let patience: TimeInterval = 3 * 86_400

    private let documents: Documents<NotificationPollDocument>
    private let environment: AppStoreEnvironment

    package init(store: any ObjectStore, retry: RetryPolicy, environment: AppStoreEnvironment) {
        documents = Documents(store: store, retry: retry)
        self.environment = environment
    }

    /// From when on to ask. One read.
    package func nextStart(before end: Date) async throws(ObjectStoreError) -> Date {
        guard let last = try await documents.load(key) else { return end.addingTimeInterval(-Self.firstSpan) }
        return max(last.value.askedUntil.addingTimeInterval(-Self.overlap), end.addingTimeInterval(-180 * 86_400))
    }

    /// Notes how far was asked. A read and a write.
    /// - Parameter failure: from when on there was something that could not be taken in. It is asked for again for three
    ///   days, and then given up with what else could not be taken in at that moment.
    package func noteEnd(_ end: Date, failingFrom failure: Date?) async throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            let last = try await documents.load(key)
            // The mark stands at what failed first: what lies behind it has failed since later.
            let failingSince = failure.map { failure in
                let isKnown = last.map { Self.wholeSeconds(failure) <= $0.value.askedUntil } ?? false
                return isKnown ? last?.value.failingSince ?? end : end
            }
            let isGivenUp = failingSince.map { end.timeIntervalSince($0) > Self.patience } ?? false
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
            // Another copy asked at the same time.
        }
    }

    private static func wholeSeconds(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    private var key: ObjectKey {
        ObjectKey(known: StorageLayout.notificationPoll(environment: environment.rawValue.lowercased()))
    }
}
