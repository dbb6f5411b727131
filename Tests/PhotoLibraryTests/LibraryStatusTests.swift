import Foundation
import Testing

@testable import PhotoLibrary

struct LibraryStatusTests {
    private func status(_ world: BackupWorld, folder: String?) async throws -> LibraryStatus {
        try await LibraryStatus.read(
            store: world.store, user: .bob, folder: folder, stateFolder: world.state.path, pause: .none
        )
    }

    @Test("Stored, waiting and only stored photos are counted without reading a photo")
    func counts() async throws {
        let world = try BackupWorld()
        for index in 0..<4 { try world.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        try world.folder.write("copy.jpg", PhotoBytes.jpeg(0))
        _ = try await world.backUp()
        try FileManager.default.removeItem(atPath: world.folder.place("3.jpg"))
        try world.folder.write("new.jpg", PhotoBytes.jpeg(9))
        let status = try await status(world, folder: world.folder.path)
        #expect(status.storedFiles == 5)
        #expect(status.storedBytes == (0..<4).reduce(0) { $0 + Int64(PhotoBytes.jpeg($1).count) })
        #expect(status.localFiles == 5)
        #expect(status.backedUpFiles == 4)
        #expect(status.waitingFiles == 1)
        #expect(status.onlyStoredFiles == 1)
    }

    @Test("Without a folder only the store is counted")
    func withoutFolder() async throws {
        let world = try BackupWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await world.backUp()
        let status = try await status(world, folder: nil)
        #expect(status.storedFiles == 1)
        #expect(status.localFiles == 0)
        #expect(status.onlyStoredFiles == 1)
    }
}
