import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

/// A device without a browser that waits with a code until a signed-in person approves it.
@Suite struct DeviceCodeTests {
    private static let app = AppClient(id: "org.example.app", name: "Example", redirectURIs: ["org.example.app:/back"])
    private static let validRequest = [
        "client_id": "photolala", "device_id": TestService.device(7).id.description, "device_name": "Server",
        "device_platform": "Linux",
    ]

    private func service(
        _ clock: TestClock = TestClock(), store: (any ObjectStore)? = nil, seed: UInt64 = 1
    ) async throws -> TestService {
        var options = TestService.Options()
        options.apps = [Self.app]
        options.seed = seed
        return try await TestService.make(options, store: store, clock: clock)
    }

    private func issue(
        _ service: TestService, _ changes: [String: String] = [:]
    ) throws -> IssuedDeviceCode {
        try service.services.deviceAuthorization.createDeviceCode { changes[$0] ?? Self.validRequest[$0] }
    }

    /// Polls as a device that keeps its interval.
    private func poll(_ service: TestService, _ code: String, client: String = "photolala") async throws -> Session {
        service.clock.advance(by: 5)
        return try await service.services.deviceAuthorization.exchangeDeviceCode(code, client: client, nil).session
    }

    private func refusal(_ act: () async throws -> Session) async -> ServiceError? {
        do { _ = try await act() } catch { return error as? ServiceError }
        return nil
    }

    private func expectInvalid(
        _ what: String, at location: SourceLocation = #_sourceLocation, _ act: () async throws -> Session
    ) async {
        let refusal = await refusal(act)
        guard case .invalidCode = refusal else {
            Issue.record("\(what): \(refusal.map { "\($0)" } ?? "a session")", sourceLocation: location)
            return
        }
    }

    private func decide(_ service: TestService, _ isAllowed: Bool, _ code: String, _ caller: Caller) async throws {
        let waiting = try #require(try await service.services.deviceAuthorization.pendingDevice(code, caller: caller))
        #expect(waiting.app == .commandLine && waiting.platform == .linux)
        try await service.services.deviceAuthorization.decide(isAllowed, on: waiting, caller: caller)
    }

    @Test("a device gets one session after its user code is approved")
    func approved() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let issued = try issue(service)
        #expect(issued.userCode.count == 12 && issued.userCode.allSatisfy("BCDFGHJKLMNPQRSTVWXZ".contains))
        #expect(await refusal { try await poll(service, issued.deviceCode) } == .authorizationPending)
        let typed = " \(issued.userCode.lowercased().prefix(4)) - \(issued.userCode.suffix(8)) "
        try await decide(service, true, typed, bob)
        #expect(try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob) == nil)
        #expect(await refusal { try await poll(service, issued.deviceCode, client: "unknown") } == .unknownApp)
        await expectInvalid("another client") { try await poll(service, issued.deviceCode, client: Self.app.id) }
        let session = try await poll(service, issued.deviceCode)
        let caller = try await service.caller(session)
        #expect(caller.user == bob.user && caller.device.value.name == "Server")
        #expect(caller.device.value.id == TestService.device(7).id)
        await expectInvalid("used twice") { try await poll(service, issued.deviceCode) }
    }

    @Test("the first of two decisions about a code counts; the second returns not found", arguments: [true, false])
    func twoDecisions(_ isAllowed: Bool) async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let issued = try issue(service)
        let waiting = try #require(
            try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob))
        let again = try #require(
            try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob))
        try await service.services.deviceAuthorization.decide(isAllowed, on: waiting, caller: bob)
        await #expect(throws: ServiceError.notFound) {
            try await service.services.deviceAuthorization.decide(!isAllowed, on: again, caller: bob)
        }
        if isAllowed {
            _ = try await poll(service, issued.deviceCode)
        } else {
            #expect(await refusal { try await poll(service, issued.deviceCode) } == .deviceDenied)
        }
    }

    @Test("requesting a code and polling write nothing, and polling too early reads nothing")
    func writesNothing() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        _ = service.store.drainRequests()
        let issued = try issue(service)
        #expect(service.store.drainRequests().isEmpty)
        for _ in 0..<3 { _ = await refusal { try await poll(service, issued.deviceCode) } }
        #expect(service.store.drainRequests().map(\.kind) == [.read, .read, .read])
        #expect(
            await refusal {
                try await service.services.deviceAuthorization.exchangeDeviceCode(
                    issued.deviceCode, client: "photolala", nil
                ).session
            }
                == .slowDown)
        #expect(service.store.drainRequests().isEmpty)
        let waiting = try #require(
            try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob))
        #expect(service.store.drainRequests().map(\.kind) == [.read])
        try await service.services.deviceAuthorization.decide(true, on: waiting, caller: bob)
        #expect(service.store.drainRequests().map(\.kind) == [.write])
    }

    @Test("a denied, expired or invented device code opens no session")
    func refusals() async throws {
        let service = try await service()
        let walk = BrowserSignInFlow(service)
        let (cookie, bob) = try await walk.open(.apple, .signup, as: "bob")
        let denied = try issue(service)
        try await decide(service, false, denied.userCode, bob)
        #expect(await refusal { try await poll(service, denied.deviceCode) } == .deviceDenied)
        let orphan = try issue(service)
        try await decide(service, true, orphan.userCode, bob)
        let other = try await TestService.make(
            {
                var options = TestService.Options()
                options.hasNewMasterKey = true
                options.hasRetiredMasterKey = true
                return options
            }())
        let foreign = try other.services.deviceAuthorization.createDeviceCode { Self.validRequest[$0] }
        for made in [
            "", "x", "..", "test.", "\(orphan.deviceCode)A", String(orphan.deviceCode.dropLast()), foreign.deviceCode,
            String(repeating: "A", count: 5000),
        ] {
            await expectInvalid("made up") { try await poll(service, made) }
        }
        try await service.services.sessions.signOut(browserCookie: cookie)
        await expectInvalid("the approving session was over") { try await poll(service, orphan.deviceCode) }
        let again = try await walk.open(.apple, .signin, as: "bob").caller
        let late = try issue(service)
        service.clock.advance(by: 601)
        await expectInvalid("too late") { try await poll(service, late.deviceCode) }
        service.clock.advance(by: 299)
        #expect(try await service.services.deviceAuthorization.pendingDevice(late.userCode, caller: again) == nil)
        #expect(throws: ServiceError.unknownApp) { try issue(service, ["client_id": "unknown"]) }
    }

    @Test("a user code yields its own app and platform, and an invalid code yields nothing")
    func subjects() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        for (client, platform, expected) in [
            ("photolala", "macOS", DevicePlatform.macos), (Self.app.id, "tvOS", .tvos), (Self.app.id, "toaster", nil),
        ] as [(String, String, DevicePlatform?)] {
            for _ in 0..<20 {
                let issued = try issue(service, ["client_id": client, "device_platform": platform])
                let waiting = try #require(
                    try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob))
                #expect(waiting.app.id == client && waiting.platform == expected)
            }
        }
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let issued = try issue(service)
        var taken = 0
        for position in 0..<12 {
            var typo = Array(issued.userCode)
            let index = try #require(letters.firstIndex(of: typo[position]))
            typo[position] = letters[(index + 1) % letters.count]
            if try await service.services.deviceAuthorization.pendingDevice(String(typo), caller: bob) != nil {
                taken += 1
            }
        }
        // Of 8,000 mistyped codes, about one is accepted for each of 22 subjects and 3 periods.
        #expect(taken <= 1)
        for none in ["", "AAAA-AAAA-AAAA", "BCDF-GHJK", String(repeating: "B", count: 100), "BCDFGHJKLMNPQ"] {
            #expect(try await service.services.deviceAuthorization.pendingDevice(none, caller: bob) == nil)
        }
    }

    @Test("an approval shown for another app or platform opens no session")
    func otherSubject() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let issued = try issue(service)
        try await decide(service, true, issued.userCode, bob)
        let page = try await service.store.list(prefix: StorageLayout.deviceCodes, after: nil, limit: 2)
        let key = try #require(page.objects.first).key
        let stored = String(buffer: try #require(try await service.store.get(key)).bytes)
        for changed in [
            stored.replacing(#""client":"photolala""#, with: #""client":"org.example.app""#),
            stored.replacing(#""platform":"linux""#, with: #""platform":"macos""#),
        ] {
            #expect(changed != stored)
            _ = try await service.store.put(key, ByteBuffer(string: changed), if: .always)
            await expectInvalid("another subject") { try await poll(service, issued.deviceCode) }
        }
        _ = try await service.store.put(key, ByteBuffer(string: stored), if: .always)
        _ = try await poll(service, issued.deviceCode)
    }

    @Test("a device that names the approving browser as its own device gets no session")
    func ownDevice() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let issued = try issue(service, ["device_id": bob.device.value.id.description])
        try await decide(service, true, issued.userCode, bob)
        await expectInvalid("the browser's own") { try await poll(service, issued.deviceCode) }
        _ = try await service.services.devices.list(of: bob)
    }

    @Test("one of two racing people decides, and one of two racing devices gets the session")
    func races() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let eve = try await BrowserSignInFlow(service).open(.apple, .signup, as: "eve").caller
        let issued = try issue(service)
        let (first, second) = (
            try #require(try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob)),
            try #require(try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: eve))
        )
        try await service.services.deviceAuthorization.decide(true, on: first, caller: bob)
        await #expect(throws: ServiceError.notFound) {
            try await service.services.deviceAuthorization.decide(true, on: second, caller: eve)
        }
        // Two instances with separate polling state.
        let other = try await self.service(service.clock, store: service.store, seed: 2)
        async let one = refusal { try await poll(service, issued.deviceCode) }
        async let two = refusal { try await poll(other, issued.deviceCode) }
        let outcomes = await [one, two]
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(try await service.services.devices.list(of: bob).devices.count == 2)
    }

    @Test("a code is valid for ten minutes, even with a newer master key, and its decision is then cleared")
    func lifetime() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        var options = TestService.Options()
        options.apps = [Self.app]
        options.hasNewMasterKey = true
        options.seed = 2
        let newer = try await TestService.make(options, store: service.store, clock: service.clock)
        for _ in 0..<4 {
            let issued = try issue(service)
            for _ in 0..<2 {
                service.clock.advance(by: 290)
                #expect(try await newer.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob) != nil)
            }
            let waiting = try #require(
                try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: bob))
            try await service.services.deviceAuthorization.decide(false, on: waiting, caller: bob)
            #expect(await refusal { try await poll(newer, issued.deviceCode) } == .deviceDenied)
        }
        func kept() async throws -> Int {
            try await service.store.list(prefix: StorageLayout.deviceCodes, after: nil, limit: 10).objects.count
        }
        #expect(try await kept() == 4)
        service.clock.advance(by: 1800)
        try await service.services.housekeeping.removeExpiredDeviceCodes()
        #expect(try await kept() == 0)
    }

    @Test("expired decisions are cleared in one call, however many there are")
    func clearingMany() async throws {
        let service = try await TestService.make()
        for number in 1000..<1600 {
            let key = StorageLayout.deviceCode(window: 1, code: String(number))
            _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: "{}"), if: .absent)
        }
        try await service.services.housekeeping.removeExpiredDeviceCodes()
        #expect(try await service.store.list(prefix: StorageLayout.deviceCodes, after: nil, limit: 1).objects.isEmpty)
    }
}
