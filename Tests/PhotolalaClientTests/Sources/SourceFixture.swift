import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting

@testable import PhotoCatalog
@testable import PhotoSync

/// A device of Bob with a store of his library.
struct SourceFixture {
    let state: TemporaryFolder
    let store: FakeObjectStore
    var settings = BackupSettings()
    var device = DeviceTag.none
    var maker: (any PictureMaker)?
    /// The current day, long after all dates of photos, which are at rest by then.
    var day = 40_000

    static let taken = Date(timeIntervalSince1970: 1_715_680_951)

    init(fault: @escaping FakeObjectStore.Fault = { _, _ in nil }) throws {
        state = try TemporaryFolder()
        store = FakeObjectStore(fault: fault)
    }

    private var backup: Backup {
        let now = Date(timeIntervalSince1970: Double(day) * 86_400)
        return Backup(
            store: store, user: .bob, device: device, stateFolder: state.path, settings: settings, thumbnails: maker,
            pause: .none, now: { now })
    }

    func backUp(
        _ source: any PhotoSource, report: @escaping @Sendable (BackupEvent) -> Void = { _ in }
    ) async throws -> BackupSummary {
        let sync = SourceSync(backup, settings: SourceSyncSettings())
        return try await sync.run(source: SourceAssets(source), report: report).backup
    }

    func sync(_ source: any PhotoSource, _ removals: RemovedAssets = .moveToTrash) async throws -> SourceSyncSummary {
        var settings = SourceSyncSettings()
        settings.trashesRemoved = removals != .keep
        settings.trashesAll = removals == .moveAllToTrash
        return try await SourceSync(backup, settings: settings).run(source: SourceAssets(source)) { _ in }
    }

    func backUp(folder: TemporaryFolder) async throws -> BackupSummary {
        try await backup.run(folder: folder.path) { _ in }
    }

    func status(of source: any PhotoSource) async throws -> LibraryStatus {
        try await LibraryStatus.read(
            store: store, user: .bob, of: .source(SourceAssets(source)), stateFolder: state.path, pause: .none
        ) { _ in }
    }

    func catalog() async throws -> [CatalogEntry] {
        let catalog = try await CatalogStore(store: store, user: .bob, pause: .none).load().catalog
        return catalog.entries.map { $0 }.sorted { $0.path < $1.path }
    }

    /// The stored content of the only entry whose path contains a text.
    func content(at text: String) async throws -> [UInt8]? {
        let found = try await catalog().filter { $0.path.description.contains(text) }
        guard found.count == 1 else { return nil }
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: found[0].md5.description))
        return try await store.memory.get(key, limit: 1 << 30).map { Array($0.bytes.readableBytesView) }
    }
}

extension FakePhotoSource {
    /// Adds a photo with one resource.
    func add(
        _ id: String, _ bytes: [UInt8], name: String? = nil, created: Date? = SourceFixture.taken,
        modified: Date = SourceFixture.taken, size: Int64? = nil
    ) {
        let resource = PhotoResource(
            id: "photo", kind: .photo, name: name ?? "\(id).jpg", modified: modified, size: size)
        put(PhotoAsset(id: id, created: created, resources: [resource]), ["photo": bytes])
    }

    /// Adds an edited version to a photo.
    func edit(_ id: String, _ original: [UInt8], _ edited: [UInt8], modified: Date) {
        let resources = [
            PhotoResource(id: "photo", kind: .photo, name: "\(id).jpg", modified: SourceFixture.taken),
            PhotoResource(id: "edited", kind: .editedPhoto, name: "FullSizeRender.jpg", modified: modified),
        ]
        put(
            PhotoAsset(id: id, created: SourceFixture.taken, resources: resources),
            ["photo": original, "edited": edited])
    }
}
