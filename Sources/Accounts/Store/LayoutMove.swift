import Foundation

/// A move of a store's objects from older layouts to this one. It stands in the store's stamp, where every copy of the
/// service finds it.
package struct LayoutMove: Codable, Sendable, Equatable {
    package enum Phase: String, Codable, Sendable {
        /// Objects are being copied to their new places. Nothing may serve the store.
        case moving
        /// Everything that can be placed is at its new place and at its old one. The store may be served.
        case moved
        /// The old objects are being removed. The store may be served.
        case confirmed
        /// The new objects are being removed. Nothing may serve the store.
        case undone

        package var isServable: Bool { self == .moved || self == .confirmed }
    }

    package private(set) var phase: Phase
    /// When the phase began.
    package private(set) var since: Date
    /// The move stamped the store, so that undoing it takes the stamp away too.
    let isNewStore: Bool
    /// Whether a server may have run on the store since it was stamped; then one may not know of the phase yet.
    private(set) var wasServable: Bool

    init(isNewStore: Bool, at now: Date) {
        phase = .moving
        since = now
        self.isNewStore = isNewStore
        wasServable = !isNewStore
    }

    /// In another phase.
    func entering(_ phase: Phase, at now: Date) -> LayoutMove {
        var next = self
        next.phase = phase
        next.since = now
        next.wasServable = wasServable || phase.isServable
        return next
    }
}
