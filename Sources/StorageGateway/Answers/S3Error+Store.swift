import ObjectStorage

extension S3Error {
    /// Maps a store error to the error sent to the client. Details are only logged.
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
