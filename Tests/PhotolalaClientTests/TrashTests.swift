import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@Suite("The trash of a library") struct TrashTests {
    private static func photo(_ name: String) -> Data { Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(name.utf8) }

    private static let eve = UserID(uuid: UUID(uuid: (5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

    private static let devices = FakeServer.json(
        Devices(devices: [
            Device(
                id: DeviceID(uuid: ClientFixture.user.uuid), name: "Bob's laptop", model: nil, platform: "linux",
                createdAt: ClientFixture.start, lastSeenAt: ClientFixture.start, lastSyncAt: nil, isBound: true,
                isCurrent: true)
        ]))

    /// The library of a session, whose two photos are backed up. All accounts have the same store.
    private static func withLibrary(
        devices: @escaping FakeServer.Response = devices,
        _ test: (ClientFixture, PhotolalaSession, PhotolalaLibrary, URL) async throws -> Void
    ) async throws {
        let answers = [
            ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(ClientFixture.tokens("e"), user: eve),
        ]
        let script = [
            "POST /auth/signin": answers + [ClientFixture.signedInAnswer()],
            "POST /auth/signout": [FakeServer.nothing], "GET /auth/devices": [devices],
            "GET /users/\(eve)/usage": [ClientFixture.usage()],
        ]
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            let clock = fixture.clock
            let store = MemoryObjectStore { clock.now }
            let photos = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            for name in ["one", "two"] { try photo(name).write(to: photos.appendingPathComponent("\(name).jpg")) }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now }, sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in store }
            _ = try await library.backUp(photos).report
            try await test(fixture, session, library, photos)
        }
    }

    private static func at(_ path: String) -> PhotoFilter {
        var filter = PhotoFilter()
        filter.paths = [path]
        return filter
    }

    @Test("the versions of an edited photo name their devices; one is downloaded and one purged for good")
    func versions() async throws {
        try await Self.withLibrary { fixture, _, library, photos in
            try Self.photo("edited").write(to: photos.appendingPathComponent("one.jpg"))
            fixture.clock.advance(by: 60)
            _ = try await library.backUp(photos).report
            let versions = try await library.versions(of: "one.jpg")
            #expect(versions.map(\.size) == [12, 9])
            #expect(versions.map { $0.trashed == nil } == [true, false])
            #expect(versions.map(\.isReplaced) == [false, true])
            let dates = try [versions[1].trashed, versions[1].keptUntil].map {
                try Date(try #require($0), strategy: .iso8601)
            }
            #expect(dates[1].timeIntervalSince(dates[0]) == 30 * 86_400 + 1800, "the date in the catalog is later")
            #expect(versions.map(\.addedBy) == ["Bob's laptop", "Bob's laptop"])
            #expect(versions.map(\.trashedBy) == [nil, "Bob's laptop"])
            #expect(try await library.photosInTrash().map(\.trashedBy) == ["Bob's laptop"])
            #expect(try await library.photos().allSatisfy { $0.addedBy == nil })

            let target = fixture.folder.appendingPathComponent("restored")
            let id = String(versions[1].md5.prefix(8)).uppercased()
            let report = try await library.restore(to: target, where: Self.at("one.jpg"), versions: [id]).report
            #expect(report.restoredFiles == 1)
            #expect(try Data(contentsOf: target.appendingPathComponent("one.jpg")) == Self.photo("one"))
            await expect(.invalidRequest) {
                _ = try await library.restore(to: target, where: Self.at("one.jpg"), versions: ["0x12"]).report
            }
            await expect(.notFound) { _ = try await library.versions(of: "three.jpg") }
            let purge = try await library.purgeTrash(
                where: Self.at("one.jpg"), versions: .ids([id]), includingRecent: true
            ) { $0.files == 1 }
            #expect(purge.isDone && purge.deletedContents == 1)
            #expect(try await library.versions(of: "one.jpg").count == 1)
            await expect(.notFound) { _ = try await library.purgeTrash(where: Self.at("two.jpg")) { _ in true } }
        }
    }

    @Test("an unknown path has the place in which it was looked for as its cause")
    func unknownPaths() async throws {
        try await Self.withLibrary { _, _, library, _ in
            let unknown = Self.at("three.jpg")
            let cause = { (call: () async throws(PhotolalaError) -> Void) async -> FailureCode? in
                do throws(PhotolalaError) { try await call() } catch { return error.cause?.code }
                return nil
            }
            #expect(
                await cause { () throws(PhotolalaError) in _ = try await library.photos(where: unknown) }
                    == .notInLibrary)
            #expect(
                await cause { () throws(PhotolalaError) in _ = try await library.restoreFromTrash(where: unknown) }
                    == .notInTrash)
            #expect(
                await cause { () throws(PhotolalaError) in _ = try await library.versions(of: "three.jpg") }
                    == .notInLibrary)
        }
    }

    @Test("an unknown path that is in the trash is called so")
    func trashedPaths() async throws {
        try await Self.withLibrary { _, _, library, _ in
            _ = try await library.moveToTrash(where: Self.at("one.jpg")) { _ in true }
            var filter = Self.at("./one.jpg")
            let one = await #expect(throws: PhotolalaError.self) { _ = try await library.photos(where: filter) }
            #expect(one?.detail == "Not found in your library: “./one.jpg”. It is in the trash.")
            #expect(one?.cause == FailureCause(.inTrash, ["path": "./one.jpg"]))
            filter.paths = ["none.jpg", "one.jpg"]
            let several = await #expect(throws: PhotolalaError.self) { _ = try await library.photos(where: filter) }
            #expect(
                several?.detail == "Not found in your library: “none.jpg”, “one.jpg”. In the trash: “one.jpg”.")
        }
    }

    @Test("versions and trash are listed without names if the list of devices is not available")
    func withoutDevices() async throws {
        try await Self.withLibrary(devices: FakeServer.problem(.temporarilyUnavailable, 503)) { _, _, library, _ in
            _ = try await library.moveToTrash(where: Self.at("one.jpg")) { _ in true }
            #expect(try await library.versions(of: "one.jpg").map(\.trashedBy) == [nil])
            #expect(try await library.photosInTrash().map(\.path) == ["one.jpg"])
        }
    }

    @Test("a photo in the trash whose content the library has at another path says so")
    func copy() async throws {
        try await Self.withLibrary { _, _, library, photos in
            try Self.photo("one").write(to: photos.appendingPathComponent("renamed.jpg"))
            _ = try await library.backUp(photos).report
            for name in ["one.jpg", "two.jpg"] { _ = try await library.moveToTrash(where: Self.at(name)) { _ in true } }
            let trash = try await library.photosInTrash()
            #expect(trash.map(\.path) == ["one.jpg", "two.jpg"] && trash.map(\.isInLibrary) == [true, false])
        }
    }

    @Test("the last change is undone once, and a declined undo stays possible")
    func undo() async throws {
        try await Self.withLibrary { fixture, _, library, _ in
            await expect(.notFound) { _ = try await library.undo { _ in true } }
            let put = try await library.moveToTrash(where: PhotoFilter()) { !$0.isUndoable }
            #expect(put.isUndoable)
            let declined = try await library.undo { $0.restoredFiles != 2 }
            #expect(!declined.isDone && declined.files == 2)
            let report = try await library.undo { _ in true }
            #expect(report.isDone && report.change == .movedToTrash && report.restoredFiles == 2)
            #expect(report.paths == ["one.jpg", "two.jpg"])
            #expect(report.bytes == put.bytes && report.changedAt == fixture.clock.now)
            #expect(try await library.photos().count == 2)
            await expect(.notFound) { _ = try await library.undo { _ in true } }
        }
    }

    @Test("what one account did is not undone for another one of the same profile, and is still undone for the first")
    func accounts() async throws {
        try await Self.withLibrary { fixture, session, library, photos in
            _ = try await library.moveToTrash(where: Self.at("one.jpg")) { _ in true }
            try await session.signOut()
            try await session.signIn(ClientFixture.credential)
            #expect(try await session.signedInUserID() == Self.eve)
            _ = try await library.backUp(photos).report
            await expect(.notFound) { _ = try await library.undo { _ in true } }
            #expect(try await library.photos().count == 2)
            try await session.signOut()
            await expect(.notSignedIn) { _ = try await library.undo { _ in true } }
            try await session.signIn(ClientFixture.credential)
            #expect(try await library.undo { _ in true }.isDone)
        }
    }

    @Test("a damaged record is removed and reported, and nothing is changed")
    func damaged() async throws {
        try await Self.withLibrary { fixture, _, library, _ in
            _ = try await library.moveToTrash(where: Self.at("one.jpg")) { _ in true }
            let record = fixture.folder.appendingPathComponent("library/undo-\(ClientFixture.user)")
            try Data("{}\npath,md5".utf8).write(to: record)
            let error = await #expect(throws: PhotolalaError.self) { _ = try await library.undo { _ in true } }
            #expect(error?.code == .localStorageFailed && error?.detail.contains("damaged and was removed") == true)
            await expect(.notFound) { _ = try await library.undo { _ in true } }
            #expect(try await library.photosInTrash().count == 1)
        }
    }
}
