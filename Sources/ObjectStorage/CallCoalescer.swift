import Synchronization

/// Combines concurrent calls: a caller that arrives while another's call is running waits, and the next call is made
/// for all waiting callers. Concurrent callers therefore cost two calls in total and do not conflict.
package final class CallCoalescer<Key: Hashable & Sendable, Item: Sendable, Outcome: Sendable, Failure: Error>: Sendable
{
    private struct Waiter: Sendable {
        let items: [Item]
        let continuation: CheckedContinuation<Turn, Never>
    }

    private enum Turn: Sendable {
        /// The caller makes the call, with the items of these others.
        case lead([Waiter])
        /// Another caller made the call, successfully or not.
        case done(Result<[Outcome], Failure>)
    }

    private let maximumItems: Int
    /// The waiting callers. A key is present while a call for it is running.
    private let queues = Mutex<[Key: [Waiter]]>([:])

    /// - Parameter most: The maximum number of items per call, unless a single caller has more.
    package init(maximumItems: Int) { self.maximumItems = maximumItems }

    /// Makes a call for these items and those of other waiting callers.
    /// - Parameter call: Returns the outcomes of all items, in their order. Its failure applies to all callers,
    ///   unless the task that made the call was cancelled: then the others retry.
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
            resumeNext(key, [])
            return Array(own)
        } catch {
            let isOwn = Task.isCancelled
            if !isOwn { for other in others { other.continuation.resume(returning: .done(.failure(error))) } }
            resumeNext(key, isOwn ? others : [])
            throw error
        }
    }

    /// Returns the number of callers waiting for a key.
    package func waiterCount(for key: Key) -> Int { queues.withLock { $0[key]?.count ?? 0 } }

    private func turn(_ items: [Item], _ key: Key) async -> Turn {
        await withCheckedContinuation { continuation in
            let isFirst = queues.withLock { queues in
                guard queues[key] != nil else {
                    queues[key] = []
                    return true
                }
                queues[key]?.append(Waiter(items: items, continuation: continuation))
                return false
            }
            if isFirst { continuation.resume(returning: .lead([])) }
        }
    }

    /// Resumes the next waiting caller as the one that makes the call, with as many others as fit.
    private func resumeNext(_ key: Key, _ returned: [Waiter]) {
        let next = queues.withLock { queues -> (first: Waiter, others: [Waiter])? in
            let queue = returned + (queues[key] ?? [])
            guard let first = queue.first else {
                queues[key] = nil
                return nil
            }
            var count = first.items.count
            let others = queue.dropFirst().prefix { waiter in
                count += waiter.items.count
                return count <= maximumItems
            }
            queues[key] = Array(queue.dropFirst(1 + others.count))
            return (first, Array(others))
        }
        guard let next else { return }
        next.first.continuation.resume(returning: .lead(next.others))
    }
}
