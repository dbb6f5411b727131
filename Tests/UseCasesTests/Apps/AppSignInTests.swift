import Crypto
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Sign-in for apps: valid authorization requests and the sessions that codes open.
@Suite struct AppSignInTests {
    private static let verifier = String(repeating: "v", count: 43)
    private static let app = AppClient(
        id: "org.example.app", name: "Example",
        redirectURIs: ["org.example.app:/signed-in", "https://app.example/back?x=1"])

    private func parameters(_ changes: [String: String?] = [:]) -> [String: String] {
        let base: [String: String?] = [
            "response_type": "code", "client_id": "photolala", "redirect_uri": "http://127.0.0.1:4711/callback",
            "state": "s", "code_challenge": Base64URL.encode(Data(SHA256.hash(data: Data(Self.verifier.utf8)))),
            "code_challenge_method": "S256", "device_id": TestService.device(7).id.description, "device_name": "Laptop",
            "device_platform": "linux",
        ]
        return base.merging(changes) { $1 }.compactMapValues { $0 }
    }

    private func service() async throws -> TestService {
        var options = TestService.Options()
        options.apps = [Self.app]
        return try await TestService.make(options)
    }

    private func code(_ service: TestService, _ caller: Caller, _ changes: [String: String?] = [:]) throws -> String {
        let asked = parameters(changes)
        return try service.services.appAuthorization.approve(
            try service.services.appRequests.parse { asked[$0] }, caller: caller)
    }

    private func exchange(
        _ service: TestService, _ code: String, client: String = "photolala",
        at uri: String = "http://127.0.0.1:4711/callback", verifier: String = verifier
    ) async throws -> Session {
        try await service.services.appAuthorization.exchangeAppCode(
            code, client: client, redirectURI: uri, verifier: verifier, nil
        ).session
    }

    @Test("an authorization code opens a session on the app's device without recent authentication")
    func opens() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        service.clock.advance(by: 500)
        let approved = try code(service, bob)
        _ = service.store.drainRequests()
        let session = try await exchange(service, approved)
        let kinds = service.store.drainRequests().map(\.kind)
        #expect(kinds.count { $0 == .read } == 3 && kinds.count { $0 == .write } == 2)
        let app = try await service.caller(session)
        #expect(app.user == bob.user && app.device.value.name == "Laptop" && app.device.value.platform == "linux")
        #expect(app.session.id != bob.session.id && session.deviceID == TestService.device(7).id)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.services.sessions.signOutEverywhere(try await service.caller(session))
        }
        service.clock.advance(by: 101)
        // A stolen session must not authorize further apps.
        #expect(throws: ServiceError.reauthenticationRequired) { try code(service, bob) }
        #expect(
            try await service.services.sessions.refreshApp(session.refreshToken, client: "photolala", nil).user
                == bob.user)
        await #expect(throws: ServiceError.unknownApp) {
            try await service.services.sessions.refreshApp(session.refreshToken, client: "unknown", nil)
        }
    }

    @Test(
        "an approved app cannot link, unlink or approve, even after a refresh, until the person reauthenticates"
    )
    func takeover() async throws {
        let service = try await service()
        let walk = BrowserSignInFlow(service)
        let bob = try await walk.open(.apple, .signup, as: "bob").caller
        var eve = try await exchange(service, try code(service, bob))
        for _ in 0..<2 {
            let caller = try await service.caller(eve)
            let link = try #require(caller.account.value.links.first).id
            await #expect(throws: ServiceError.reauthenticationRequired) {
                try await service.link(.google, "eve", in: eve)
            }
            await #expect(throws: ServiceError.reauthenticationRequired) {
                try await service.services.linking.unlink(UnlinkRequest(linkID: link), caller: caller)
            }
            await #expect(throws: ServiceError.reauthenticationRequired) {
                try await service.services.devices.removeDevice(bob.device.value.id, caller: caller)
            }
            #expect(throws: ServiceError.reauthenticationRequired) { try code(service, caller) }
            eve = try await service.services.sessions.refreshApp(eve.refreshToken, client: "photolala", nil).session
        }
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("identity is not linked to this account"))) {
            try await service.reauthenticate(.google, "eve", in: eve)
        }
        let proven = try await service.reauthenticate(.apple, "dev-bob", in: eve)
        _ = try await service.link(.google, "bob", in: proven)
    }

    @Test("a refresh token is accepted only from the app it was issued to, while that app is registered")
    func clientBinding() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        func server(_ apps: [AppClient]) async throws -> TestService {
            var options = TestService.Options()
            options.apps = apps
            return try await TestService.make(options, store: store, clock: clock)
        }
        let service = try await server([Self.app])
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let asked: [String: String?] = ["client_id": Self.app.id, "redirect_uri": "org.example.app:/signed-in"]
        let session = try await exchange(
            service, try code(service, bob, asked), client: Self.app.id, at: "org.example.app:/signed-in")
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.sessions.refreshApp(session.refreshToken, client: "photolala", nil)
        }
        let native = try await service.signIn(.apple, "dev-bob", device: 3).session
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.sessions.refreshApp(native.refreshToken, client: Self.app.id, nil)
        }
        let next = try await service.services.sessions.refreshApp(session.refreshToken, client: Self.app.id, nil)
            .session
        let without = try await server([])
        await #expect(throws: ServiceError.sessionEnded) { try await without.caller(next) }
        await #expect(throws: ServiceError.sessionEnded) {
            try await without.services.sessions.refresh(RefreshRequest(refreshToken: next.refreshToken))
        }
        await #expect(throws: ServiceError.unknownApp) {
            try await without.services.sessions.refreshApp(next.refreshToken, client: Self.app.id, nil)
        }
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: next.refreshToken))
    }

    @Test("a replayed authorization code ends only the session that it opened")
    func codeReplay() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let approved = try code(service, bob)
        let session = try await exchange(service, approved)
        _ = try await service.caller(session)
        await #expect(throws: ServiceError.invalidCode("already used")) { try await exchange(service, approved) }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(session) }
        let again = try await exchange(service, try code(service, bob))
        await #expect(throws: ServiceError.invalidCode("already used")) { try await exchange(service, approved) }
        _ = try await service.caller(again)
    }

    @Test("an app revokes its own access and refresh tokens but not another app's")
    func revocation() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        func revoke(_ token: String, _ client: String = "photolala") async throws {
            try await service.services.sessions.revoke(token: token, client: client, nil)
        }
        for token in [\Session.refreshToken, \.accessToken] {
            let session = try await exchange(service, try code(service, bob))
            await #expect(throws: ServiceError.invalidCode("issued to another client")) {
                try await revoke(session[keyPath: token], Self.app.id)
            }
            await #expect(throws: ServiceError.unknownApp) { try await revoke(session[keyPath: token], "unknown") }
            _ = try await service.caller(session)
            try await revoke(session[keyPath: token])
            await #expect(throws: ServiceError.sessionEnded) { try await service.caller(session) }
            try await revoke(session[keyPath: token])
        }
        try await revoke("")
        try await revoke("no token of ours")
    }

    @Test("a code is valid once, for one minute, for its app, URI and verifier, while the approving session is active")
    func refusals() async throws {
        let service = try await service()
        let walk = BrowserSignInFlow(service)
        let (cookie, bob) = try await walk.open(.apple, .signup, as: "bob")
        let good = try code(service, bob)
        func isRefused(_ act: () async throws -> Session) async -> Bool {
            do { _ = try await act() } catch ServiceError.invalidCode { return true } catch { return false }
            return false
        }
        #expect(await isRefused { try await exchange(service, good, client: "org.example.app") })
        await #expect(throws: ServiceError.unknownApp) { try await exchange(service, good, client: "unknown") }
        #expect(await isRefused { try await exchange(service, good, at: "http://127.0.0.1:4712/callback") })
        #expect(await isRefused { try await exchange(service, good, verifier: String(repeating: "w", count: 43)) })
        #expect(await isRefused { try await exchange(service, good, verifier: "") })
        #expect(await isRefused { try await exchange(service, good + "A") })
        _ = try await exchange(service, good)
        #expect(await isRefused { try await exchange(service, good) })
        let late = try code(service, bob)
        service.clock.advance(by: 61)
        #expect(await isRefused { try await exchange(service, late) })
        let own = bob.device.value.id.description
        #expect(throws: ServiceError.invalidRequest("device_id must differ from the approving browser's.")) {
            try code(service, bob, ["device_id": own])
        }
        let orphan = try code(service, bob)
        try await service.services.sessions.signOut(browserCookie: cookie)
        #expect(await isRefused { try await exchange(service, orphan) })
    }

    @Test(
        "redirect URIs match byte for byte, except that loopback addresses allow any port",
        arguments: [
            ("photolala", "http://127.0.0.1:1/callback", true), ("photolala", "http://[::1]:65535/callback", true),
            ("photolala", "http://127.0.0.1/callback", true), ("photolala", "http://127.0.0.1:0/callback", false),
            ("photolala", "http://127.0.0.1:70000/callback", false),
            ("photolala", "http://localhost:1/callback", false),
            ("photolala", "http://127.0.0.1:1/callback/", false), ("photolala", "http://127.0.0.1:1/Callback", false),
            ("photolala", "http://127.0.0.1:1@evil.example/callback", false),
            ("photolala", "http://127.0.0.1.evil.example/callback", false),
            ("photolala", "https://127.0.0.1/callback", false),
            ("photolala", "http://127.0.0.1:+1/callback", false), ("photolala", "http://127.0.0.1:1/callback?x", false),
            ("org.example.app", "org.example.app:/signed-in", true),
            ("org.example.app", "org.example.app:/signed-in/", false),
            ("org.example.app", "https://app.example/back?x=1", true),
            ("org.example.app", "https://app.example/back", false),
            ("org.example.app", "https://app.example:444/back?x=1", false),
        ])
    func addresses(_ client: String, _ uri: String, _ isGood: Bool) async throws {
        let service = try await service()
        let asked = parameters(["client_id": client, "redirect_uri": uri])
        let outcome = Result { () throws(AppAuthorizationRequestError) in
            try service.services.appRequests.parse { asked[$0] }
        }
        switch outcome {
        case .success(let request): #expect(isGood && request.redirectURI == uri)
        case .failure(let error):
            #expect(!isGood && error == .invalidClient("redirect_uri is not registered for this app."))
        }
    }

    @Test("an app without a device id is one device per browser")
    func withoutDevice() async throws {
        let service = try await service()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let none: [String: String?] = ["device_id": nil, "device_name": nil]
        let (first, second) = (
            try await exchange(service, try code(service, bob, none)),
            try await exchange(service, try code(service, bob, none))
        )
        #expect(first.deviceID == second.deviceID && first.deviceID != bob.device.value.id)
        let other = try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob").caller
        #expect(try await exchange(service, try code(service, other, none)).deviceID != first.deviceID)
    }

    @Test("an unavailable store does not spend the authorization code")
    func storeAway() async throws {
        let clock = TestClock()
        let faulty = FaultyObjectStore(MemoryObjectStore { clock.now })
        let service = try await TestService.make(store: faulty, clock: clock)
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let approved = try code(service, bob)
        for call in 0..<2 {
            faulty.arm(.unavailable, at: call)
            do {
                _ = try await exchange(service, approved)
                Issue.record("a session was opened while the store was unavailable")
            } catch ServiceError.unavailable {}
        }
        _ = try await exchange(service, approved)
    }

    @Test("invalid authorization requests return an error once the client and redirect URI are known")
    func wrongRequests() async throws {
        let service = try await service()
        func refusal(_ changes: [String: String?]) -> String? {
            let asked = parameters(changes)
            do throws(AppAuthorizationRequestError) {
                _ = try service.services.appRequests.parse { asked[$0] }
                return nil
            } catch {
                guard case .refused(_, let state, let code, _) = error else { return "unanswerable" }
                return state == nil ? "\(code) without state" : code
            }
        }
        #expect(refusal([:]) == nil && refusal(["device_id": nil, "device_name": nil, "device_platform": nil]) == nil)
        #expect(refusal(["client_id": nil]) == "unanswerable" && refusal(["client_id": "PHOTOLALA"]) == "unanswerable")
        #expect(refusal(["response_type": "token"]) == "unsupported_response_type")
        for changes: [String: String?] in [
            ["code_challenge": nil], ["code_challenge_method": "plain"], ["code_challenge_method": nil],
            ["code_challenge": "short"], ["response_mode": "fragment"], ["device_id": "none"],
            ["device_name": String(repeating: "n", count: 101)], ["device_name": "a\u{7}b"], ["device_platform": ""],
        ] {
            #expect(refusal(changes) == "invalid_request", "\(changes)")
        }
        #expect(refusal(["state": String(repeating: "s", count: 1025)]) == "invalid_request without state")
    }

    @Test("invalid app settings are reported")
    func problems() {
        #expect(Self.app.problems.isEmpty && AppClient.commandLine.problems.isEmpty)
        for uri in [
            "http://app.example/", "https://", "javascript:alert(1)", "app:/x", "https://a.example/#f", "",
            "no address",
            "http://localhost/", "HTTPS://a.example/", "org.Example:/", "https://u:p@a.example/", "https:///x",
            "https://a.example;x/", "https://a,b/", ".org.example:/", "https://?x",
        ] {
            #expect(AppClient(id: "a", name: "A", redirectURIs: [uri]).problems.count == 1, "\(uri)")
        }
        #expect(AppClient(id: "a b", name: "", redirectURIs: []).problems.count == 3)
    }
}
