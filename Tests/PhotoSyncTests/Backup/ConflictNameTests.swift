import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Backups of files that have the names at which a restore wrote them.
struct ConflictNameTests {
    @Test("the restored files of two photos with one name are the library's own", arguments: [false, true])
    func restored(_ isAmongMany: Bool) async throws {
        let first = try BackupFixture()
        var second = BackupFixture(like: first, folder: try TemporaryFolder(), state: try TemporaryFolder())
        second.device = DeviceTag(deviceID: "bbbbbbbb")
        for (fixture, seed) in [(first, 1), (second, 2)] {
            try fixture.folder.write("IMG_1.jpg", PhotoBytes.jpeg(seed))
            _ = try await fixture.backUp()
        }
        let catalogs = CatalogStore(store: first.store, user: .bob, pause: .none)
        let before = try await catalogs.load().catalog
        let names = before.entries.map(\.path.description)
        #expect(names.count == 2 && names.contains { $0.contains(" (conflict ") })
        let restored = BackupFixture(
            like: second, folder: try TemporaryFolder(), state: isAmongMany ? second.state : try TemporaryFolder())
        for entry in before.entries {
            let seed = entry.md5 == before.entries.first?.md5 ? 1 : 2
            let bytes = PhotoBytes.jpeg(seed)
            let isFirst = ContentDigest(of: .init(bytes: bytes)) == entry.md5
            try restored.folder.write(entry.path.description, isFirst ? bytes : PhotoBytes.jpeg(3 - seed))
        }
        for day in 1...3 {
            #expect(try await restored.backUp(onDay: day).isComplete)
            restored.forgetCatalog()
        }
        #expect(try await catalogs.load().catalog.entries.map(\.path.description) == names)
    }
}
