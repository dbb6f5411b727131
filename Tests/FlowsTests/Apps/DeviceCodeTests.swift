import Flows
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing

/// A device without a browser: waits with a code, and is let in by somebody who is signed in.
@Suite struct DeviceCodeTests {
    private let asked = [
        "client_id": "photolala", "device_id": TestService.device(7).id.description, "device_name": "Server",
        "device_platform": "linux",
    ]

    private func issue(_ service: TestService) async throws -> IssuedDeviceCode {
        try await service.services.issueDeviceCode { asked[$0] }
    }

    private func ask(_ service: TestService, _ code: String, client: String = "photolala") async throws -> Session {
        try await service.services.exchangeDeviceCode(code, client: client, nil).session
    }

    private func refusal(_ act: () async throws -> Session) async -> FlowError? {
        do { _ = try await act() } catch { return error as? FlowError }
        return nil
    }

    private func decide(_ service: TestService, _ isAllowed: Bool, _ code: String, _ caller: Caller) async throws {
        let waiting = try #require(try await service.services.waitingDevice(code, caller: caller))
        #expect(waiting.app == .commandLine && waiting.device.name == "Server")
        try await service.services.decide(isAllowed, on: waiting, caller: caller)
    }

    @Test("It waits, is let in by the code that its person types, and gets a session once")
    func letIn() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        let issued = try await issue(service)
        #expect(issued.userCode.count == 8 && issued.userCode.allSatisfy("BCDFGHJKLMNPQRSTVWXZ".contains))
        #expect(await refusal { try await ask(service, issued.deviceCode) } == .authorizationPending)
        let typed = " \(issued.userCode.lowercased().prefix(4)) - \(issued.userCode.suffix(4)) "
        try await decide(service, true, typed, bob)
        #expect(try await service.services.waitingDevice(issued.userCode, caller: bob) == nil)
        #expect(await refusal { try await ask(service, issued.deviceCode, client: "other") } != nil)
        let session = try await ask(service, issued.deviceCode)
        let caller = try await service.caller(session)
        #expect(caller.user == bob.user && caller.device.value.name == "Server")
        #expect(caller.device.value.id == TestService.device(7).id)
        guard case .invalidCode = await refusal({ try await ask(service, issued.deviceCode) }) else {
            Issue.record("a code was used twice")
            return
        }
    }

    @Test("Who is not let in, comes too late, or makes a code up gets nothing")
    func refusals() async throws {
        let service = try await TestService.make()
        let walk = BrowserWalk(service)
        let (cookie, bob) = try await walk.open(.apple, .signup, as: "bob")
        let denied = try await issue(service)
        try await decide(service, false, denied.userCode, bob)
        #expect(await refusal { try await ask(service, denied.deviceCode) } == .deviceDenied)
        let orphan = try await issue(service)
        try await decide(service, true, orphan.userCode, bob)
        let parts = orphan.deviceCode.split(separator: ".")
        for made in [
            "", "x", "..", "1.AAAA.x", "-1.\(parts[1]).\(parts[2])", "99999999999999999999.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 43))", "\(parts[0]).../\(parts[1]).\(parts[2])",
        ] {
            guard case .invalidCode = await refusal({ try await ask(service, made) }) else {
                Issue.record("\(made) was taken")
                return
            }
        }
        try await service.services.signOut(browserCookie: cookie)
        guard case .invalidCode = await refusal({ try await ask(service, orphan.deviceCode) }) else {
            Issue.record("the approving session was over")
            return
        }
        let again = try await walk.open(.apple, .signin, as: "bob").caller
        let late = try await issue(service)
        service.clock.advance(by: 601)
        #expect(try await service.services.waitingDevice(late.userCode, caller: again) == nil)
        guard case .invalidCode = await refusal({ try await ask(service, late.deviceCode) }) else {
            Issue.record("a code outlived its ten minutes")
            return
        }
        await #expect(throws: FlowError.unknownApp) {
            try await service.services.issueDeviceCode { $0 == "client_id" ? "nobody" : nil }
        }
    }

    @Test("Of two who decide one decides, and of two who ask with one code one gets in")
    func races() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        let eve = try await BrowserWalk(service).open(.apple, .signup, as: "eve").caller
        let issued = try await issue(service)
        let (first, second) = (
            try #require(try await service.services.waitingDevice(issued.userCode, caller: bob)),
            try #require(try await service.services.waitingDevice(issued.userCode, caller: eve))
        )
        try await service.services.decide(true, on: first, caller: bob)
        await #expect(throws: FlowError.self) { try await service.services.decide(true, on: second, caller: eve) }
        async let one = refusal { try await ask(service, issued.deviceCode) }
        async let other = refusal { try await ask(service, issued.deviceCode) }
        let outcomes = await [one, other]
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(try await service.services.devices(bob).devices.count == 2)
    }

    @Test("A code is found in the ten minutes after its own, and cleared away when it is over")
    func clearing() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        for _ in 0..<3 {
            let issued = try await issue(service)
            service.clock.advance(by: 299)
            #expect(try await service.services.waitingDevice(issued.userCode, caller: bob) != nil)
            service.clock.advance(by: 299)
            #expect(try await service.services.waitingDevice(issued.userCode, caller: bob) != nil)
        }
        func kept() async throws -> Int {
            try await service.store.list(prefix: StorageLayout.deviceCodes, after: nil, limit: 10).objects.count
        }
        #expect(try await kept() == 3)
        service.clock.advance(by: 1800)
        try await service.services.clearDeviceCodes()
        #expect(try await kept() == 0)
    }

    @Test("Codes that are over are cleared away at once, however many there are")
    func clearingMany() async throws {
        let service = try await TestService.make()
        for number in 1000..<1600 {
            let key = StorageLayout.deviceCode(window: 1, code: String(number))
            _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: "{}"), if: .absent)
        }
        try await service.services.clearDeviceCodes()
        #expect(try await service.store.list(prefix: StorageLayout.deviceCodes, after: nil, limit: 1).objects.isEmpty)
    }
}
