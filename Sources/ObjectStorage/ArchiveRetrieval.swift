/// A store that may hold objects in archives. Archived objects are listed and returned by `head`, and cannot be read
/// (`archived`) until they have been restored, which takes hours.
package protocol ArchiveRetrieval: Sendable {
    /// Returns whether an object can be read, from one HEAD request.
    /// - Returns: `nil` if the object does not exist.
    func archiveState(_ key: ObjectKey) async throws(ObjectStoreError) -> ArchiveState?

    /// Requests the restoration of an archived object, unless one is in progress.
    /// - Returns: `nil` if the object does not exist.
    /// - Throws: `denied` if this caller may not restore objects.
    func restoreFromArchive(_ key: ObjectKey, _ order: RetrievalRequest) async throws(ObjectStoreError)
        -> RetrievalOutcome?
}

/// Whether an object can be read.
package enum ArchiveState: Sendable, Equatable {
    /// The object is in no archive, or has been restored.
    case readable
    case archived(ArchiveKind)
    /// A restoration was requested and is in progress.
    case restoring(ArchiveKind)
}

/// The parameters for restoring an archived object.
package struct RetrievalRequest: Sendable, Equatable {
    package let tier: RetrievalTier
    /// How long the restored object stays readable, in days, for archives that require it.
    package let days: Int

    package init(speed: RetrievalTier, days: Int) {
        self.tier = speed
        self.days = days
    }

    /// The number of days if the caller does not choose one.
    package static let usualDays = 7
    /// The maximum number of days.
    package static let maximumDays = 365
}

/// The speed of a restoration; faster ones cost more.
package enum RetrievalTier: String, Sendable, CaseIterable {
    case bulk, standard, expedited
}

/// The result of requesting a restoration.
package enum RetrievalOutcome: Sendable, Equatable {
    /// The restoration has started and usually completes within this time.
    case started(within: Duration)
    /// A restoration was requested before and is still in progress.
    case inProgress
    /// The object is not archived, or has been restored: it can be read.
    case available
    /// The archive does not support this speed, or not at this time.
    case tierUnavailable
}
