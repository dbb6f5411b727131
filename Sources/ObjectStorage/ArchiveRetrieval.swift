/// A store that may hold objects in archives: they are listed and told of by `head`, and cannot be read (`archived`)
/// before they were asked back and some hours have passed.
package protocol ArchiveRetrieval: Sendable {
    /// Asks for an archived object, unless it is on its way already; `nil` when there is none.
    /// - Throws: `denied` where this caller may not ask.
    func askBack(_ key: ObjectKey, _ order: RetrievalOrder) async throws(ObjectStoreError) -> RetrievalAnswer?
}

/// How an archived object is asked back.
package struct RetrievalOrder: Sendable, Equatable {
    package let speed: RetrievalSpeed
    /// How long it can be read afterwards, in days, where the archive asks for that.
    package let days: Int

    package init(speed: RetrievalSpeed, days: Int) {
        self.speed = speed
        self.days = days
    }
}

/// The faster, the dearer.
package enum RetrievalSpeed: Sendable, CaseIterable {
    case bulk, standard, expedited
}

/// What became of asking for an archived object.
package enum RetrievalAnswer: Sendable, Equatable {
    /// It is on its way now, and usually there after this time.
    case asked(within: Duration)
    /// It was asked for before, and is still on its way.
    case onItsWay
    /// It is in no archive, or has come back: it can be read.
    case readable
    /// Its archive does not give it so fast, or not at this time.
    case tooFast
}
