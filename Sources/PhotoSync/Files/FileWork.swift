import NIOPosix

/// Execution of blocking file system calls on a thread pool, outside the cooperative executor.
package enum FileWork {
    package static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileError) -> Value {
        let result: Result<Value, FileError>
        do {
            result = try await NIOThreadPool.singleton.runIfActive { Result(catching: work) }
        } catch {
            throw .cancelled
        }
        return try result.get()
    }

    /// Runs work that must happen, also in a task that has been cancelled.
    package static func runUncancelled<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileError) -> Value {
        let task = Task { () async -> Result<Value, FileError> in
            do throws(FileError) { return .success(try await run(work)) } catch { return .failure(error) }
        }
        return try await task.value.get()
    }
}
