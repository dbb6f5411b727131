import Foundation

/// Keeps a device's few small secrets (its session, a pending identity) by name. Names are `a-z` and `-`.
///
/// Implementations may be called from several processes at once; the caller takes care of the order.
public protocol SecretStorage: Sendable {
    /// The secret, or `nil` when there is none. A secret that cannot be read is an error, never `nil`.
    func load(_ name: String) throws(SecretStorageError) -> Data?

    /// Keeps a secret in place of what was there; durable when it returns.
    func save(_ secret: Data, as name: String) throws(SecretStorageError)

    /// Forgets a secret. Forgetting what is not there succeeds.
    func delete(_ name: String) throws(SecretStorageError)
}

/// Why a secret could not be read or kept.
public struct SecretStorageError: Error, Sendable, Equatable {
    /// What went wrong and what to do, for a person.
    public let detail: String
    /// Whether what is kept can never be used, so that forgetting it loses nothing.
    public let isUnusable: Bool

    /// Describes an error.
    public init(detail: String, isUnusable: Bool = false) {
        self.detail = detail
        self.isUnusable = isUnusable
    }
}
