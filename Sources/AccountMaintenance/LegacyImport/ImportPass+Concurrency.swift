import Accounts
import ObjectStorage

extension ImportPass {
    /// Runs the operations that `task` returns for each item, up to `concurrency` concurrently. `task` itself is called
    /// serially.
    func forEachConcurrently<Items: RepairItems>(
        of sequence: Items,
        _ task: (Items.Item) async throws(AccountError) -> (@Sendable () async throws(AccountError) -> Void)?
    ) async throws(AccountError) {
        let failure = await withTaskGroup(of: AccountError?.self) { group -> AccountError? in
            var (items, running) = (sequence, 0)
            do throws(AccountError) {
                while let item = try await items.next() {
                    guard let operation = try await task(item) else { continue }
                    if running == concurrency, let failure = await group.next() ?? nil { return failure }
                    running = min(running + 1, concurrency)
                    group.addTask {
                        do throws(AccountError) {
                            try await operation()
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
            } catch {
                return error
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
    }
}
