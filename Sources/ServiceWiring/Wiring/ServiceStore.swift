import ObjectStorage
import Secrets
import StorageAccess

/// A store that the service runs on, with the features of its kind.
package protocol ServiceStore: Sendable {
    /// Whether other instances of the service may use it.
    var isShared: Bool { get }

    var objects: any ObjectStore { get }

    /// The store, if it maintains totals of users' usage.
    var meter: (any MeteredObjectStore)? { get }

    /// Whether credentials for a user's prefixes may also match other letter cases: some engines compare policy
    /// resources case-insensitively. AWS and the local S3 endpoint compare bytes.
    var mayIgnoreCase: Bool { get }

    /// The store, if it monitors its own disk.
    var reporter: (any StoreStatusReporting)? { get }

    /// The store as users' own credentials access it.
    var userStores: any UserStores { get }

    /// The store for readiness probes, which fail quickly.
    var probe: any ObjectStore { get }

    /// Access to erase deleted users' objects.
    func makeErasureAccess() throws -> any ErasureAccess

    /// Creates the issuer of users' storage credentials.
    func makeCredentialIssuer(_ keyRing: KeyRing) throws -> any CredentialIssuer
}
