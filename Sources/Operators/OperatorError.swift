import Foundation
import ObjectStorage

/// Why an operation on operator keys or the operator log failed.
package enum OperatorError: Error, Equatable, Sendable {
    /// The name is not 1 to 64 characters of `a-z`, `A-Z`, `0-9`, `.`, `_`, `@` and `-`.
    case invalidName
    case noSuchKey
    /// The key was ended before.
    case ended(Date)
    /// The store has the largest number of keys.
    case tooManyKeys
    /// Others changed the same key at the same time, repeatedly.
    case contended
    case store(ObjectStoreError)
}
