import ObjectStorage
import PhotolalaAPI

/// Opens the store with one user's own credentials: the service's own credentials do not cover photos and catalogs.
package protocol UserStores: Sendable {
    func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion
}

/// User stores for a store that the service accesses directly: the user's policy is checked for each request.
package struct LocalUserStores: UserStores {
    private let store: any ObjectStore & DatedDeletion

    package init(_ store: any ObjectStore & DatedDeletion) { self.store = store }

    package func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion {
        UserObjectStore(store, policy: UserStoragePolicy(user: user, access: credentials.access))
    }
}
