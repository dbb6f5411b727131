import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

@testable import PhotolalaClient

/// A device whose ID is in the Keychain: the app is deleted and installed again, or comes to another phone.
@Suite struct KeptDeviceTests {
    @Test func `after a reinstall the device has its ID and a new tag`() async throws {
        let keychain = Keychain()
        let first = try await device(keychain)
        let again = try await device(keychain)
        #expect(again.id == first.id && again.catalogTag != first.catalogTag)
    }

    @Test func `a folder keeps its ID and tag on its own device`() async throws {
        try await ClientFixture.with { fixture in
            let keychain = Keychain()
            let profile = try ProfileDirectory(fixture.folder)
            let first = try profile.device(storage: keychain)
            #expect(try profile.device(storage: keychain) == first)
        }
    }

    @Test func `a folder restored to another phone is a new device, even in a folder with the same inode`() async throws
    {
        try await ClientFixture.with { fixture in
            let profile = try ProfileDirectory(fixture.folder)
            let first = try profile.device(storage: Keychain())
            let other = Keychain()
            let restored = try profile.device(storage: other)
            #expect(restored.id != first.id && restored.catalogTag != first.catalogTag)
            #expect(try profile.device(storage: other) == restored)
        }
    }

    @Test func `a folder restored to a phone that was signed in before is that phone`() async throws {
        let old = Keychain()
        let phone = try await device(old)
        try await ClientFixture.with { fixture in
            let profile = try ProfileDirectory(fixture.folder)
            let other = try profile.device(storage: Keychain())
            let restored = try profile.device(storage: old)
            #expect(restored.id == phone.id)
            #expect(restored.catalogTag != other.catalogTag && restored.catalogTag != phone.catalogTag)
        }
    }

    @Test func `a session of an earlier version gives the Keychain its device`() async throws {
        try await ClientFixture.with { fixture in
            let profile = try ProfileDirectory(fixture.folder)
            let session = DeviceID(uuid: ClientFixture.user.uuid)
            let keychain = Keychain()
            #expect(try profile.device(session: session, storage: keychain).id == session)
            #expect(try await device(keychain).id == session)
        }
    }

    @Test func `a moved folder does not change the device that the Keychain has`() async throws {
        let first = StoredDevice.current(
            nil, session: nil, kept: .missing, folder: 1, name: "Phone", model: nil, platform: "ios",
            randomness: .system)
        let moved = StoredDevice.current(
            first, session: first.id, kept: .kept(first.id), folder: 2, name: "Phone", model: nil, platform: "ios",
            randomness: .system)
        #expect(moved.signInDescription.id == first.id && moved.catalogTag != first.catalogTag)
    }

    @Test func `removing local data makes the next sign-in a new device`() async throws {
        try await ClientFixture.with { fixture in
            let keychain = Keychain()
            let session = PhotolalaSession(
                connection: ServiceConnection(
                    server: try ServerAddress("https://photos.example"), transport: fixture.server),
                profile: try ProfileDirectory(fixture.folder), storage: keychain, now: { ClientFixture.start })
            let first = try await session.device().id
            try await session.removeLocalData()
            #expect(try await session.device().id != first)
        }
    }

    private func device(_ keychain: Keychain) async throws -> StoredDevice {
        var device: StoredDevice?
        try await ClientFixture.with { device = try ProfileDirectory($0.folder).device(storage: keychain) }
        return try #require(device)
    }
}

/// One phone's Keychain.
final class Keychain: SecretStorage {
    private let items = Mutex<[String: Data]>([:])
    var outlivesProfile: Bool { true }

    func load(_ name: String) -> Data? { items.withLock { $0[name] } }
    func save(_ secret: Data, as name: String) { items.withLock { $0[name] = secret } }
    func delete(_ name: String) { items.withLock { $0[name] = nil } }
}
