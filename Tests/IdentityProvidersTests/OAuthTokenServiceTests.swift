import Accounts
import Crypto
import Foundation
import HTTPTypes
import JSONCoding
import NIOCore
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import Transport

@testable import IdentityProviders

/// Tests the requests to a provider's token endpoint and the meaning of its responses.
@Suite struct OAuthTokenServiceTests {
    /// Returns the same response to every request and records the forms.
    private final class Endpoint: HTTPTransport {
        let status: Int
        let body: String
        let forms = Mutex<[(url: String, fields: [String: String])]>([])

        init(_ status: Int = 200, _ body: String = "{}") {
            self.status = status
            self.body = body
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard case .bytes(let form) = request.body else { throw .notSent("no form") }
            var fields: [String: String] = [:]
            for pair in String(buffer: form).split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                fields[String(parts[0])] = String(parts[1]).removingPercentEncoding
            }
            let sent = fields
            forms.withLock { $0.append((request.url, sent)) }
            let body = body
            return TransportResponse(
                status: status, headers: [:],
                body: AsyncThrowingStream { continuation in
                    continuation.yield(ByteBuffer(string: body))
                    continuation.finish()
                }
            )
        }
    }

    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func service(
        _ settings: IdentityProviderSettings, _ authentication: ClientAuthentication = .none, _ endpoint: Endpoint
    ) throws -> OAuthTokenService {
        var settings = settings
        settings.clientAuthentication = authentication
        let service = OAuthTokenService(settings: settings, transport: endpoint) { Self.time }
        return try #require(service)
    }

    private func members(_ segment: Substring) throws -> [String: JSONValue] {
        let bytes = try #require(Base64URL.decode(segment))
        return try #require(try JSONReader.read(bytes).object)
    }

    @Test("a code exchange with Apple sends a five-minute client secret and no redirect URI")
    func apple() async throws {
        let key = P256.Signing.PrivateKey()
        // The key as written in a single-line environment variable.
        let text = key.pemRepresentation.replacingOccurrences(of: "\n", with: "\\n")
        let client = try #require(AppleClientKey(teamID: "TEAM123456", keyID: "KEY1234567", privateKey: text))
        let endpoint = Endpoint(200, #"{"refresh_token":"r","id_token":"i","access_token":"a"}"#)
        let service = try service(.apple(audiences: ["com.example.app"]), .apple(client), endpoint)
        let tokens = try await service.exchange("c+&=/ é", of: "com.example.app")
        #expect(tokens == ExchangedTokens(refreshToken: "r", idToken: "i"))
        let (url, form) = try #require(endpoint.forms.withLock { $0.first })
        #expect(url == "https://appleid.apple.com/auth/token")
        #expect(form["grant_type"] == "authorization_code" && form["code"] == "c+&=/ é")
        #expect(form["client_id"] == "com.example.app" && form["redirect_uri"] == nil)
        let secret = try #require(form["client_secret"])
        let parts = secret.split(separator: ".")
        let header = try members(parts[0])
        #expect(header["alg"]?.string == "ES256" && header["kid"]?.string == "KEY1234567")
        let claims = try members(parts[1])
        #expect(claims["iss"]?.string == "TEAM123456" && claims["sub"]?.string == "com.example.app")
        #expect(claims["aud"]?.string == "https://appleid.apple.com")
        #expect(claims["iat"] == .number(1_800_000_000) && claims["exp"] == .number(1_800_000_300))
        let raw = try #require(Base64URL.decode(parts[2]))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("a code exchange with Google sends the client secret and the app's redirect URI, or an empty one")
    func google() async throws {
        let endpoint = Endpoint(200, #"{"access_token":"a"}"#)
        var settings = IdentityProviderSettings.google(audiences: ["web", "desktop", "ios"])
        settings.redirectURIs = ["web": "https://photos.example/callback"]
        let service = try service(settings, .secrets(["web": "s1", "desktop": "s2"]), endpoint)
        #expect(service.serves("web") && !service.serves("ios") && !service.serves("other"))
        #expect(try await service.exchange("c", of: "web").refreshToken == nil)
        _ = try await service.exchange("c", of: "desktop")
        let forms = endpoint.forms.withLock { $0.map(\.fields) }
        #expect(forms.map { $0["redirect_uri"] } == ["https://photos.example/callback", ""])
        #expect(forms.map { $0["client_secret"] } == ["s1", "s2"])
    }

    @Test(
        "an error response is reported by its meaning",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, ProviderTokenError.refused),
            (400, #"{"error":"invalid_token"}"#, .refused),
            (401, #"{"error":"invalid_client"}"#, .misconfigured("invalid_client")),
            (400, #"{"error":"\u0000é"}"#, .misconfigured("status 400")),
            (400, "<html>", .misconfigured("status 400")),
            (429, "{}", .unavailable("status 429")),
            (503, #"{"error":"invalid_grant"}"#, .unavailable("status 503")),
            (302, "", .unavailable("status 302")),
            (200, "[]", .unavailable("response is not a JSON object")),
            (200, "{}", .unavailable("response without a token")),
        ])
    func responses(status: Int, body: String, meaning: ProviderTokenError) async throws {
        let service = try service(.apple(audiences: ["app"]), .none, Endpoint(status, body))
        await #expect(throws: meaning) { try await service.check("r", of: "app") }
    }

    @Test("revoking an invalid token succeeds, and other errors fail")
    func revoking() async throws {
        for (status, body) in [(200, ""), (400, #"{"error":"invalid_token"}"#), (400, #"{"error":"invalid_grant"}"#)] {
            let endpoint = Endpoint(status, body)
            try await service(.google(audiences: ["app"]), .none, endpoint).revoke("r", of: "app")
            let (url, form) = try #require(endpoint.forms.withLock { $0.first })
            #expect(url == "https://oauth2.googleapis.com/revoke")
            #expect(form["token"] == "r" && form["token_type_hint"] == "refresh_token")
        }
        let down = try service(.google(audiences: ["app"]), .none, Endpoint(500, ""))
        await #expect(throws: ProviderTokenError.unavailable("status 500")) { try await down.revoke("r", of: "app") }
    }

    @Test("a response of more than 64 KiB is refused")
    func endless() async throws {
        let body = #"{"access_token":"\#(String(repeating: "a", count: 65_536))"}"#
        let service = try service(.apple(audiences: ["app"]), .none, Endpoint(200, body))
        await #expect(throws: ProviderTokenError.unavailable("tooLarge")) { try await service.check("r", of: "app") }
    }

    @Test(
        "a malformed Apple key is refused",
        arguments: [
            ("TEAM123456", "KEY1234567", "no PEM"), ("team123456", "KEY1234567", nil), ("TEAM123456", "KEY", nil),
        ])
    func badKeys(team: String, id: String, key: String?) {
        let key = key ?? P256.Signing.PrivateKey().pemRepresentation
        #expect(AppleClientKey(teamID: team, keyID: id, privateKey: key) == nil)
    }
}
