import Accounts
import ObjectStorage
import PhotolalaAPI
import StorageAccess

/// The adapters of the identity providers.
package struct ServiceProviders: Sendable {
    package let verifiers: [ProviderName: any IdentityTokenVerifier]
    package let eventVerifiers: [ProviderName: any ProviderEventVerifier]
    package let tokenServices: [ProviderName: any ProviderTokenService]
    /// The providers for signing in with a browser, in the order in which pages show them.
    package let authorizations: [any ProviderAuthorization]

    package init(
        verifiers: [any IdentityTokenVerifier], eventVerifiers: [any ProviderEventVerifier],
        tokenServices: [any ProviderTokenService], authorizations: [any ProviderAuthorization]
    ) {
        self.verifiers = Dictionary(verifiers.map { ($0.provider, $0) }) { first, _ in first }
        self.eventVerifiers = Dictionary(eventVerifiers.map { ($0.provider, $0) }) { first, _ in first }
        self.tokenServices = Dictionary(tokenServices.map { ($0.provider, $0) }) { first, _ in first }
        self.authorizations = authorizations
    }
}

/// The adapters of the store, besides the store itself.
package struct StorageAdapters: Sendable {
    /// The issuer of storage credentials.
    package let credentials: any CredentialIssuer
    /// The store as users' own credentials access it.
    package let userStores: any UserStores
    package let links: any ObjectURLSigner
    /// The memory for all catalogs in use together, in bytes.
    package let libraryMemory: Int
    /// The store, if it maintains totals of users' usage.
    package let meter: (any MeteredObjectStore)?
    /// Whether credentials for a user's prefixes may also match other letter cases.
    package let mayIgnoreCase: Bool
    /// Access to erase users' objects.
    package let erasure: any ErasureAccess
    /// The store for readiness probes, with a short timeout.
    package let probe: any ObjectStore
    /// The store, if it monitors its own disk.
    package let reporter: (any StoreStatusReporting)?

    package init(
        credentials: any CredentialIssuer, userStores: any UserStores, links: any ObjectURLSigner, libraryMemory: Int,
        meter: (any MeteredObjectStore)? = nil, mayIgnoreCase: Bool = false,
        erasure: any ErasureAccess, probe: any ObjectStore,
        reporter: (any StoreStatusReporting)? = nil
    ) {
        self.credentials = credentials
        self.userStores = userStores
        self.links = links
        self.libraryMemory = libraryMemory
        self.meter = meter
        self.mayIgnoreCase = mayIgnoreCase
        self.erasure = erasure
        self.probe = probe
        self.reporter = reporter
    }
}
