import Foundation
import PhotolalaAPI
import PhotolalaTesting

extension FuzzedParser {
    /// The bodies of requests and, for the client, of responses.
    static func bodies() async throws -> [FuzzedParser] {
        let service = try await TestService.make()
        let signedIn = try await service.signUp(.apple, "fuzz", name: "Bob", email: "bob@gmail.com")
        let caller = try await service.caller(signedIn.session)
        let device = TestService.device(1)
        let devices = try await service.services.devices.list(of: caller)
        let history = try await service.services.account.history(
            signedIn.user.serviceUserID, before: nil, limit: 50, caller: caller)
        let credentials = try await service.services.storageAccess.issueCredentials(caller)
        return [
            try body(ChallengeRequest(purpose: .link, deviceID: device.id)),
            try body(ReauthenticationRequest(provider: .google, idToken: "a.b.c", challenge: "x")),
            try body(SignInRequest(provider: .apple, idToken: "a.b.c", authorizationCode: "c", device: device)),
            try body(SignUpRequest(provider: .apple, idToken: "a.b.c", fullName: "Bób", device: device)),
            try body(LinkRequest(pendingIdentity: "test.abc")),
            try body(UnlinkRequest(linkID: signedIn.user.linkedProviders[0].linkID)),
            try body(RefreshRequest(refreshToken: signedIn.session.refreshToken)),
            try body(SignOutRequest(refreshToken: "x")),
            try body(
                Profile(
                    displayName: "Bob", picture: "x",
                    preferences: ["a": .bool(true), "b": .number(1.5), "c": .text("")])
            ),
            try body(signedIn), try body(devices), try body(history), try body(credentials),
            try body(
                Problem(
                    title: "Not Found", status: 404, detail: "No.", code: .noAccountFound, requestID: "1",
                    pendingIdentity: "p", pendingIdentityExpiresAt: service.clock.now,
                    hints: [AccountHint(provider: .google)])
            ),
        ]
    }

    private static func body<Body: Codable & Sendable>(_ body: Body) throws -> FuzzedParser {
        let text = String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self)
        return FuzzedParser("body \(Body.self)", [Array(text.utf8)], tokens: .json) { bytes in
            let read: Body
            do {
                read = try WireJSON.decoder().decode(Body.self, from: Data(bytes))
            } catch is DecodingError {
                return false
            }
            let encoder = WireJSON.encoder()
            encoder.outputFormatting.insert(.sortedKeys)
            let written = try encoder.encode(read)
            let again = try encoder.encode(try WireJSON.decoder().decode(Body.self, from: written))
            try PropertyViolation.unless(again == written, "a body is read as it was written")
            return true
        }
    }
}
