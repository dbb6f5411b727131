import DirectoryStorage
import ObjectStorage
import PhotolalaAPI
import Secrets
import ServiceWiring
import StorageAccess

/// An open store.
enum OpenStore {
    case folder(DirectoryObjectStore, FolderSettings)
    case bucket(LiveBucket)

    var objects: any ObjectStore { service.objects }

    /// The store as the service uses it.
    var service: any ServiceStore {
        switch self {
        case .folder(let store, let settings): FolderStore(store: store, settings: settings)
        case .bucket(let bucket): bucket
        }
    }
}

/// A local folder as the service uses it.
private struct FolderStore: ServiceStore {
    let store: DirectoryObjectStore
    let settings: FolderSettings

    var isShared: Bool { false }
    var objects: any ObjectStore { store }
    var meter: (any MeteredObjectStore)? { store }
    var mayIgnoreCase: Bool { false }
    var reporter: (any StoreStatusReporting)? { store }
    var userStores: any UserStores { LocalUserStores(store) }
    var probe: any ObjectStore { store }

    func makeErasureAccess() -> any ErasureAccess {
        let deletedData = ScrubErasure(
            store, record: ObjectKey(known: StorageLayout.scrub), retry: LiveStore.retry)
        return LocalErasureAccess(store, deletedData: deletedData)
    }

    /// The issuer for the local S3 endpoint.
    func makeCredentialIssuer(_ keyRing: KeyRing) -> any CredentialIssuer {
        SealedCredentialIssuer(
            endpoint: settings.endpoint, region: settings.region, bucket: settings.bucket, keyRing: keyRing,
            randomness: .system)
    }
}
