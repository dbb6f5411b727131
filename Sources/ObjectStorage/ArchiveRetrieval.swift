/// A store that may hold objects in archives. Archived objects are listed and returned by `head`, and cannot be read
/// (`archived`) until they have been restored, which takes hours.
package protocol ArchiveRetrieval: Sendable {
    /// Requests the restoration of an archived object, unless one is in progress.
    /// - Returns: `nil` if the object does not exist.
    /// - Throws: `denied` if this caller may not restore objects.
    func askBack(_ key: ObjectKey, _ order: RetrievalOrder) async throws(ObjectStoreError) -> RetrievalAnswer?
}

/// The parameters for restoring an archived object.
package struct RetrievalOrder: Sendable, Equatable {
    package let speed: RetrievalSpeed
    /// How long the restored object stays readable, in days, for archives that require it.
    package let days: Int

    package init(speed: RetrievalSpeed, days: Int) {
        self.speed = speed
        self.days = days
    }
}

/// The speed of a restoration; faster ones cost more.
package enum RetrievalSpeed: Sendable, CaseIterable {
    case bulk, standard, expedited
}

/// The result of requesting a restoration.
package enum RetrievalAnswer: Sendable, Equatable {
    /// The restoration has started and usually completes within this time.
    case asked(within: Duration)
    /// A restoration was requested before and is still in progress.
    case onItsWay
    /// The object is not archived, or has been restored: it can be read.
    case readable
    /// The archive does not support this speed, or not at this time.
    case tooFast
}
