import AWSServices
import DirectoryStorage
import ObjectStorage
import StorageAccess

/// An open store, with its kind's own features.
enum OpenStore {
    case folder(DirectoryObjectStore, FolderSettings)
    case bucket(LiveBucket)

    /// Whether other instances of the service may use it.
    var isShared: Bool {
        switch self {
        case .folder: false
        case .bucket: true
        }
    }

    var objects: any ObjectStore {
        switch self {
        case .folder(let store, _): store
        case .bucket(let bucket): bucket.store
        }
    }

    /// The store, if it maintains totals of users' usage.
    var meter: (any MeteredObjectStore)? {
        switch self {
        case .folder(let store, _): store
        case .bucket: nil
        }
    }

    /// Whether credentials for a user's prefixes may also match other letter cases: some engines compare policy
    /// resources case-insensitively. AWS and the local S3 endpoint compare bytes.
    var mayIgnoreCase: Bool {
        switch self {
        case .folder: false
        case .bucket(let bucket): ServiceEndpoint(bucket.settings.internalEndpoint)?.isAWS != true
        }
    }

    /// The store, if it monitors its own disk.
    var reporter: (any StoreStatusReporting)? {
        switch self {
        case .folder(let store, _): store
        case .bucket: nil
        }
    }

    /// The store as users' own credentials access it.
    var userStores: any UserStores {
        switch self {
        case .folder(let store, _): LocalUserStores(store)
        case .bucket(let bucket): bucket.userStores
        }
    }

    /// Access to erase deleted users' objects.
    func makeErasureAccess() throws -> any ErasureAccess {
        switch self {
        case .folder(let store, _): LocalErasureAccess(store, deletedData: store)
        case .bucket(let bucket): try bucket.makeErasureAccess()
        }
    }

    /// The store for readiness probes, which fail quickly.
    var probe: any ObjectStore {
        switch self {
        case .folder(let store, _): store
        case .bucket(let bucket): bucket.probe
        }
    }
}
