import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct DevicesTests {
    private static let other = DeviceID(uuid: UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

    private static func device(_ id: DeviceID, isCurrent: Bool) -> Device {
        Device(
            id: id, name: "phone", model: nil, platform: "ios", createdAt: ClientFixture.start,
            lastSeenAt: ClientFixture.start, lastSyncAt: nil, isBound: true, isCurrent: isCurrent)
    }

    private static func list(_ seconds: Int?) -> FakeServer.Response {
        let devices = [
            device(DeviceID(uuid: ClientFixture.user.uuid), isCurrent: true), device(other, isCurrent: false),
        ]
        return FakeServer.json(Devices(devices: devices, storageAccessAfterRemoval: seconds))
    }

    private static func loaded(_ fixture: ScreenFixture) async -> DevicesModel {
        let model = DevicesModel(fixture.context)
        model.flow.load()
        await model.flow.wait()
        return model
    }

    private static func confirm(_ action: DevicesAction, _ model: DevicesModel) async {
        model.flow.confirm(action)
        model.flow.start(action)
        await model.flow.wait()
    }

    @Test(
        "a removed device leaves the list, and the screen says until when it may reach the photos",
        arguments: [(nil, nil, nil), (0, nil, nil), (60, 60, 60), (604_800, 604_800, 604_800)]
            as [(Int?, Double?, Int?)])
    func remove(seconds: Int?, until: Double?, shown: Int?) async throws {
        let script = [
            "GET /auth/devices": [Self.list(seconds)], "DELETE /auth/devices/\(Self.other)": [FakeServer.nothing],
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            #expect(model.devices.count == 2 && model.secondsAfterRemoval == shown)
            await Self.confirm(.remove(Self.other), model)
            #expect(model.flow.state == .ready && model.devices.map(\.isCurrent) == [true])
            let access = until.map { ClientFixture.start + $0 }
            #expect(model.removal == DevicesModel.Removal(device: Self.other, storageAccessUntil: access))
        }
    }

    @Test(
        "a device that was not removed stays in the list",
        arguments: [(.notFound, .ready), (.sessionEnded, .signedOut)] as [(ErrorCode, ScreenState<DevicesAction>)])
    func notRemoved(code: ErrorCode, state: ScreenState<DevicesAction>) async throws {
        let script = [
            "GET /auth/devices": [Self.list(nil)],
            "DELETE /auth/devices/\(Self.other)": [FakeServer.problem(code, code == .notFound ? 404 : 401)],
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            await Self.confirm(.remove(Self.other), model)
            #expect(model.flow.state == state && model.devices.count == 2 && model.removal == nil)
        }
    }

    @Test("signing out takes effect on the device even if the server cannot be reached")
    func signOut() async throws {
        for isReachable in [true, false] {
            let script = [
                "GET /auth/devices": [Self.list(nil)],
                "POST /auth/signout": [isReachable ? FakeServer.nothing : ScreenFixture.unreachable],
            ]
            try await ScreenFixture.signedIn(script) { fixture in
                let model = await Self.loaded(fixture)
                await Self.confirm(.signOut, model)
                #expect(model.flow.state == .signedOut && model.flow.failure == nil)
                #expect(model.unconfirmedSignOut?.code == (isReachable ? nil : .serverUnreachable))
                let user = try await fixture.session.signedInUserID()
                #expect(user == nil)
            }
        }
    }

    @Test("signing out everywhere requires recent authentication")
    func everywhere() async throws {
        let script = [
            "GET /auth/devices": [Self.list(nil)],
            "POST /auth/signout-everywhere": [FakeServer.problem(.reauthenticationRequired, 403), FakeServer.nothing],
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            await Self.confirm(.signOutEverywhere, model)
            #expect(model.flow.state == .verifying(.signOutEverywhere, with: [.apple]))
            model.flow.verify(with: .apple)
            await model.flow.wait()
            #expect(model.flow.state == .signedOut)
            let user = try await fixture.session.signedInUserID()
            #expect(user == nil)
        }
    }

    @Test("a device that was signed out elsewhere shows the welcome screen, and loads again after a sign-in")
    func signedOutElsewhere() async throws {
        let script = [
            "GET /auth/devices": [Self.list(nil)], "POST /auth/signout": [FakeServer.nothing],
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            try await fixture.client.session().signOut()
            await Self.confirm(.remove(Self.other), model)
            #expect(model.flow.state == .signedOut)
            try await fixture.session.signIn(ClientFixture.credential)
            model.flow.load()
            await model.flow.wait()
            #expect(model.flow.state == .ready)
        }
    }
}
