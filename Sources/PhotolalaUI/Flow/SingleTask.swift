/// At most one running task of a model.
@MainActor final class SingleTask {
    private var task: Task<Void, Never>?

    /// Starts a task unless one is running.
    /// - Parameters:
    ///   - prepare: Changes the model's state before the task runs; called only if the task starts.
    ///   - body: Performs the action and changes the state to its result.
    func start(_ prepare: () -> Void, then body: @escaping @MainActor () async -> Void) {
        guard task == nil else { return }
        prepare()
        task = Task {
            await body()
            task = nil
        }
    }

    /// Requests the end of the task, which reports how it ended.
    func cancel() { task?.cancel() }

    /// Returns when no task is running.
    func wait() async { await task?.value }
}
