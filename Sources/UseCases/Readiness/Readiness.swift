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

    init(_ fault: StoreStatus.Fault) {
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
    static let cacheLifetime: TimeInterval = 1

    private let store: any ObjectStore
    private let reporter: (any StoreStatusReporting)?
    private let now: @Sendable () -> Date
    private var last: (answer: Result<ReadyReport, ServiceError>, at: Date)?
    private var pendingCheck: Task<Result<ReadyReport, ServiceError>, Never>?

    /// - Parameters:
    ///   - store: a store with a short timeout.
    ///   - reporter: the same store, if it monitors its own disk.
    package init(
        store: any ObjectStore, reporter: (any StoreStatusReporting)? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.reporter = reporter
        self.now = now
    }

    /// Checks the store. At most one read.
    /// - Throws: the error that keeps the store from answering; `storeFault` if accounts cannot be read or written.
    @discardableResult
    package func check() async throws(ServiceError) -> ReadyReport {
        if let last, (0..<Self.cacheLifetime).contains(now().timeIntervalSince(last.at)) {
            return try last.answer.get()
        }
        let (store, reporter) = (store, reporter)
        let task =
            pendingCheck
            ?? Task {
                do throws(ServiceError) {
                    let reading = await Self.read(store)
                    // The store reports the cause of a failed read more precisely than the read itself.
                    let condition = reporter?.status() ?? StoreStatus()
                    if let fault = condition.fault { throw .storeFault(StoreFault(fault)) }
                    try reading.get()
                    return .success(
                        ReadyReport(refusesUploads: condition.refusesUploads, isDamaged: condition.isDamaged))
                } catch {
                    return .failure(error)
                }
            }
        pendingCheck = task
        let answer = await task.value
        if pendingCheck == task {
            pendingCheck = nil
            last = (answer, now())
        }
        return try answer.get()
    }

    /// Reads an object of the service, which is stored next to the accounts.
    private static func read(_ store: any ObjectStore) async -> Result<Void, ServiceError> {
        do throws(ServiceError) {
            _ = try await mapServiceErrors { try await store.head(ObjectKey(known: StorageLayout.storeManifest)) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
