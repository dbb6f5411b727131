import Foundation
import HTTPTypes
import ObjectStorage
import PhotolalaTesting
import Testing

/// Two concurrent decisions about one device code.
@Suite struct DeviceDecisionTests {
    @Test("the second of two concurrent decisions about a device code returns 404")
    func second() async throws {
        let clock = TestClock()
        let store = InterruptedObjectStore(MemoryObjectStore { clock.now })
        let service = try await TestService.make(store: store, clock: clock)
        try await service.exchange { http in
            let app = AppExchange(http: http)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let codes = try app.members(try await app.post("/device_authorization", ["client_id": "photolala"]))
            let code = try #require(codes["user_code"] as? String)
            let page = String(buffer: try await bob.send(.get, "/device").body)
            let token = try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
            let other = try await service.caller(try await service.signIn(.google, "dev-bob", device: 2).session)
            // After the account, the device and the decision have been read.
            store.interrupt(before: 3) {
                guard let waiting = try? await service.services.deviceAuthorization.pendingDevice(code, caller: other)
                else { return }
                try? await service.services.deviceAuthorization.decide(false, on: waiting, caller: other)
            }
            let answer = try await bob.send(
                .post, "/device", json: "form_token=\(token)&user_code=\(code)&allow=1",
                headers: [.contentType: AppExchange.form])
            #expect(!store.isWaiting)
            #expect(answer.status == .notFound)
            #expect(String(buffer: answer.body).contains("role=\"alert\""))
        }
    }
}
