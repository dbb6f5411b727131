import Foundation
import ObjectStorage
import PhotolalaAPI

/// Whether the store answers. It is asked at most once a second, however many ask here.
package actor Readiness {
    /// How long an answer counts, in seconds.
    static let memory: TimeInterval = 1

    private let store: any ObjectStore
    private let now: @Sendable () -> Date
    private var last: (answer: Result<Void, FlowError>, at: Date)?
    private var question: Task<Result<Void, FlowError>, Never>?

    /// - Parameter store: gives up soon where it does not answer.
    package init(store: any ObjectStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// One read at most.
    /// - Throws: what keeps the store from answering.
    package func check() async throws(FlowError) {
        if let last, (0..<Self.memory).contains(now().timeIntervalSince(last.at)) { return try last.answer.get() }
        let store = store
        let task =
            question
            ?? Task {
                do throws(FlowError) {
                    _ = try await step { try await store.head(ObjectKey(known: StorageLayout.storeStamp)) }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        question = task
        let answer = await task.value
        if question == task {
            question = nil
            last = (answer, now())
        }
        try answer.get()
    }
}
