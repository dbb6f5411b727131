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
