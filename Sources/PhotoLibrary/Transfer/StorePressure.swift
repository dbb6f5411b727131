import Synchronization

/// How often a store said that it is too much. The one who speaks to it counts, whoever plans the work listens.
package final class StorePressure: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// Notes that the store asked to be left alone for a while.
    package func note() { count.add(1, ordering: .relaxed) }

    /// Whether it did since this was last asked.
    func take() -> Bool { count.exchange(0, ordering: .relaxed) > 0 }
}
