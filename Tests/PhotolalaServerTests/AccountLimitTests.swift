import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The calls that an owner can make after other sessions have used up the account's limit.
@Suite struct AccountLimitTests {
    /// Uses up the account's limit in another session.
    private func useUp(_ service: TestService, _ stolen: Session) async {
        while (try? await service.caller(stolen)) != nil {}
    }

    @Test("with the account limit used up, calls that protect the account succeed and others return 429")
    func calls() async throws {
        let service = try await TestService.withFewCalls()
        try await service.exchange { http in
            let own = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1).session
            let user = try await service.caller(own).user
            let stolen = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2).session
            await useUp(service, stolen)
            let other = "0a000000-0000-4000-8000-000000000001"
            let unlink = #"{"linkID":"\#(other)"}"#
            let proof = #"{"provider":"apple","idToken":"a.b.c"}"#
            let challenge = #"{"purpose":"reauthenticate","deviceID":"\#(own.deviceID)"}"#
            for (method, path, body, status) in [
                (.get, "/auth/linked-accounts", nil, 200), (.get, "/auth/devices", nil, 200),
                (.post, "/auth/challenge", challenge, 200), (.post, "/auth/reauthenticate", proof, 401),
                (.post, "/auth/unlink-account", unlink, 404), (.delete, "/auth/unlink-account/\(other)", nil, 404),
                (.delete, "/auth/devices/\(other)", nil, 404), (.post, "/auth/credentials", nil, 429),
                (.get, "/users/\(user)", nil, 200), (.get, "/users/\(user)/usage", nil, 429),
                (.post, "/auth/link-account", proof, 429),
                (.delete, "/auth/devices/\(stolen.deviceID)", nil, 204), (.post, "/auth/signout-everywhere", nil, 204),
            ] as [(HTTPRequest.Method, String, String?, Int)] {
                let response = try await http.send(method, path, json: body, token: own.accessToken)
                #expect(response.status.code == status, "\(method) \(path)")
            }
        }
    }

    @Test("with the account limit used up, account pages and sign-out work and the library returns 429")
    func pages() async throws {
        let service = try await TestService.withFewCalls()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let stolen = try await service.signIn(.google, "dev-bob", device: 2).session
            let token = try await bob.formToken()
            await useUp(service, stolen)
            #expect(try await bob.send(.get, "/library").status == .tooManyRequests)
            for path in ["/account", "/account/links", "/account/devices", "/account/confirm"] {
                #expect(try await bob.send(.get, path).status == .ok, "\(path)")
            }
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let removed = try await bob.send(
                .post, "/account/devices/remove", json: "form_token=\(token)&device=\(stolen.deviceID)&confirmed=1",
                headers: form)
            #expect(removed.status == .seeOther)
            await #expect(throws: ServiceError.sessionEnded) {
                _ = try await service.services.authenticator.authenticate(stolen.accessToken, for: .protection)
            }
            let signedOut = try await bob.send(
                .post, "/account/sign-out", json: "form_token=\(token)", headers: form)
            #expect(signedOut.status == .seeOther)
        }
    }
}
