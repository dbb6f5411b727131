/// Does something for each item, a few of them at the same time, until there are no more or the task is cancelled.
/// - Parameter next: gives an item, `nil` when there are no more.
func fewAtOnce<Item: Sendable>(
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
