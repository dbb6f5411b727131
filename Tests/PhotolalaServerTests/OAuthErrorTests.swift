import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaTesting
import Testing

/// The development provider's OAuth endpoints return OAuth errors (RFC 6749 section 5.2).
@Suite struct OAuthErrorTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "every error has the form of RFC 6749",
        arguments: [
            ("POST", "token", form, "", 400, "invalid_request"),
            ("POST", "token", form, "grant_type=x&client_id=c", 400, "unsupported_grant_type"),
            ("POST", "token", form, "grant_type=authorization_code&client_id=c&code=x", 400, "invalid_grant"),
            ("POST", "token", form, "a=%zz", 400, "invalid_request"),
            ("POST", "token", form, "grant_type=a&grant_type=b", 400, "invalid_request"),
            ("POST", "token", "application/json", "{}", 400, "invalid_request"),
            ("POST", "token", "", "grant_type=x", 400, "invalid_request"),
            ("POST", "token", form, String(repeating: "a", count: 200 << 10), 413, "invalid_request"),
            ("GET", "token", form, "", 405, "invalid_request"), ("DELETE", "revoke", form, "", 405, "invalid_request"),
            ("POST", "revoke", form, "", 400, "invalid_request"), ("POST", "nothing", form, "", 404, "invalid_request"),
            ("GET", "a/b", form, "", 404, "invalid_request"),
        ])
    func errors(
        method: String, path: String, type: String, body: String, status: Int, code: String
    ) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let response = try await http.send(
                try #require(HTTPRequest.Method(method)), "/dev/providers/apple/oauth/\(path)", json: body,
                headers: [.contentType: type])
            #expect(response.status.code == status)
            #expect(response.headers[.contentType] == "application/json")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect((response.headers[.allow] == "POST") == (status == 405))
            let members = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any]
            #expect(members?["error"] as? String == code)
        }
    }

    @Test("revoking an unknown token succeeds")
    func revoke() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let response = try await http.send(
                .post, "/dev/providers/google/oauth/revoke", json: "token=x",
                headers: [.contentType: "\(Self.form); charset=UTF-8"])
            #expect(response.status == .ok)
        }
    }
}
