import Foundation

/// A legacy import. It is recorded in the store manifest, where every instance finds it.
package struct LegacyImportState: Codable, Sendable, Equatable {
    package enum Phase: String, Codable, Sendable {
        /// Objects are being copied to their destinations. No server may run on the store.
        case moving
        /// Every object with a destination exists at both keys. Servers may run on the store.
        case moved
        /// The source objects are being removed. Servers may run on the store.
        case confirmed
        /// The copies are being removed. No server may run on the store.
        case undone

        package var isServable: Bool { self == .moved || self == .confirmed }
    }

    package private(set) var phase: Phase
    /// When the phase began.
    package private(set) var since: Date
    /// Whether the import created the manifest, so that undoing it also removes the manifest.
    package let isNewStore: Bool
    /// Whether a server may have run on the store since the manifest was written. Such a server may not know the phase
    /// yet.
    package private(set) var wasServable: Bool

    package init(isNewStore: Bool, at now: Date) {
        phase = .moving
        since = now
        self.isNewStore = isNewStore
        wasServable = !isNewStore
    }

    /// Returns the import in another phase.
    package func entering(_ phase: Phase, at now: Date) -> LegacyImportState {
        var next = self
        next.phase = phase
        next.since = now
        next.wasServable = wasServable || phase.isServable
        return next
    }
}
