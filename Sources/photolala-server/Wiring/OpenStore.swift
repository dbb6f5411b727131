import AWSServices
import DirectoryStorage
import ObjectStorage
import StorageAccess

/// A store that is open, with what only its kind has.
enum OpenStore {
    case folder(DirectoryObjectStore, FolderSettings)
    case bucket(LiveBucket)

    /// Whether other copies of the service may be at it.
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

    /// The same, where it keeps totals of what users store.
    var meter: (any MeteredObjectStore)? {
        switch self {
        case .folder(let store, _): store
        case .bucket: nil
        }
    }

    /// Whether users' credentials may open their prefixes in other spellings, too: some engines compare the resources of
    /// policies without regard to case. AWS and the S3 endpoint of one machine compare bytes.
    var mayIgnoreCase: Bool {
        switch self {
        case .folder: false
        case .bucket(let bucket): ServiceEndpoint(bucket.settings.internalEndpoint)?.isAWS != true
        }
    }

    /// The same, where it looks at its own disk.
    var reporter: (any StoreConditionReporting)? {
        switch self {
        case .folder(let store, _): store
        case .bucket: nil
        }
    }

    /// The same as users' own credentials reach it.
    var userStores: any UserStores {
        switch self {
        case .folder(let store, _): LocalUserStores(store)
        case .bucket(let bucket): bucket.userStores
        }
    }

    /// What readiness is asked of: it answers soon, if only with a failure.
    var probe: any ObjectStore {
        switch self {
        case .folder(let store, _): store
        case .bucket(let bucket): bucket.probe
        }
    }
}
