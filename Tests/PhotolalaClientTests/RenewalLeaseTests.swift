import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

@testable import PhotolalaClient

/// An app and its extensions renew one session; the system may suspend each of them at any moment.
@Suite struct RenewalLeaseTests {
    @Test func `another process renews when the first one is suspended during its call`() async throws {
        let (asked, resumed) = (Gate(), Gate())
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/refresh": [
                FakeServer.delayed(asked, until: resumed, ClientFixture.refreshed("2")), ClientFixture.refreshed("2"),
            ],
        ]) { fixture in
            let app = try await fixture.signedIn()
            async let suspended: Void = app.refresh()
            await asked.wait()
            fixture.clock.advance(by: RenewalLease.renewalDuration)
            let widget = try fixture.session()
            try await widget.refresh()
            #expect(fixture.server.requests("/auth/refresh").count == 2)
            #expect(try await widget.stored()?.session.accessToken == "access-2")
            resumed.open()
            try await suspended
            #expect(try await app.stored()?.session.accessToken == "access-2")
        }
    }

    @Test func `a process that takes over repeats a lost renewal no longer than the server answers it`() async throws {
        let (asked, resumed) = (Gate(), Gate())
        let answers = [
            FakeServer.delayed(asked, until: resumed, FakeServer.lost), FakeServer.lost, FakeServer.lost,
            FakeServer.lost,
        ]
        try await ClientFixture.with(
            ["POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": answers]
        ) { fixture in
            let app = try await fixture.signedIn()
            let suspended = Task { try await app.refresh() }
            await asked.wait()
            fixture.clock.advance(by: 26)
            let widget = try fixture.session()
            await expect(.noResponse) { try await widget.refresh() }
            #expect(fixture.server.requests("/auth/refresh").count == 2)
            resumed.open()
            await expect(.noResponse) { try await suspended.value }
        }
    }

    @Test func `a renewal whose response was lost keeps its start for the next process`() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [FakeServer.lost],
        ]) { fixture in
            let app = try await fixture.signedIn()
            await expect(.noResponse) { try await app.refresh() }
            #expect(fixture.server.requests("/auth/refresh").count == 3)
            fixture.clock.advance(by: 26)
            let widget = try fixture.session()
            await expect(.noResponse) { try await widget.refresh() }
            #expect(fixture.server.requests("/auth/refresh").count == 4, "a repetition could look like reuse")
        }
    }

    @Test func `an attempt ends before its lease`() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [ClientFixture.refreshed("2")],
        ]) { fixture in
            try await fixture.signedIn().refresh()
            let request = try #require(fixture.server.requests("/auth/refresh").first)
            #expect(request.timeout == RenewalLease.attemptTimeout)
            #expect(RenewalLease.attemptTimeout < .seconds(RenewalLease.renewalDuration))
        }
    }

    @Test func `a renewal that ends after another process authenticated keeps its refresh token`() async throws {
        let (asked, resumed) = (Gate(), Gate())
        let fresh = Reauthenticated(session: ReauthenticatedSession(ClientFixture.tokens("fresh")))
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/refresh": [FakeServer.delayed(asked, until: resumed, ClientFixture.refreshed("2"))],
            "POST /auth/reauthenticate": [FakeServer.json(fresh)],
        ]) { fixture in
            let app = try await fixture.signedIn()
            async let suspended: Void = app.refresh()
            await asked.wait()
            fixture.clock.advance(by: RenewalLease.renewalDuration)
            try await fixture.session().reauthenticate(ClientFixture.credential)
            resumed.open()
            try await suspended
            let stored = try await app.stored()?.session
            #expect(stored?.refreshToken == "refresh-2" && stored?.accessToken == "access-fresh")
        }
    }

    @Test func `a retry uses what another process has renewed`() async throws {
        let (asked, resumed) = (Gate(), Gate())
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/refresh": [
                FakeServer.delayed(asked, until: resumed, FakeServer.lost), ClientFixture.refreshed("2"),
                ClientFixture.refreshed("3"),
            ],
        ]) { fixture in
            let app = try await fixture.signedIn()
            let suspended = Task { try await app.refresh() }
            await asked.wait()
            fixture.clock.advance(by: RenewalLease.renewalDuration)
            let widget = try fixture.session()
            try await widget.refresh()
            try await widget.refresh()
            resumed.open()
            try await suspended.value
            let tokens = fixture.server.requests("/auth/refresh").map(\.text)
            #expect(tokens == ["1", "1", "2"].map { #"{"refreshToken":"refresh-\#($0)"}"# })
        }
    }

    @Test(arguments: [RenewalLease.maximumDuration + 1, 86_400])
    func `a lease of a clock that was set back since has expired`(ahead: TimeInterval) async throws {
        try await ClientFixture.with { fixture in
            let profile = try ProfileDirectory(fixture.folder)
            let later = ClientFixture.start + ahead
            #expect(try profile.takeRenewalLease(UUID(), for: 10, at: later) != nil)
            #expect(try profile.takeRenewalLease(UUID(), for: 10, at: later) == nil)
            #expect(try profile.takeRenewalLease(UUID(), for: 10, at: ClientFixture.start) != nil)
        }
    }

    @Test func `a late owner does not release the lease of the next one`() async throws {
        try await ClientFixture.with { fixture in
            let profile = try ProfileDirectory(fixture.folder)
            let start = ClientFixture.start
            let late = try #require(try profile.takeRenewalLease(UUID(), for: 10, at: start))
            let next = try #require(try profile.takeRenewalLease(UUID(), for: 10, at: start + 10))
            #expect(next.startedAt == start)
            profile.releaseRenewalLease(late)
            #expect(try profile.takeRenewalLease(UUID(), for: 10, at: start + 11) == nil)
            profile.releaseRenewalLease(next)
            let fresh = try #require(try profile.takeRenewalLease(UUID(), for: 10, at: start + 12))
            #expect(fresh.startedAt == start + 12)
        }
    }

    @Test func `no lock is held during a call`() async throws {
        let (asked, done) = (Gate(), Gate())
        let held = FakeServer.delayed(asked, until: done, ClientFixture.refreshed("2"))
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [held],
        ]) { fixture in
            let session = try await fixture.signedIn()
            async let renewed: Void = session.refresh()
            await asked.wait()
            let locks = try FileManager.default.contentsOfDirectory(at: fixture.folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "lock" }
            #expect(!locks.isEmpty)
            for lock in locks {
                let file = open(lock.path, O_RDWR)
                #expect(flock(file, LOCK_EX | LOCK_NB) == 0, "\(lock.lastPathComponent)")
                close(file)
            }
            done.open()
            try await renewed
        }
    }
}
