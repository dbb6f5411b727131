import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import Synchronization
import Testing

@Suite("The library of a session") struct LibraryTests {
    /// A JPEG file as far as its first bytes tell.
    private static func photo(_ name: String) -> Data { Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(name.utf8) }

    private static func withLibrary(
        _ test: (World, PhotolalaLibrary, URL) async throws -> Void
    ) async throws {
        try await World.with(["POST /auth/signin": [World.signedInAnswer()]]) { world in
            let session = try await world.signedIn()
            let clock = world.clock
            let store = MemoryObjectStore { clock.now }
            let photos = world.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(
                at: photos.appendingPathComponent("2024"), withIntermediateDirectories: true
            )
            try photo("one").write(to: photos.appendingPathComponent("one.jpg"))
            try photo("two").write(to: photos.appendingPathComponent("2024/two.jpg"))
            try Data("no photo".utf8).write(to: photos.appendingPathComponent("notes.txt"))
            let library = PhotolalaLibrary(
                session: session, stateFolder: world.folder.appendingPathComponent("library").path, now: { clock.now }
            ) { _ throws(PhotolalaError) in store }
            try await test(world, library, photos)
        }
    }

    @Test("A backup, again, the list, the status and a restore")
    func journey() async throws {
        try await Self.withLibrary { world, library, photos in
            let last = Mutex(TransferProgress())
            let first = try await library.backUp(photos) { progress in
                last.withLock { if progress.finishedFiles >= $0.finishedFiles { $0 = progress } }
            }
            #expect(first.isComplete)
            #expect([first.foundFiles, first.uploadedFiles, first.libraryFiles].elementsEqual([2, 2, 2]))
            #expect(first.leftOut.map { "\($0.path): \($0.reason)" } == ["notes.txt: no photo or video"])
            let progress = last.withLock { $0 }
            #expect(progress.finishedFiles == 2)
            #expect(progress.finishedBytes == progress.totalBytes)
            #expect(progress.movedBytes == first.uploadedBytes)

            let again = try await library.backUp(photos) { _ in }
            #expect([again.uploadedFiles, again.alreadyStoredFiles].elementsEqual([0, 2]))
            #expect(try await library.photos().map(\.path) == ["2024/two.jpg", "one.jpg"])

            try Self.photo("three").write(to: photos.appendingPathComponent("three.jpg"))
            let status = try await library.status(of: photos)
            #expect([status.storedFiles, status.localFiles].elementsEqual([2, 3]))
            #expect([status.backedUpFiles, status.waitingFiles].elementsEqual([2, 1]))

            let target = world.folder.appendingPathComponent("restored")
            let restored = try await library.restore(to: target) { _ in }
            #expect([restored.wantedFiles, restored.restoredFiles, restored.failures.count].elementsEqual([2, 2, 0]))
            #expect(try Data(contentsOf: target.appendingPathComponent("2024/two.jpg")) == Self.photo("two"))
        }
    }

    @Test("A folder that is not there is an error, and so is nobody's library")
    func refused() async throws {
        try await Self.withLibrary { world, library, photos in
            await expect(.folderUnusable) {
                _ = try await library.backUp(photos.appendingPathComponent("nowhere")) { _ in }
            }
        }
        try await World.with { world in
            let clock = world.clock
            let library = PhotolalaLibrary(
                session: try world.session(), stateFolder: world.folder.path, now: { clock.now }
            ) { _ throws(PhotolalaError) in MemoryObjectStore { clock.now } }
            await expect(.notSignedIn) { _ = try await library.photos() }
        }
    }
}
