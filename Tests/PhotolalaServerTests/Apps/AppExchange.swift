import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An app that uses a server's OAuth endpoints.
struct AppExchange {
    static let web = AppClient(
        id: "org.example.web", name: "Example",
        redirectURIs: ["https://App.example:443/back", "https://b.example:8443/"])
    static let form = "application/x-www-form-urlencoded"

    let http: HTTPExchange

    static func service(_ change: (inout TestService.Options) -> Void = { _ in }) async throws -> TestService {
        var options = TestService.Options()
        options.apps = [web]
        change(&options)
        return try await TestService.make(options)
    }

    func post(
        _ path: String, _ fields: [String: String], headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let body = fields.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = Self.form }
        return try await http.send(.post, path, json: body, headers: headers)
    }

    /// Checks the form of an error response and returns its code (RFC 6749 section 5.2).
    func error(_ response: TestResponse) throws -> String {
        #expect(response.headers[.contentType] == "application/json" && response.headers[.cacheControl] == "no-store")
        return try #require(try members(response)["error"] as? String)
    }

    func members(_ response: TestResponse) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    /// Returns the tokens of an app's session that a signed-in person approved with a device code.
    func tokens(
        _ service: TestService, approvedBy bob: inout PortalVisitor, client: String = "photolala"
    ) async throws -> (access: String, refresh: String) {
        let codes = try members(
            try await post("/device_authorization", ["client_id": client, "device_platform": "linux"]))
        let page = String(buffer: try await bob.send(.get, "/device").body)
        let token = try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
        let code = try #require(codes["user_code"] as? String)
        let allowed = try await bob.send(
            .post, "/device", json: "form_token=\(token)&user_code=\(code)&allow=1",
            headers: [.contentType: Self.form])
        #expect(allowed.status == .ok)
        let answer = try await post(
            "/token",
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": client,
                "device_code": try #require(codes["device_code"] as? String),
            ])
        #expect(answer.status == .ok)
        let tokens = try members(answer)
        return (
            try #require(tokens["access_token"] as? String), try #require(tokens["refresh_token"] as? String)
        )
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
