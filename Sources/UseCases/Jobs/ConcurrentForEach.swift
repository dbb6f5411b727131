/// Runs an operation for each item, at most `most` of them concurrently, until there are no more items or the task is
/// cancelled.
/// - Parameter next: returns the next item, or `nil` at the end.
func concurrentForEach<Item: Sendable>(
    _ most: Int, next: () async -> Item?, _ act: @escaping @Sendable (Item) async -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        var running = 0
        while !Task.isCancelled, let item = await next() {
            if running == most { await group.next() } else { running += 1 }
            group.addTask { await act(item) }
        }
    }
}
