/// What a store knows of its own state besides single requests.
package struct StoreCondition: Sendable, Equatable {
    /// Why accounts cannot be served.
    package enum Fault: Sendable {
        /// A read found damage in the database of accounts.
        case accountsDamaged
        case diskFull
        case diskReadOnly
        case writesFail
    }

    package var fault: Fault?
    /// Whether users' uploads are refused because the disk is nearly full. Reading, deleting and accounts go on.
    package var refusesUploads: Bool
    /// Whether a page of a database or a stored file was found that differs from what was acknowledged.
    package var isDamaged: Bool

    package init(fault: Fault? = nil, refusesUploads: Bool = false, isDamaged: Bool = false) {
        self.fault = fault
        self.refusesUploads = refusesUploads
        self.isDamaged = isDamaged
    }
}

/// A store that looks at its own disk.
package protocol StoreConditionReporting: Sendable {
    /// Costs a question to the file system.
    func condition() -> StoreCondition
}
