import Foundation
import ObjectStorage
import PhotolalaAPI

/// The state of the store as a ready instance reports it.
package struct ReadyReport: Sendable, Equatable {
    /// The disk is nearly full and uploads are refused. Reads, deletions and accounts work.
    package let refusesUploads: Bool
    /// Some stored data differs from what was acknowledged.
    package let isDamaged: Bool

    package init(refusesUploads: Bool = false, isDamaged: Bool = false) {
        self.refusesUploads = refusesUploads
        self.isDamaged = isDamaged
    }
}

/// The reason why a store cannot serve accounts.
package enum StoreFault: String, Sendable, CaseIterable {
    case accountsDamaged = "accounts_damaged"
    case diskFull = "disk_full"
    case diskReadOnly = "disk_read_only"
    case writesFail = "writes_fail"

    init(_ fault: StoreCondition.Fault) {
        switch fault {
        case .accountsDamaged: self = .accountsDamaged
        case .diskFull: self = .diskFull
        case .diskReadOnly: self = .diskReadOnly
        case .writesFail: self = .writesFail
        }
    }
}

/// Checks whether the store answers. Sends at most one request a second to the store, regardless of the number of
/// callers.
package actor Readiness {
    /// How long an answer is cached, in seconds.
    static let memory: TimeInterval = 1

    private let store: any ObjectStore
    private let reporter: (any StoreConditionReporting)?
    private let now: @Sendable () -> Date
    private var last: (answer: Result<ReadyReport, FlowError>, at: Date)?
    private var question: Task<Result<ReadyReport, FlowError>, Never>?

    /// - Parameters:
    ///   - store: a store with a short timeout.
    ///   - reporter: the same store, if it monitors its own disk.
    package init(
        store: any ObjectStore, reporter: (any StoreConditionReporting)? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.reporter = reporter
        self.now = now
    }

    /// Checks the store. At most one read.
    /// - Throws: the error that keeps the store from answering; `storeFault` if accounts cannot be read or written.
    @discardableResult
    package func check() async throws(FlowError) -> ReadyReport {
        if let last, (0..<Self.memory).contains(now().timeIntervalSince(last.at)) { return try last.answer.get() }
        let (store, reporter) = (store, reporter)
        let task =
            question
            ?? Task {
                do throws(FlowError) {
                    let reading = await Self.read(store)
                    // The store reports the cause of a failed read more precisely than the read itself.
                    let condition = reporter?.condition() ?? StoreCondition()
                    if let fault = condition.fault { throw .storeFault(StoreFault(fault)) }
                    try reading.get()
                    return .success(
                        ReadyReport(refusesUploads: condition.refusesUploads, isDamaged: condition.isDamaged))
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
        return try answer.get()
    }

    /// Reads an object of the service, which is stored next to the accounts.
    private static func read(_ store: any ObjectStore) async -> Result<Void, FlowError> {
        do throws(FlowError) {
            _ = try await step { try await store.head(ObjectKey(known: StorageLayout.storeStamp)) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
