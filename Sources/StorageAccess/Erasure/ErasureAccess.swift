import ObjectStorage
import PhotolalaAPI

/// Gives the service access to erase what is stored about one user.
package protocol ErasureAccess: Sendable {
    /// Returns access to the objects below the user's prefixes, as `ErasurePolicy` lists them.
    func erasure(of user: UserID) async throws(CredentialIssuerError) -> any StoreErasure

    /// Returns access to single objects outside these prefixes.
    func erasure(of user: UserID, keys: [ObjectKey]) async throws(CredentialIssuerError) -> any StoreErasure

    /// Whether the store may keep earlier versions of objects.
    var keepsVersions: Bool { get }

    /// Erases what the store keeps of a user's deleted objects. Called after each round and at the end of an erasure.
    func eraseDeletedData(of user: UserID) async throws(ObjectStoreError)
}

/// Access for a store without versions, where the service's own access is sufficient.
package struct LocalErasureAccess: ErasureAccess {
    private let store: any ObjectStore
    private let deletedData: (any DeletedDataErasure)?

    /// - Parameter deletedData: the same store, if it keeps data of deleted objects.
    package init(_ store: any ObjectStore, deletedData: (any DeletedDataErasure)? = nil) {
        self.store = store
        self.deletedData = deletedData
    }

    package func erasure(of user: UserID) -> any StoreErasure { ListedErasure(store) }
    package func erasure(of user: UserID, keys: [ObjectKey]) -> any StoreErasure { ListedErasure(store) }
    package var keepsVersions: Bool { false }

    package func eraseDeletedData(of user: UserID) async throws(ObjectStoreError) {
        let records = [StorageLayout.uploads(user), StorageLayout.exports(user)]
        try await deletedData?.eraseDeletedData(below: StorageLayout.userPrefixes(user) + records)
    }
}

/// What the erasure of one user may delete.
package struct ErasurePolicy: Sendable {
    let scopes: [KeyScope]
    /// Whether all keys of the bucket may be listed.
    let listsAll: Bool

    /// Creates the policy for the user's prefixes.
    /// - Parameter listsAll: Whether all keys of the bucket may be listed: where an engine ignores case, the user may have
    ///   written to other prefixes, which no condition on listings can name.
    package init(of user: UserID, listingAll listsAll: Bool = false) {
        self.listsAll = listsAll
        // The records of the service that name the user: uploads, imports, event delivery, deletion.
        let records: [KeyScope] = [
            .below("\(StorageLayout.service)*/\(user)/"), .key("\(StorageLayout.service)*/\(user).json"),
        ]
        scopes = (StorageLayout.userPrefixes(user) + [StorageLayout.account(user)]).map(KeyScope.below) + records
    }

    /// Creates the policy for single objects.
    package init(keys: [ObjectKey]) {
        scopes = keys.map { .key($0.description) }
        listsAll = false
    }
}

extension SessionPolicy {
    /// Creates the policy of a session that may list and delete some objects, with their versions and unfinished
    /// uploads, and read nothing.
    package init(_ policy: ErasurePolicy, bucket: BucketARN) {
        self.init(
            statements: [
                .init(
                    actions: ["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:DeleteObjectVersion"],
                    resources: policy.scopes.map { "\(bucket)/\($0.pattern)" }),
                .init(
                    actions: ["s3:ListBucketMultipartUploads", "s3:ListBucketVersions"],
                    resources: [bucket.description],
                    condition: policy.listsAll ? nil : ["StringLike": ["s3:prefix": policy.scopes.map(\.pattern)]]),
            ])
    }
}
