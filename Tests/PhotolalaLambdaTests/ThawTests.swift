import Foundation
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaTesting
import ServiceWiring
import Testing

/// Environments that were frozen for hours or days, while others went on.
@Suite struct ThawTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func upkeep(_ service: TestService) -> Upkeep {
        let services = service.services
        return Upkeep(
            Maintenance(
                jobs: [
                    .init(name: "signing keys", interval: .seconds(30)) {
                        try await services.housekeeping.maintainSigningKeys()
                    }
                ], monitor: services.jobMonitor, logger: logger), clock: clock(service))
    }

    private func clock(_ service: TestService) -> InvocationLoop.Clock {
        InvocationLoop.Clock(now: { service.clock.now }, sleep: { _ in await Gate().wait() })
    }

    /// Signs in over the loop of an environment.
    private func signIn(_ service: TestService, device: Int, _ upkeep: Upkeep?) async throws -> Session {
        let request = SignInRequest(
            provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(device))
        var event = HTTPEventText(method: "POST", path: "/auth/signin")
        event.body = String(decoding: try WireJSON.encoder().encode(request), as: UTF8.self)
        let api = FakeRuntimeAPI([
            Invocation(
                id: "a", deadline: service.clock.now.addingTimeInterval(30), event: ByteBuffer(string: event.text))
        ])
        let loop = InvocationLoop(
            api: api, handler: try FunctionClient(service).handler,
            surroundings: .init(before: { _ in await upkeep?.run() }, after: { _ in }),
            clock: clock(service), logger: logger)
        await #expect(throws: RuntimeAPIError.self) { try await loop.run() }
        let answer = try WireJSON.decoder().decode(
            HTTPAnswer.self, from: Data(try #require(api.answer(of: "a")).utf8))
        return try answer.decode(SignedIn.self).session
    }

    @Test func `after weeks an environment signs with the current key, not with one that the others have dropped`()
        async throws
    {
        let frozen = try await TestService.make()
        let frozenUpkeep = upkeep(frozen)
        let stale = try await TestService.make(store: frozen.store, clock: frozen.clock)
        var options = TestService.Options()
        // Key ids are random.
        options.seed = 2
        let other = try await TestService.make(options, store: frozen.store, clock: frozen.clock)
        _ = try await frozen.signUp(.apple, "bob")
        // The others create a successor, and drop the old key when its tokens have expired.
        for seconds in [31 * 86_400.0, 3600, 7200] {
            frozen.clock.advance(by: seconds)
            try await other.services.housekeeping.maintainSigningKeys()
        }
        let session = try await signIn(frozen, device: 2, frozenUpkeep)
        _ = try await other.caller(session)
        let refused = try await signIn(stale, device: 3, nil)
        await #expect(throws: (any Error).self) { try await other.caller(refused) }
    }

    @Test func `keys are read again only after their interval`() async throws {
        let service = try await TestService.make()
        let upkeep = upkeep(service)
        _ = service.store.drainRequests()
        await upkeep.run()
        #expect(service.store.drainRequests().isEmpty)
        service.clock.advance(by: 30)
        await upkeep.run()
        #expect(service.store.drainRequests().map(\.key) == [StorageLayout.signingKeys])
        service.clock.advance(by: -3600)
        await upkeep.run()
        #expect(service.store.drainRequests().map(\.key) == [StorageLayout.signingKeys])
    }

    @Test func `the store manifest is read before the first call after a pause`() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        _ = service.store.drainRequests()
        _ = try await signIn(service, device: 2, nil)
        #expect(!service.store.drainRequests().map(\.key).contains(StorageLayout.storeManifest))
        service.clock.advance(by: 3600)
        _ = try await signIn(service, device: 3, nil)
        #expect(service.store.drainRequests().map(\.key).contains(StorageLayout.storeManifest))
    }

    @Test func `a provider's keys are fetched again after a day`() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let before = service.network.requests.count
        _ = try await signIn(service, device: 2, nil)
        #expect(service.network.requests.count == before)
        service.clock.advance(by: 86_400)
        _ = try await signIn(service, device: 3, nil)
        #expect(service.network.requests.count == before + 1)
    }
}
