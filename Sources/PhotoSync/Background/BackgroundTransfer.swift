import Foundation
import PhotoCatalog
import Synchronization

/// Uploads files while the process does not run: the system's background session on Apple's systems. A task that was
/// started continues after the process ends, and reports its end to the inbox of the next one.
package protocol BackgroundTransfer: Sendable {
    /// Starts an upload.
    /// - Returns: The task's number, unique while it runs.
    func start(_ upload: BackgroundUpload) async throws(BackgroundTransferError) -> Int

    /// The tasks that have not ended, of this process or an earlier one.
    func running() async -> [BackgroundTask]

    /// Cancels tasks, and returns once they send no more. Their end need not be reported.
    func cancel(_ tasks: Set<Int>) async
}

/// A system that cannot start an upload now.
package struct BackgroundTransferError: Error, Equatable {
    package let detail: String

    package init(detail: String) { self.detail = detail }
}

/// The upload of one file to an address.
package struct BackgroundUpload: Sendable, Equatable {
    /// Identifies the content and its owner, also after the process has ended.
    package let name: String
    package let file: String
    package let address: UploadAddress
    package let networks: PermittedNetworks

    package init(name: String, file: String, address: UploadAddress, networks: PermittedNetworks) {
        (self.name, self.file, self.address, self.networks) = (name, file, address, networks)
    }
}

/// The networks that a transfer may use.
package enum PermittedNetworks: String, Sendable {
    /// Also cellular networks and personal hotspots, except in Low Data Mode.
    case all
    /// Neither cellular networks nor personal hotspots, nor any network in Low Data Mode.
    case unmetered
}

/// A presigned PUT of exactly the bytes of a file.
package struct UploadAddress: Sendable, Equatable {
    package let url: String
    package let headers: [String: String]
    package let expiresAt: Date

    package init(url: String, headers: [String: String], expiresAt: Date) {
        (self.url, self.headers, self.expiresAt) = (url, headers, expiresAt)
    }
}

/// A running upload.
package struct BackgroundTask: Sendable, Equatable {
    package let id: Int
    package let name: String
    /// Whether the request has begun, so that it may complete after its address has ended.
    package let hasBegun: Bool

    package init(id: Int, name: String, hasBegun: Bool) {
        (self.id, self.name, self.hasBegun) = (id, name, hasBegun)
    }
}

/// The end of a task.
package struct BackgroundTaskEnd: Sendable, Equatable {
    package let task: BackgroundTask
    /// Whether the store confirmed the bytes. Otherwise it may have them all the same.
    package let isStored: Bool

    package init(_ task: BackgroundTask, isStored: Bool) { (self.task, self.isStored) = (task, isStored) }
}

/// The ends of tasks, collected until they are read. They may be lost: then the store is asked.
package final class BackgroundInbox: Sendable {
    private let ends = Mutex<[BackgroundTaskEnd]>([])
    private let notify: @Sendable () -> Void

    /// - Parameter notify: Called after each end.
    package init(notify: @escaping @Sendable () -> Void = {}) { self.notify = notify }

    package func post(_ end: BackgroundTaskEnd) {
        ends.withLock { $0.append(end) }
        notify()
    }

    /// Returns the ends since the last call.
    package func drain() -> [BackgroundTaskEnd] {
        ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
    }
}
