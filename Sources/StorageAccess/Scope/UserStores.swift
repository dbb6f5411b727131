import ObjectStorage
import PhotolalaAPI

/// Opens the store as one user's own credentials reach it: the service itself may reach no photos and no catalogs.
package protocol UserStores: Sendable {
    func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion
}

/// For a store that the service holds itself, as on one machine: the user's policy is asked for each request.
package struct LocalUserStores: UserStores {
    private let store: any ObjectStore & DatedDeletion

    package init(_ store: any ObjectStore & DatedDeletion) { self.store = store }

    package func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion {
        UserObjectStore(store, policy: UserStoragePolicy(user: user, access: credentials.access))
    }
}
