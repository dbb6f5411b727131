/// A store that may hold objects in archives. Archived objects are listed and returned by `head`, and cannot be read
/// (`archived`) until they have been restored, which takes hours.
package protocol ArchiveRetrieval: Sendable {
    /// Requests the restoration of an archived object, unless one is in progress.
    /// - Returns: `nil` if the object does not exist.
    /// - Throws: `denied` if this caller may not restore objects.
    func restoreFromArchive(_ key: ObjectKey, _ order: RetrievalRequest) async throws(ObjectStoreError)
        -> RetrievalOutcome?
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
}

/// The speed of a restoration; faster ones cost more.
package enum RetrievalTier: Sendable, CaseIterable {
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
