import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaServer
import PhotolalaTesting
import Testing
import Transport

/// The countries of sign-ins.
@Suite struct CountryTests {
    private static let german = "81.2.69.142"
    private static let japanese = "2001:200::7"

    /// Runs a test against a server behind a proxy that knows two addresses.
    private func exchange(
        _ service: TestService, _ test: @Sendable (HTTPExchange) async throws -> Void
    ) async throws {
        let settings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL,
            trustedProxies: ["127.0.0.0/8", "::1"].compactMap(AddressRange.init),
            country: { address in
                switch address {
                case IPAddress(Self.german): CountryCode("DE")
                case IPAddress(Self.japanese): CountryCode("JP")
                default: nil
                }
            })
        try await service.server(settings).test(.live) {
            try await test(HTTPExchange(client: ContractCheckingClient(client: $0)))
        }
    }

    private func signIn(
        _ service: TestService, _ http: HTTPExchange, _ purpose: ChallengePurpose, device: Int, from address: String
    ) async throws -> SignedIn {
        let proof = try service.idTokenRequest(.apple, "bob", purpose, device: TestService.device(device).id)
        let body = SignInRequest(
            provider: .apple, idToken: proof.idToken, challenge: proof.challenge, device: TestService.device(device))
        service.clock.advance(by: 60)
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let response = try await http.send(
            .post, purpose == .signup ? "/auth/signup" : "/auth/signin",
            json: String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self), headers: [forwarded: address])
        return try http.answer(response)
    }

    @Test("devices and history have the country of each sign-in, and no object has the address")
    func signIns() async throws {
        let service = try await TestService.make()
        try await exchange(service) { http in
            let bob = try await signIn(service, http, .signup, device: 1, from: Self.german)
            _ = try await signIn(service, http, .signin, device: 2, from: Self.japanese)
            _ = try await signIn(service, http, .signin, device: 3, from: "192.0.2.1")
            let token = bob.session.accessToken
            func countries() async throws -> [String: String?] {
                let list: Devices = try http.answer(try await http.send(.get, "/auth/devices", token: token))
                return Dictionary(uniqueKeysWithValues: list.devices.map { ($0.name, $0.country?.description) })
            }
            let (first, second) = (TestService.device(1).name, TestService.device(2).name)
            let third = TestService.device(3).name
            #expect(try await countries() == [first: "DE", second: "JP", third: nil])
            // Only the last sign-in of a device counts.
            _ = try await signIn(service, http, .signin, device: 2, from: "192.0.2.1")
            #expect(try await countries() == [first: "DE", second: nil, third: nil])
            let user = bob.user.serviceUserID
            let history: AuditPage = try http.answer(
                try await http.send(.get, "/users/\(user)/audit?limit=20", token: token))
            let signIns = history.entries.filter { [.signedIn, .accountCreated].contains($0.act) }
            #expect(signIns.map { $0.country?.description } == [nil, nil, "JP", "DE"])
            for object in try await service.store.list(prefix: "", after: nil, limit: 1000).objects {
                let text =
                    try await service.store.get(object.key, limit: 1 << 20).map { String(buffer: $0.bytes) } ?? ""
                #expect(!text.contains(Self.german) && !text.contains(Self.japanese), "\(object.key)")
            }
        }
    }
}
