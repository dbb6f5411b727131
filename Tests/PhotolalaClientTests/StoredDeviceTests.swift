import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import PhotolalaClient

/// The identity of a profile whose folder was lost, copied or restored.
@Suite struct StoredDeviceTests {
    private func current(
        _ kept: StoredDevice?, session: DeviceID? = nil, folder: UInt64 = 1
    ) -> StoredDevice {
        StoredDevice.current(
            kept, session: session, kept: .unsupported, folder: folder, name: "Phone", model: "iPhone17,1",
            platform: "ios", randomness: .system)
    }

    @Test func `a profile that is not moved keeps its device ID`() {
        let first = current(nil)
        #expect(current(first) == first)
        #expect(current(first, session: first.id) == first)
        #expect(first.catalogTag == current(first, session: first.id).catalogTag)
    }

    @Test func `a session that outlives its folder keeps its device ID and gets a new tag`() {
        let first = current(nil)
        let again = current(nil, session: first.id, folder: 2)
        #expect(again.id == first.id && again.signInDescription.id == first.id)
        #expect(again.catalogTag != first.catalogTag)
        #expect(current(again, session: first.id, folder: 2) == again)
    }

    @Test func `a folder restored without its session is another device`() {
        let first = current(nil)
        let second = current(first, folder: 2)
        #expect(second.id != first.id && second.catalogTag != first.catalogTag)
    }

    @Test func `a copied session uses its own tag, and a new device ID at the next sign-in`() {
        let first = current(nil)
        let copy = current(first, session: first.id, folder: 2)
        #expect(copy.id == first.id && copy.catalogTag != first.catalogTag)
        #expect(copy.signInDescription.id != first.id)
        #expect(current(copy, session: first.id, folder: 2) == copy)
        let signedIn = current(copy, session: copy.signInDescription.id, folder: 2)
        #expect(
            signedIn.id == copy.signInDescription.id && signedIn.next == nil && signedIn.catalogTag != first.catalogTag)
        #expect(current(copy, folder: 2).id == copy.signInDescription.id)
    }

    @Test func `a file of an earlier version keeps the session's device ID and tag`() {
        let first = current(nil)
        var older = first
        older.folder = nil
        #expect(current(older, session: first.id) == first)
        #expect(current(older).id != first.id)
    }

    @Test func `after a reinstall, a challenge to link contains the session's device ID`() async throws {
        let challenge = FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/challenge": [challenge],
        ]) { fixture in
            _ = try await fixture.signedIn()
            try FileManager.default.removeItem(at: fixture.folder.appendingPathComponent("device.json"))
            _ = try await fixture.session().challenge(for: .link)
            let body = try #require(fixture.server.requests("/auth/challenge").first?.text)
            #expect(body.contains("\(ClientFixture.tokens("1").deviceID)"))
        }
    }
}
