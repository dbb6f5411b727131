/// The state of a store, independent of single requests.
package struct StoreStatus: Sendable, Equatable {
    /// The reason why accounts cannot be served.
    package enum Fault: Sendable {
        /// A read found damage in the accounts database.
        case accountsDamaged
        case diskFull
        case diskReadOnly
        case writesFail
    }

    package var fault: Fault?
    /// Whether users' uploads are rejected because the disk is nearly full. Reads, deletions and accounts still work.
    package var refusesUploads: Bool
    /// Whether a database page or a stored file was found to differ from what was acknowledged.
    package var isDamaged: Bool

    package init(fault: Fault? = nil, refusesUploads: Bool = false, isDamaged: Bool = false) {
        self.fault = fault
        self.refusesUploads = refusesUploads
        self.isDamaged = isDamaged
    }
}

/// A store that reports the state of its disk.
package protocol StoreStatusReporting: Sendable {
    /// Returns the current condition. Costs a query to the file system.
    func status() -> StoreStatus
}
