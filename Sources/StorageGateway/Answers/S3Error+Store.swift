import ObjectStorage

extension S3Error {
    /// What a client is told of the store's error. Details stay in the log.
    init(_ error: ObjectStoreError) {
        switch error {
        case .preconditionFailed: self = .preconditionFailed
        case .conflict: self = .conflict
        case .unavailable: self = .unavailable
        case .outOfSpace, .quotaExceeded: self = .outOfSpace
        case .tooLarge: self = .tooLarge
        case .rangeNotSatisfiable(let size): self = .invalidRange(size: size)
        case .bodyFailed: self = .incompleteBody
        case .digestMismatch: self = .badDigest
        case .corrupted: self = .objectDamaged
        case .outcomeUnknown, .denied, .archived: self = .internalError
        }
    }
}
