import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

#if os(Linux)
    @Suite("File names that are not UTF-8") struct LocalNameTests {
        private static let latin = Array("caf".utf8) + [0xe9] + Array(" 100%.jpg".utf8)
        private static let album = [UInt8(0xff), 0xfe]

        @Test("a name has one spelling, which decodes to its bytes")
        func spellings() throws {
            let names: [([UInt8], String)] = [
                (Self.latin, "%%caf%E9 100%25.jpg"), (Array("été.jpg".utf8) + [0x80], "%%été.jpg%80"),
                ([0xed, 0xa0, 0x80], "%%%ED%A0%80"), (Array("100%.jpg".utf8), "100%.jpg"),
                (Array("%%a.jpg".utf8), "%%a.jpg"), (Array("%%caf%C3%A9.jpg".utf8), "%%caf%C3%A9.jpg"),
                (Array("%%caf%e9.jpg".utf8), "%%caf%e9.jpg"),
            ]
            for (bytes, text) in names {
                #expect(LocalName.text(of: bytes) == text)
                #expect(LocalName.bytes(of: text) == bytes + [0])
            }
            #expect(LocalName.text(of: Array("%%caf%E9 100%25.jpg".utf8)) == nil)
        }

        @Test("the encoding of random names is reversible and unique")
        func random() throws {
            var random = SeededGenerator(seed: 7)
            let pool: [UInt8] = [0x25, 0x25, 0x45, 0x39, 0x61, 0xc3, 0xa9, 0xe9, 0xff, 0xf0, 0x9f, 0x98, 0x80]
            var spelled: [String: [UInt8]] = [:]
            for _ in 0..<20_000 {
                let count = Int.random(in: 1...8, using: &random)
                let bytes = (0..<count).compactMap { _ in pool.randomElement(using: &random) }
                guard let text = LocalName.text(of: bytes) else { continue }
                #expect(LocalName.bytes(of: text) == bytes + [0], "\(bytes)")
                #expect(spelled.updateValue(bytes, forKey: text).map { $0 == bytes } ?? true)
            }
        }

        @Test("each name of a path is decoded separately")
        func paths() {
            #expect(LocalName.bytes(of: "a/%%%FF%FE/b%%c") == Array("a/".utf8) + Self.album + Array("/b%%c".utf8) + [0])
            #expect(LocalName.isPlain("/a%%b/c") && !LocalName.isPlain("/a/%%%FF"))
        }

        @Test("photos and folders with such names are backed up and restored with their bytes")
        func backup() async throws {
            let fixture = try BackupFixture()
            try fixture.folder.write(at: [Self.latin], PhotoBytes.jpeg(1))
            try fixture.folder.write(at: [Self.album, Self.latin], PhotoBytes.jpeg(2))
            let summary = try await fixture.backUp()
            #expect(summary.isComplete && summary.progress.uploadedFiles == 2)
            #expect(
                try await fixture.catalog().entries.map(\.path.description)
                    == ["%%%FF%FE/%%caf%E9 100%25.jpg", "%%caf%E9 100%25.jpg"])
            let target = try TemporaryFolder()
            for isFirst in [true, false] {
                let restored = try await Restore(store: fixture.store, user: .bob, pause: .none)
                    .run(into: target.path) { _ in }
                #expect(restored.progress.restoredFiles == (isFirst ? 2 : 0) && restored.failures.isEmpty)
                #expect(restored.progress.alreadyThereFiles == (isFirst ? 0 : 2))
            }
            #expect(target.has(PhotoBytes.jpeg(1), at: [Self.latin]))
            #expect(target.has(PhotoBytes.jpeg(2), at: [Self.album, Self.latin]))
        }

        @Test("a folder whose own path has such names is backed up, watched and synced")
        func root() async throws {
            let parent = try TemporaryFolder()
            try parent.write(at: [Self.album, Self.album, Self.latin], PhotoBytes.jpeg(1))
            let path = "\(parent.path)/%%%FF%FE/%%%FF%FE"
            #expect(LocalName.path(of: Array(LocalName.bytes(of: path).dropLast())) == path)
            #expect(try LocalFolder.resolve(path) == path && LocalFolder.isFolder(path) == true)
            let (library, state) = (SyncLibrary(), try TemporaryFolder())
            let backup = Backup(
                store: library.store, user: .bob, stateFolder: state.path, pause: .none, now: { SyncDevice.now })
            #expect(try await backup.run(folder: path) { _ in }.progress.uploadedFiles == 1)
            let sync = Sync(backup: backup, restore: Restore(store: library.store, user: .bob, pause: .none))
            #expect(try await sync.run(folder: path) { _ in }.isEqual)
            #expect(FolderMarker.syncedFolder(above: "\(path)/in") == path)
            #expect(try FolderIdentity(path).isCurrent(path))
            let other = try TemporaryFolder()
            try other.write("%%caf%E9/a.jpg", PhotoBytes.jpeg(2))
            #expect(throws: FileError.missing) { try LocalFolder.resolve(other.subpath("%%caf%E9")) }
        }

        @Test("a sync applies such names on another device, including moves to the trash")
        func sync() async throws {
            let library = SyncLibrary()
            let (laptop, phone) = (try BackupFixture(), try BackupFixture())
            func sync(_ fixture: BackupFixture) async throws -> SyncSummary {
                let backup = Backup(
                    store: library.store, user: .bob, stateFolder: fixture.state.path, pause: .none,
                    now: { SyncDevice.now })
                let restore = Restore(store: library.store, user: .bob, pause: .none)
                return try await Sync(backup: backup, restore: restore).run(folder: fixture.folder.path) { _ in }
            }
            try laptop.folder.write(at: [Self.album, Self.latin], PhotoBytes.jpeg(2))
            _ = try await sync(laptop)
            #expect(try await sync(phone).toFolder.progress.restoredFiles == 1)
            #expect(phone.folder.has(PhotoBytes.jpeg(2), at: [Self.album, Self.latin]))
            _ = try await library.trash.moveToTrash(PhotoSelection())
            #expect(try await sync(phone).trashedFiles.map(\.description) == ["%%%FF%FE/%%caf%E9 100%25.jpg"])
            #expect(!phone.folder.has(PhotoBytes.jpeg(2), at: [Self.album, Self.latin]))
            #expect(try await sync(phone).isEqual)
        }
    }
#endif
