import PhotolalaAPI
import PhotolalaClient

/// Ends a check that takes too long.
enum TimeLimit {
    /// Returns the result of the work, or throws `no_answer` after the limit and cancels the work.
    static func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else {
                throw PhotolalaError(code: .noResponse, detail: "No response within \(limit.components.seconds) s.")
            }
            return value
        }
    }
}
