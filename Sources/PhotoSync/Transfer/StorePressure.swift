import Synchronization

/// A counter of throttling responses from a store. The store's client increments it, and the code that schedules
/// transfers reads it.
package final class StorePressure: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// Records a throttling response.
    package func recordThrottling() { count.add(1, ordering: .relaxed) }

    /// Returns whether there were any since the last call.
    func consume() -> Bool { count.exchange(0, ordering: .relaxed) > 0 }
}
