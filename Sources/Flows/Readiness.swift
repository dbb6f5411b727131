import Foundation
import ObjectStorage
import PhotolalaAPI

/// What an instance that is ready knows of its store.
package struct ReadyReport: Sendable, Equatable {
    /// The disk is nearly full and takes no uploads. Reading, deleting and accounts go on.
    package let refusesUploads: Bool
    /// Something that is stored differs from what was acknowledged.
    package let isDamaged: Bool

    package init(refusesUploads: Bool = false, isDamaged: Bool = false) {
        self.refusesUploads = refusesUploads
        self.isDamaged = isDamaged
    }
}

/// Why a store cannot serve accounts.
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

/// Whether the store answers. It is asked at most once a second, however many ask here.
package actor Readiness {
    /// How long an answer counts, in seconds.
    static let memory: TimeInterval = 1

    private let store: any ObjectStore
    private let reporter: (any StoreConditionReporting)?
    private let now: @Sendable () -> Date
    private var last: (answer: Result<ReadyReport, FlowError>, at: Date)?
    private var question: Task<Result<ReadyReport, FlowError>, Never>?

    /// - Parameters:
    ///   - store: gives up soon where it does not answer.
    ///   - reporter: the same store, where it looks at its own disk.
    package init(
        store: any ObjectStore, reporter: (any StoreConditionReporting)? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.reporter = reporter
        self.now = now
    }

    /// One read at most.
    /// - Throws: what keeps the store from answering, and `storeFault` where accounts cannot be read or written.
    @discardableResult
    package func check() async throws(FlowError) -> ReadyReport {
        if let last, (0..<Self.memory).contains(now().timeIntervalSince(last.at)) { return try last.answer.get() }
        let (store, reporter) = (store, reporter)
        let task =
            question
            ?? Task {
                do throws(FlowError) {
                    let reading = await Self.read(store)
                    // The store names the cause of a failed read better than the read.
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

    /// Reads an object of the service, which is kept beside the accounts.
    private static func read(_ store: any ObjectStore) async -> Result<Void, FlowError> {
        do throws(FlowError) {
            _ = try await step { try await store.head(ObjectKey(known: StorageLayout.storeStamp)) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
