import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Bob's laptop with three photos in its library, and the record of its last change to the trash.
struct UndoFixture {
    let laptop: BackupFixture
    static let moment = Date(timeIntervalSince1970: 3_000_000_000)

    init() async throws {
        laptop = try BackupFixture()
        for name in ["a.jpg", "b.jpg", "c.jpg"] {
            try laptop.folder.write(name, PhotoBytes.jpeg(Int(name.utf8.first ?? 0)))
        }
        _ = try await laptop.backUp()
    }

    func file(of user: UserID = .bob) -> UndoFile {
        UndoFile(stateFolder: laptop.state.path, user: user) { Self.moment }
    }

    /// - Parameter device: 1 for the laptop, which records its changes.
    func trash(_ device: UInt32 = 1) -> PhotoTrash {
        PhotoTrash(
            CatalogStore(
                store: laptop.store, user: .bob, device: DeviceTag(value: device), recorder: device == 1 ? file() : nil,
                pause: .none))
    }

    func at(_ paths: String...) -> PhotoSelection {
        var selection = PhotoSelection()
        selection.paths = paths
        return selection
    }

    func undo(_ device: UInt32 = 1, isWanted: (UndoSummary) async -> Bool = { _ in true }) async throws -> UndoSummary {
        try await trash(device).undo(try await file().read().map(\.change), isWanted: isWanted)
    }

    func trashed() async throws -> [String] { try await laptop.catalog().trash.map(\.path.description) }

    /// Records a change of the laptop as a command does that is killed before its commit.
    func recordUncommitted(_ name: String) async throws {
        let catalogs = CatalogStore(store: laptop.store, user: .bob, pause: .none)
        let version = try await catalogs.load()
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(Int(name.utf8.first ?? 0))))
        let changes = [CatalogChange.trash(try #require(LibraryPath(name)), md5)]
        let records = Catalog(changes, after: version.counter, by: DeviceTag(value: 1), trashed: 1)
        #expect(await file().record(TrashChange(.trash, records), onto: version.catalog) == .recorded)
    }
}
