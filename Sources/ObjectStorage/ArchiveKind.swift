/// A kind of archive, which determines the speeds, times and prices of restorations.
package enum ArchiveKind: Sendable, CaseIterable {
    /// S3 Glacier Flexible Retrieval, and the archives of other S3 implementations.
    case flexible
    case deep
    /// The archive access tiers of S3 Intelligent-Tiering. Restored objects stay restored; a request that specifies
    /// days is rejected.
    case tiered
    case tieredDeep

    /// Whether a restored object returns to the archive after a number of days.
    package var expiresCopies: Bool {
        switch self {
        case .flexible, .deep: true
        case .tiered, .tieredDeep: false
        }
    }

    /// The supported speeds, slowest first.
    package var speeds: [RetrievalTier] { RetrievalTier.allCases.filter { maximumDuration($0) != nil } }

    /// Returns the usual upper bound of a restoration, from AWS's documentation ("Understanding archive retrieval
    /// options"); `nil` if the archive does not support the speed.
    package func maximumDuration(_ speed: RetrievalTier) -> Duration? {
        switch (self, speed) {
        case (.flexible, .expedited), (.tiered, .expedited): .seconds(5 * 60)
        case (.flexible, .standard), (.tiered, .standard): .seconds(5 * 3600)
        case (.flexible, .bulk), (.tiered, .bulk): .seconds(12 * 3600)
        case (.deep, .expedited), (.tieredDeep, .expedited): nil
        case (.deep, .standard), (.tieredDeep, .standard): .seconds(12 * 3600)
        case (.deep, .bulk), (.tieredDeep, .bulk): .seconds(48 * 3600)
        }
    }

    /// The usual upper bound of a restoration whose speed is unknown.
    package var maximumDuration: Duration { speeds.compactMap { maximumDuration($0) }.max() ?? .zero }
}
