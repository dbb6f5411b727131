import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/app-store/{environment}.json`: until when Apple's server was asked for notifications that did not arrive.
package struct NotificationPollDocument: VersionedDocument {
    package var version: Int
    package var askedUntil: Date
}

/// Where asking for missed notifications goes on.
package struct NotificationPolls: Sendable {
    /// A notification may be signed a little before it fails to arrive, in seconds.
    private static let overlap: TimeInterval = 3600
    /// How far back the first time goes, in seconds. Apple keeps 180 days.
    private static let firstSpan: TimeInterval = 30 * 86_400

    /// For how long one that cannot be taken in is asked for again, in seconds.
    package static let patience: TimeInterval = 3 * 86_400

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
    package func noteEnd(_ end: Date) async throws(ObjectStoreError) {
        // Dates are stored in whole seconds.
        let end = Date(timeIntervalSince1970: end.timeIntervalSince1970.rounded(.down))
        do throws(ObjectStoreError) {
            guard let last = try await documents.load(key) else {
                _ = try await documents.create(key, NotificationPollDocument(version: 1, askedUntil: end))
                return
            }
            guard end > last.value.askedUntil else { return }
            var next = last.value
            next.askedUntil = end
            _ = try await documents.replace(key, last, with: next)
        } catch .preconditionFailed {
            // Another copy asked at the same time.
        }
    }

    private var key: ObjectKey {
        ObjectKey(known: StorageLayout.notificationPoll(environment: environment.rawValue.lowercased()))
    }
}
