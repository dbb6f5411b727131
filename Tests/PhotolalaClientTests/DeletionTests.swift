import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import Transport

@testable import PhotolalaClient

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
            #expect(left.sorted() == ["holiday.jpg", "secrets"])
            let secrets = try files.contentsOfDirectory(atPath: fixture.folder.appendingPathComponent("secrets").path)
            #expect(secrets == ["key"], "a storage that is open keeps its key")
            let after = try fixture.session()
            #expect(try await after.signedInUserID() == nil)
            #expect(try await after.device().id != before, "a later sign-in is a new device")
        }
    }

    @Test("after the local data was removed, the same session can sign in as a new device")
    func signInAgain() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            try await session.removeLocalData()
            try await session.signIn(ClientFixture.credential)
            #expect(try await fixture.session().signedInUserID() == ClientFixture.user)
        }
    }

    @Test("the end of a deletion, or of all sessions, removes no newer session", arguments: [true, false])
    func newerSession(isDeletion: Bool) async throws {
        let (asked, go) = (Gate(), Gate())
        let answer = isDeletion ? FakeServer.json(Self.overview) : FakeServer.nothing
        let path = isDeletion ? "/account/deletion" : "/auth/signout-everywhere"
        let script = AccountPinTests.people.merging([
            "POST \(path)": [FakeServer.delayed(asked, until: go, answer)]
        ]) { _, own in own }
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            let call = Task {
                if isDeletion {
                    _ = try await session.deleteAccount(confirmation: "DELETE")
                } else {
                    try await session.signOutEverywhere()
                }
            }
            await asked.wait()
            try await AccountPinTests.change(fixture)
            go.open()
            try await call.value
            #expect(try await session.signedInUserID() == AccountPinTests.eve)
        }
    }

    @Test("the codes of a scheduled deletion are returned even if the device cannot remove its session")
    func storageFails() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /account/deletion": [FakeServer.json(Self.overview)],
        ]) { fixture in
            let (storage, clock) = (FailingStorage(), fixture.clock)
            let session = PhotolalaSession(
                connection: ServiceConnection(
                    server: try ServerAddress("https://photos.example"), transport: fixture.server),
                profile: try ProfileDirectory(fixture.folder), storage: storage, now: { clock.now })
            try await session.signIn(ClientFixture.credential)
            storage.fails.withLock { $0 = true }
            let scheduled = try await session.deleteAccount(confirmation: "DELETE")
            #expect(scheduled.undoCode == "undo" && scheduled.receiptCode == "receipt")
        }
    }

    private final class FailingStorage: SecretStorage {
        let fails = Mutex(false)
        private let items = Mutex<[String: Data]>([:])
        func load(_ name: String) throws(SecretStorageError) -> Data? { items.withLock { $0[name] } }
        func save(_ secret: Data, as name: String) throws(SecretStorageError) { items.withLock { $0[name] = secret } }
        func delete(_ name: String) throws(SecretStorageError) {
            if fails.withLock({ $0 }) { throw SecretStorageError(detail: "disk full") }
            items.withLock { $0[name] = nil }
        }
    }

    @Test(
        "a call that is cancelled after it was sent may have been performed, unless it has no effect",
        arguments: [("POST /account/deletion", ErrorCode.outcomeUnknown), ("GET /account/deletion", .cancelled)])
    func cancelled(call: String, code: ErrorCode) async throws {
        let arrived = Gate()
        @Sendable func lost(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            arrived.open()
            while !Task.isCancelled { await Task.yield() }
            throw .connectionLost("cancelled")
        }
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()], call: [lost]]) { fixture in
            let session = try await fixture.signedIn()
            let task = Task {
                if call.hasPrefix("POST") {
                    _ = try await session.deleteAccount(confirmation: "DELETE")
                } else {
                    _ = try await session.deletionOverview()
                }
            }
            await arrived.wait()
            task.cancel()
            await expect(code) { try await task.value }
        }
    }
}
