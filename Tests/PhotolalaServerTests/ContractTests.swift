import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The HTTP API, status by status.
@Suite struct ContractTests {
    private func signUp(_ service: TestService, device: Int = 1) throws -> SignUpRequest {
        SignUpRequest(
            provider: .apple, idToken: try service.token(.apple, "bob"), fullName: "Bob",
            device: TestService.device(device)
        )
    }

    @Test("Create Account returns 201 with user and session, and 409 for an existing account")
    func createAccount() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let created = try await http.post("/auth/signup", try signUp(service))
            #expect(created.status == .created)
            let signedIn: SignedIn = try http.answer(created)
            #expect(signedIn.user.primaryProvider == .apple)
            #expect(signedIn.isNewUser == nil)
            let again = try await http.post("/auth/signup", try signUp(service))
            #expect(again.status == .conflict)
            #expect(try http.problem(again).code == .accountAlreadyExists)
        }
    }

    @Test("Sign In returns 200 for an account and 404 with a pending identity for an unknown identity")
    func signIn() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let request = SignInRequest(
                provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1)
            )
            let unknown = try await http.post("/auth/signin", request)
            #expect(unknown.status == .notFound)
            let problem = try http.problem(unknown)
            #expect(problem.code == .noAccountFound)
            #expect(problem.hints == [])
            let pending = try #require(problem.pendingIdentity)
            let created = try await http.post(
                "/auth/signup", SignUpRequest(pendingIdentity: pending, device: TestService.device(1))
            )
            #expect(created.status == .created)
            #expect(try await http.post("/auth/signin", request).status == .ok)
        }
    }

    @Test("Continue returns 403 unless enabled, then 201 for a new and 200 for a known person")
    func continueSignIn() async throws {
        let off = try await TestService.make()
        try await off.exchange { http in
            let refused = try await http.post("/auth/continue", try signUp(off))
            #expect(refused.status == .forbidden)
            #expect(try http.problem(refused).code == .notAllowed)
        }
        var options = TestService.Options()
        options.allowsContinue = true
        let on = try await TestService.make(options)
        try await on.exchange { http in
            let created = try await http.post("/auth/continue", try signUp(on))
            #expect(created.status == .created)
            #expect(try http.answer(created, as: SignedIn.self).isNewUser == true)
            let known = try await http.post("/auth/continue", try signUp(on))
            #expect(known.status == .ok)
            #expect(try http.answer(known, as: SignedIn.self).isNewUser == false)
        }
    }

    @Test("a session can refresh, read its account, issue credentials and sign out")
    func sessionCalls() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            let refreshed = try await http.post(
                "/auth/refresh", RefreshRequest(refreshToken: bob.session.refreshToken)
            )
            let session = try http.answer(refreshed, as: SessionResponse.self).session
            let token = session.accessToken
            let links = try await http.send(.get, "/auth/linked-accounts", token: token)
            #expect(try http.answer(links, as: LinkedProviders.self).linkedProviders.count == 1)
            let devices = try await http.send(.get, "/auth/devices", token: token)
            #expect(try http.answer(devices, as: Devices.self).devices.map(\.isCurrent) == [true])
            let credentials = try await http.send(.post, "/auth/credentials", token: token)
            #expect(try http.answer(credentials, as: StorageCredentials.self).prefixes.count == 4)
            let user = try await http.send(.get, "/users/\(bob.user.serviceUserID)", token: token)
            #expect(try http.answer(user, as: User.self).serviceUserID == bob.user.serviceUserID)
            let usage = try await http.send(.get, "/users/\(bob.user.serviceUserID)/usage", token: token)
            #expect(try http.answer(usage, as: Usage.self).access == .readWrite)
            let history = try await http.send(.get, "/users/\(bob.user.serviceUserID)/audit?limit=1", token: token)
            #expect(try http.answer(history, as: AuditPage.self).entries.map(\.act) == [.accountCreated])
            let wrong = try await http.send(.get, "/users/\(bob.user.serviceUserID)/audit?limit=x", token: token)
            #expect(try http.problem(wrong).code == .invalidRequest)
            #expect(try await http.send(.post, "/auth/signout", token: token).status == .noContent)
            let over = try await http.send(.get, "/auth/devices", token: token)
            #expect(over.status == .unauthorized)
            #expect(try http.problem(over).code == .sessionEnded)
        }
    }

    @Test("a profile update with an outdated tag returns 412")
    func profile() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        let path = "/users/\(bob.user.serviceUserID)/profile"
        try await service.exchange { http in
            let read = try await http.send(.get, path, token: bob.session.accessToken)
            let etag = try #require(read.headers[.eTag])
            #expect(try http.answer(read, as: Profile.self).displayName == "Bob")
            let json =
                #"{"displayName":"Robert","preferences":{"autoBackup":true,"uploadQuality":"high","#
                + #""largest":9007199254740991,"smallest":-9007199254740991,"ratio":0.1}}"#
            let written = try await http.send(
                .put, path, json: json, token: bob.session.accessToken, headers: [.ifMatch: etag]
            )
            #expect(written.status == .ok)
            let stale = try await http.send(
                .put, path, json: json, token: bob.session.accessToken, headers: [.ifMatch: etag]
            )
            #expect(stale.status == .preconditionFailed)
            #expect(try http.problem(stale).code == .concurrentModification)
        }
    }

    @Test(
        "another user's account returns 404 for every path",
        arguments: ["", "/profile", "/picture", "/usage", "/audit"])
    func foreignAccount(part: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let eve = try await service.signUp(.apple, "eve", device: 2)
        try await service.exchange { http in
            let response = try await http.send(
                .get, "/users/\(bob.user.serviceUserID)\(part)", token: eve.session.accessToken
            )
            #expect(response.status == .notFound)
            #expect(try http.problem(response).code == .notFound)
        }
    }

    @Test("public keys are cacheable, and the health checks return 200")
    func wellKnown() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let keys = try await http.send(.get, "/.well-known/jwks.json")
            #expect(keys.headers[.cacheControl] == "public, max-age=300")
            #expect(String(buffer: keys.body).contains(#""kty":"EC""#))
            #expect(try await http.send(.get, "/health/live").status == .ok)
            #expect(try await http.send(.get, "/health/ready").status == .ok)
        }
    }

    @Test func `readiness reports that a job is overdue without naming it`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            service.components.jobs.add("signing keys", every: 30)
            let onTime = String(buffer: try await http.send(.get, "/health/ready").body)
            #expect(onTime == #"{"status":"ready","maintenance":"on_time"}"#)
            service.clock.advance(by: 301)
            let overdue = try await http.send(.get, "/health/ready")
            #expect(overdue.status == .ok)
            #expect(String(buffer: overdue.body) == #"{"status":"ready","maintenance":"overdue"}"#)
        }
    }
}
