import Synchronization

/// The order in which waiting loads start.
package enum LoadPriority: Int, Sendable, Comparable {
    case prefetch, visible

    package static func < (left: LoadPriority, right: LoadPriority) -> Bool { left.rawValue < right.rawValue }
}

/// Loads values by key. Concurrent requests for a key share one load, a limited number of loads runs at the same time,
/// and waiting loads start by priority, then in the order of their requests.
///
/// A cancelled request does not affect the others for its key; the last one cancels the load.
package final class LoadQueue<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    package typealias Load = @Sendable () async throws(Failure) -> Value

    private struct Request {
        let priority: LoadPriority
        let continuation: CheckedContinuation<Result<Value, Failure>, Never>
    }

    private struct Entry {
        let id: Int
        let load: Load
        var requests: [Int: Request]
        var isStarted = false
        var task: Task<Void, Never>?

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
        var running = 0

        mutating func makeID() -> Int {
            defer { nextID += 1 }
            return nextID
        }

        mutating func enqueue(_ key: Key, _ entry: Entry) {
            waiting[entry.priority, default: []].append(Position(key: key, entry: entry.id))
        }

        /// Removes the next load from the waiting ones and marks it as started.
        mutating func startNext() -> (key: Key, entry: Entry)? {
            for priority in [LoadPriority.visible, .prefetch] {
                while let position = waiting[priority]?.popFirst() {
                    guard var entry = entries[position.key], entry.id == position.entry, !entry.isStarted,
                        entry.priority == priority
                    else { continue }
                    entry.isStarted = true
                    entries[position.key] = entry
                    return (position.key, entry)
                }
            }
            return nil
        }
    }

    private let limit: Int
    private let cancelled: Failure
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number of loads that run at the same time.
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
        let isRaised = request.priority > entry.priority
        entry.requests[id] = request
        state.entries[key] = entry
        if isRaised, !entry.isStarted { state.enqueue(key, entry) }
    }

    private func cancel(_ id: Int, for key: Key) {
        let request = state.withLock { state -> Request? in
            guard var entry = state.entries[key], let request = entry.requests.removeValue(forKey: id) else {
                return nil
            }
            if entry.requests.isEmpty {
                entry.task?.cancel()
                state.entries[key] = nil
            } else {
                state.entries[key] = entry
                if !entry.isStarted, entry.priority < request.priority { state.enqueue(key, entry) }
            }
            return request
        }
        request?.continuation.resume(returning: .failure(cancelled))
    }

    private func startWaiting(_ state: inout State) {
        while state.running < limit, let (key, entry) = state.startNext() {
            state.running += 1
            state.entries[key]?.task = Task {
                let result: Result<Value, Failure>
                do throws(Failure) { result = .success(try await entry.load()) } catch { result = .failure(error) }
                finish(key, entry.id, result)
            }
        }
    }

    private func finish(_ key: Key, _ id: Int, _ result: Result<Value, Failure>) {
        let requests = state.withLock { state -> [Request] in
            state.running -= 1
            // After the last request was cancelled, another load of the same key may have replaced this one.
            let entry = state.entries[key].flatMap { $0.id == id ? $0 : nil }
            if entry != nil { state.entries[key] = nil }
            startWaiting(&state)
            return entry.map { Array($0.requests.values) } ?? []
        }
        for request in requests { request.continuation.resume(returning: result) }
    }
}
