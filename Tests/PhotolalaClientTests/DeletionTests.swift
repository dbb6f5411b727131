import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite("Deletion of the account") struct DeletionTests {
    private static let overview = DeletionOverview(
        deletion: AccountDeletion(requestedAt: ClientFixture.start, erasesAt: ClientFixture.start + 86_400),
        undoDays: 1,
        contents: UsageByKind(
            photos: StoredObjects(bytes: 1, objects: 1), thumbnails: StoredObjects(bytes: 0, objects: 0),
            catalogs: StoredObjects(bytes: 0, objects: 0), data: StoredObjects(bytes: 0, objects: 0)),
        countedAt: nil, subscriptions: [], receiptCode: "receipt", undoCode: "undo")

    @Test("a deletion removes the session from the device; a refused one keeps it")
    func delete() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /account/deletion": [
                FakeServer.problem(.reauthenticationRequired, 403), FakeServer.json(Self.overview),
            ],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.reauthenticationRequired) { _ = try await session.deleteAccount(confirmation: "DELETE") }
            #expect(try await session.signedInUserID() != nil)
            let scheduled = try await session.deleteAccount(confirmation: "DELETE")
            #expect(scheduled == Self.overview)
            #expect(try await session.signedInUserID() == nil)
        }
    }

    @Test("the local data of a device is removed, and files of others stay")
    func localData() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            let before = try await session.device().id
            let files = FileManager.default
            let library = fixture.folder.appendingPathComponent("library")
            try files.createDirectory(at: library, withIntermediateDirectories: true)
            try Data("journal".utf8).write(to: library.appendingPathComponent("backup.journal"))
            try Data("{}".utf8).write(to: fixture.folder.appendingPathComponent("preferences-x.json"))
            try Data("photo".utf8).write(to: fixture.folder.appendingPathComponent("holiday.jpg"))
            try await session.removeLocalData()
            let left = try files.contentsOfDirectory(atPath: fixture.folder.path).filter { !$0.hasSuffix(".lock") }
            #expect(left == ["holiday.jpg"])
            let after = try fixture.session()
            #expect(try await after.signedInUserID() == nil)
            #expect(try await after.device().id != before, "a later sign-in is a new device")
        }
    }
}
