import Foundation

/// Stores a device's few small secrets (its session, a pending identity) by name. Names consist of `a-z` and `-`.
///
/// Implementations may be called from several processes concurrently; the caller is responsible for the order.
public protocol SecretStorage: Sendable {
    /// Returns the secret, or `nil` if there is none. Throws for a secret that cannot be read.
    func load(_ name: String) throws(SecretStorageError) -> Data?

    /// Stores a secret, replacing the previous one. The secret is durable when the call returns.
    func save(_ secret: Data, as name: String) throws(SecretStorageError)

    /// Removes a secret. Succeeds if there is none.
    func delete(_ name: String) throws(SecretStorageError)

    /// Whether the secrets belong to this device, also after the profile's folder is deleted, copied or restored from a
    /// backup, and never come to another device. The device's ID is then stored with them. `false` by default.
    var outlivesProfile: Bool { get }
}

extension SecretStorage {
    /// The secrets do not outlive the profile's folder.
    public var outlivesProfile: Bool { false }
}

/// The error of reading or storing a secret.
public struct SecretStorageError: Error, Sendable, Equatable {
    /// A description of the error and the next step, for a person.
    public let detail: String
    /// Whether the stored value can never be used, so that removing it loses nothing.
    public let isUnusable: Bool
    /// What is wrong with the secret or its file; `nil` if the storage does not say.
    public let cause: FailureCause?

    /// Creates an error.
    public init(detail: String, isUnusable: Bool = false, cause: FailureCause? = nil) {
        self.detail = detail
        self.isUnusable = isUnusable
        self.cause = cause
    }
}

extension SecretStorageError: LocalizedError {
    /// The ``detail``, so that `localizedDescription` is it, too.
    public var errorDescription: String? { detail }
}
