import Crypto
import Foundation
import NIOCore
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaTesting
import Testing
import UseCases

/// The whole API over events of a function URL.
@Suite struct HTTPServiceTests {
    private func signInRequest(_ service: TestService, code: String? = nil, device: Int = 1) throws -> SignInRequest {
        SignInRequest(
            provider: .apple, idToken: try service.token(.apple, "bob"), authorizationCode: code,
            device: TestService.device(device))
    }

    @Test func `sign-up, sign-in and a signed-in call work, and an unknown path is a problem document`() async throws {
        let service = try await TestService.make()
        let client = try FunctionClient(service)
        let created = try await client.post(
            "/auth/signup",
            SignUpRequest(
                provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1)))
        #expect(created.statusCode == 201)
        let signedIn = try await client.post("/auth/signin", try signInRequest(service, device: 2))
        let session = try signedIn.decode(SignedIn.self).session
        #expect(signedIn.headers["x-request-id"] == "8476a536e9f411e897392dfe598c3fcd")
        let credentials = try await client.post("/auth/credentials", EmptyBody(), token: session.accessToken)
        #expect(credentials.statusCode == 200)
        let unknown = try await client.send(HTTPEventText(path: "/nothing"))
        #expect(unknown.statusCode == 404)
        let page = try await client.send(HTTPEventText(path: "/sign-in", headers: ["accept": "text/html"]))
        #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
    }

    @Test func `the rate limit counts the address that AWS reports, and X-Forwarded-For changes nothing`() async throws
    {
        var options = TestService.Options()
        options.callRates = CallRates(address: 2, identity: 0, total: 0)
        let service = try await TestService.make(options)
        let client = try FunctionClient(service)
        var event = HTTPEventText(method: "POST", path: "/auth/challenge")
        event.body = #"{"purpose":"signin","deviceID":"00000000-0000-4000-8000-000000000001"}"#
        var statuses: [Int] = []
        for number in 1...3 {
            event.headers["x-forwarded-for"] = "198.51.100.\(number)"
            statuses.append(try await client.send(event).statusCode)
        }
        #expect(statuses == [200, 200, 429])
        event.sourceIP = "203.0.113.8"
        #expect(try await client.send(event).statusCode == 200)
        event.sourceIP = "2001:db8::1"
        #expect(try await client.send(event).statusCode == 200)
    }

    @Test func `a DPoP proof names the public URL, not the function's`() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let client = try FunctionClient(service)
        let key = P256.Signing.PrivateKey()
        for (base, status) in [(TestService.publicURL, 200), ("https://abc.lambda-url.eu-west-1.on.aws", 401)] {
            var event = HTTPEventText(method: "POST", path: "/auth/signin")
            event.body = String(
                decoding: try WireJSON.encoder().encode(try signInRequest(service)), as: UTF8.self)
            let nonce = try service.services.dpopProofs.nonce()
            event.headers["dpop"] = try DPoPProofDraft(key, "POST", "\(base)/auth/signin", nonce: nonce).text()
            #expect(try await client.send(event).statusCode == status)
        }
    }

    @Test func `an authorization code is stored before the answer, and another environment exchanges it`() async throws
    {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let code = try service.apple.issueToken(.init(subject: "bob")).authorizationCode
        let answer = try await FunctionClient(service).post(
            "/auth/signin", try signInRequest(service, code: code, device: 2))
        #expect(answer.statusCode == 200)
        #expect(!service.network.requests.contains { $0.hasSuffix("oauth/token") })
        // This environment is frozen from here on. Another one, whose lease on the call is over, makes it.
        service.clock.advance(by: 61)
        let jobs = try await TestService.make(store: service.store, clock: service.clock)
        try await jobs.services.providerCalls.makeProviderCalls()
        #expect(jobs.network.requests.contains { $0.hasSuffix("oauth/token") })
    }

    @Test func `an event is stored before the answer, and another environment sends it`() async throws {
        var options = TestService.Options()
        options.eventReceiver = RecordingEventReceiver()
        let service = try await TestService.make(options)
        let answer = try await FunctionClient(service).post(
            "/auth/signup",
            SignUpRequest(
                provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1)))
        #expect(answer.statusCode == 201)
        service.clock.advance(by: 61)
        let receiver = RecordingEventReceiver()
        options.eventReceiver = receiver
        let jobs = try await TestService.make(options, store: service.store, clock: service.clock)
        try await jobs.services.eventDelivery.deliverEvents()
        #expect(receiver.events.map(\.type) == [.accountCreated])
    }
}
