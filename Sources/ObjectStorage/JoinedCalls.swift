import Synchronization

/// Brings together what is asked for at the same time: whoever comes while another one's is being done waits, and the next
/// call is made for all who wait. So many at once cost two calls, and none of them gets in another's way.
package final class JoinedCalls<Key: Hashable & Sendable, Item: Sendable, Outcome: Sendable, Failure: Error>: Sendable {
    private struct Waiter: Sendable {
        let items: [Item]
        let continuation: CheckedContinuation<Turn, Never>
    }

    private enum Turn: Sendable {
        /// To be done with those of the others.
        case lead([Waiter])
        /// Another one did it, or failed to.
        case done(Result<[Outcome], Failure>)
    }

    private let most: Int
    /// Who waits; a key is there as long as somebody's call for it goes on.
    private let lines = Mutex<[Key: [Waiter]]>([:])

    /// - Parameter most: how many items go into one call, unless one of those who ask has more.
    package init(most: Int) { self.most = most }

    /// Makes a call for these items and those of others who wait.
    /// - Parameter call: gives the outcomes of all items, in their order. Where it fails it has failed for all, unless the
    ///   task of the one who made it was cancelled: then the others try for themselves.
    package func call(
        _ items: [Item], for key: Key, _ call: ([Item]) async throws(Failure) -> [Outcome]
    ) async throws(Failure) -> [Outcome] {
        let others: [Waiter]
        switch await turn(items, key) {
        case .done(let result): return try result.get()
        case .lead(let waiters): others = waiters
        }
        do throws(Failure) {
            var outcomes = try await call(items + others.flatMap(\.items))[...]
            let own = outcomes.prefix(items.count)
            outcomes = outcomes.dropFirst(items.count)
            for other in others {
                other.continuation.resume(returning: .done(.success(Array(outcomes.prefix(other.items.count)))))
                outcomes = outcomes.dropFirst(other.items.count)
            }
            passOn(key, [])
            return Array(own)
        } catch {
            let isOwn = Task.isCancelled
            if !isOwn { for other in others { other.continuation.resume(returning: .done(.failure(error))) } }
            passOn(key, isOwn ? others : [])
            throw error
        }
    }

    /// How many wait for a key's call.
    package func waiting(for key: Key) -> Int { lines.withLock { $0[key]?.count ?? 0 } }

    private func turn(_ items: [Item], _ key: Key) async -> Turn {
        await withCheckedContinuation { continuation in
            let isFirst = lines.withLock { lines in
                guard lines[key] != nil else {
                    lines[key] = []
                    return true
                }
                lines[key]?.append(Waiter(items: items, continuation: continuation))
                return false
            }
            if isFirst { continuation.resume(returning: .lead([])) }
        }
    }

    /// Lets the next one call, for as many as fit.
    private func passOn(_ key: Key, _ returned: [Waiter]) {
        let next = lines.withLock { lines -> (first: Waiter, others: [Waiter])? in
            let line = returned + (lines[key] ?? [])
            guard let first = line.first else {
                lines[key] = nil
                return nil
            }
            var count = first.items.count
            let others = line.dropFirst().prefix { waiter in
                count += waiter.items.count
                return count <= most
            }
            lines[key] = Array(line.dropFirst(1 + others.count))
            return (first, Array(others))
        }
        guard let next else { return }
        next.first.continuation.resume(returning: .lead(next.others))
    }
}
