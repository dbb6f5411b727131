import Foundation
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
        let recorded = try #require(try await file().read())
        return try await trash(device).undo(recorded.change, isWanted: isWanted)
    }

    func trashed() async throws -> [String] { try await laptop.catalog().trash.map(\.path.description) }
}
