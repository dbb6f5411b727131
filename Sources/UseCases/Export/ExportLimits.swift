import PhotolalaAPI
import Synchronization

/// Bounds the memory of exports that are being created or downloaded: each holds the account's catalog for as long as its client
/// takes to receive the archive.
final class ExportLimits: Sendable {
    /// The most simultaneous downloads of one account, such as the connections of a download manager.
    private static let maximumPerAccount = 4

    private struct State {
        var free: Int
        var downloads: [UserID: Int] = [:]
    }

    private let total: Int
    private let state: Mutex<State>

    /// - Parameter memory: the memory for all downloads together, in bytes.
    init(memory: Int) {
        total = memory
        state = Mutex(State(free: memory))
    }

    /// Checks that an export does not take more memory than there is for all.
    /// - Throws: `catalogUnusable`.
    func checkCost(_ cost: Int) throws(ServiceError) {
        guard cost <= total else { throw .catalogUnusable("an export larger than the memory for exports") }
    }

    /// Returns the permit for a download, which ends when the permit is released.
    /// - Parameter cost: the memory that it takes, in bytes.
    /// - Throws: `rateLimited` if the account has too many downloads, `unavailable` if all together take too much memory,
    ///   `catalogUnusable` if this one alone does.
    func permit(for user: UserID, cost: Int) throws(ServiceError) -> Permit {
        try checkCost(cost)
        let refusal = state.withLock { state -> ServiceError? in
            guard state.downloads[user, default: 0] < Self.maximumPerAccount else {
                return .rateLimited(retryAfter: 10)
            }
            guard cost <= state.free else { return .unavailable("exports take all of their memory") }
            state.downloads[user, default: 0] += 1
            state.free -= cost
            return nil
        }
        if let refusal { throw refusal }
        return Permit(limits: self, user: user, cost: cost)
    }

    /// A permit, released with its last reference: a response whose connection breaks ends in many ways.
    final class Permit: Sendable {
        private let limits: ExportLimits
        private let user: UserID
        private let cost: Int

        fileprivate init(limits: ExportLimits, user: UserID, cost: Int) {
            (self.limits, self.user, self.cost) = (limits, user, cost)
        }

        deinit {
            limits.state.withLock { state in
                let count = state.downloads[user, default: 1] - 1
                state.downloads[user] = count == 0 ? nil : count
                state.free += cost
            }
        }
    }
}
