import Synchronization

/// The order in which waiting loads start.
package enum LoadPriority: Int, Sendable, Comparable {
    case prefetch, visible

    package static func < (left: LoadPriority, right: LoadPriority) -> Bool { left.rawValue < right.rawValue }
}

/// Loads values by key. Concurrent requests for a key share one load, a limited number of loads runs at the same time,
/// and waiting loads start by priority, then in the order of their requests.
///
/// A cancelled request does not affect the others for its key; the last one cancels the load. A request for a key whose
/// cancelled load has not ended yet waits for that, so two loads of a key never run at the same time.
package final class LoadQueue<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    package typealias Load = @Sendable () async throws(Failure) -> Value

    private struct Request {
        let priority: LoadPriority
        let continuation: CheckedContinuation<Result<Value, Failure>, Never>
    }

    private struct Entry {
        var id: Int
        var load: Load
        var requests: [Int: Request]
        /// The priority with which the load started.
        var started: LoadPriority?
        var task: Task<Void, Never>?
        var isCancelled = false

        var priority: LoadPriority { requests.values.lazy.map(\.priority).max() ?? .prefetch }
    }

    private struct Position {
        let key: Key
        let entry: Int
    }

    private struct State {
        var nextID = 0
        var entries: [Key: Entry] = [:]
        /// The waiting loads of each priority. A position that does not apply any more is skipped.
        var waiting: [LoadPriority: ArraySlice<Position>] = [:]
        /// The number of loads that run, by the priority with which they started.
        var running: [LoadPriority: Int] = [:]

        mutating func makeID() -> Int {
            defer { nextID += 1 }
            return nextID
        }

        mutating func enqueue(_ key: Key, _ entry: Entry) {
            waiting[entry.priority, default: []].append(Position(key: key, entry: entry.id))
        }

        /// Removes the next load from the waiting ones and marks it as started.
        mutating func startNext(_ limit: Int, prefetching prefetchLimit: Int) -> (key: Key, entry: Entry)? {
            guard running.values.reduce(0, +) < limit else { return nil }
            for priority in [LoadPriority.visible, .prefetch] {
                if priority == .prefetch, running[.prefetch, default: 0] >= prefetchLimit { return nil }
                while let position = waiting[priority]?.popFirst() {
                    guard var entry = entries[position.key], entry.id == position.entry, entry.started == nil,
                        entry.priority == priority
                    else { continue }
                    entry.started = priority
                    entries[position.key] = entry
                    running[priority, default: 0] += 1
                    return (position.key, entry)
                }
            }
            return nil
        }
    }

    private let limit: Int
    /// Fewer than all, so that a visible value does not wait for prefetched ones.
    private var prefetchLimit: Int { max(1, limit * 2 / 3) }
    private let cancelled: Failure
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number of loads that run at the same time, of which prefetching starts at most two thirds.
    ///   - cancelled: The error of a cancelled request.
    package init(limit: Int, cancelled: Failure) {
        self.limit = limit
        self.cancelled = cancelled
    }

    /// Returns the value of a key.
    /// - Parameter load: Called unless the key is being loaded or waits to be. It is cancelled with the last request.
    package func value(
        for key: Key, priority: LoadPriority, _ load: @escaping Load
    ) async throws(Failure) -> Value {
        let id = state.withLock { $0.makeID() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // Checked under the lock: a cancellation before the request was added did not find it.
                    if Task.isCancelled { return true }
                    add(Request(priority: priority, continuation: continuation), id, for: key, load, &state)
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(cancelled)) }
            }
        } onCancel: {
            cancel(id, for: key)
        }
        return try result.get()
    }

    /// Returns the number of requests that wait for a key's load.
    package func requestCount(for key: Key) -> Int { state.withLock { $0.entries[key]?.requests.count ?? 0 } }

    private func add(_ request: Request, _ id: Int, for key: Key, _ load: @escaping Load, _ state: inout State) {
        guard var entry = state.entries[key] else {
            let entry = Entry(id: state.makeID(), load: load, requests: [id: request])
            state.entries[key] = entry
            state.enqueue(key, entry)
            return startWaiting(&state)
        }
        if entry.isCancelled { entry.load = load }
        let isRaised = request.priority > entry.priority
        entry.requests[id] = request
        state.entries[key] = entry
        if isRaised, entry.started == nil { state.enqueue(key, entry) }
    }

    private func cancel(_ id: Int, for key: Key) {
        let request = state.withLock { state -> Request? in
            guard var entry = state.entries[key], let request = entry.requests.removeValue(forKey: id) else {
                return nil
            }
            if entry.requests.isEmpty {
                entry.task?.cancel()
                entry.isCancelled = true
                state.entries[key] = entry.started == nil ? nil : entry
            } else {
                state.entries[key] = entry
                if entry.started == nil, entry.priority < request.priority { state.enqueue(key, entry) }
            }
            return request
        }
        request?.continuation.resume(returning: .failure(cancelled))
    }

    private func startWaiting(_ state: inout State) {
        while let (key, entry) = state.startNext(limit, prefetching: prefetchLimit) {
            state.entries[key]?.task = Task {
                let result: Result<Value, Failure>
                do throws(Failure) { result = .success(try await entry.load()) } catch { result = .failure(error) }
                finish(key, result)
            }
        }
    }

    private func finish(_ key: Key, _ result: Result<Value, Failure>) {
        let requests = state.withLock { state -> [Request] in
            guard let entry = state.entries.removeValue(forKey: key), let started = entry.started else { return [] }
            state.running[started, default: 0] -= 1
            defer { startWaiting(&state) }
            guard entry.isCancelled, !entry.requests.isEmpty, case .failure = result else {
                return Array(entry.requests.values)
            }
            // These came after the cancellation.
            let again = Entry(id: state.makeID(), load: entry.load, requests: entry.requests)
            state.entries[key] = again
            state.enqueue(key, again)
            return []
        }
        for request in requests { request.continuation.resume(returning: result) }
    }
}
