import Accounts
import Foundation
import HTTPTypes
import JSONCoding
import NIOCore
import Transport

/// How a client secret is sent (RFC 6749 section 2.3.1).
enum ClientSecretForm {
    /// As a form field.
    case field
    /// In the header, as HTTP Basic authentication.
    case basic
}

/// Sends requests to a provider's OAuth endpoints as a client of this service.
struct OAuthClient: Sendable {
    /// The largest accepted response, in bytes.
    static let maximumSize = 64 << 10
    /// The timeout of one call.
    static let timeout = Duration.seconds(10)

    /// The provider, which is the audience of signed client secrets.
    let issuer: String
    let authentication: ClientAuthentication
    let transport: any HTTPTransport
    let now: @Sendable () -> Date

    /// Sends a form as this client.
    /// - Parameter accessToken: the access token, for endpoints that require one besides the form.
    /// - Returns: the string members of the response; empty if it has no body.
    func request(
        _ url: String, _ clientID: String, _ parameters: [(name: String, value: String?)], accessToken: String? = nil,
        secretAs secretForm: ClientSecretForm = .field
    ) async throws(ProviderTokenError) -> [String: String] {
        let secret: String?
        do {
            secret = try authentication.secret(of: clientID, for: issuer, at: now())
        } catch {
            throw .misconfigured("client secret creation failed")
        }
        let form = parameters + [("client_id", clientID), ("client_secret", secretForm == .field ? secret : nil)]
        var headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .accept: "application/json",
        ]
        if let accessToken { headers[.authorization] = "Bearer \(accessToken)" }
        if secretForm == .basic, let secret {
            let pair = "\(FormBody.escape(clientID)):\(FormBody.escape(secret))"
            headers[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
        let request = TransportRequest(
            method: .post, url: url, headers: headers,
            body: .bytes(FormBody.encode(form)), timeout: Self.timeout
        )
        let status: Int
        let members: [String: JSONValue]?
        do {
            let response = try await transport.send(request)
            let body = try await response.collect(limit: Self.maximumSize)
            status = response.status
            members = body.readableBytes == 0 ? [:] : (try? JSONReader.read(body.readableBytesView))?.object
        } catch {
            throw .unavailable("\(error)")
        }
        guard status != 200 else {
            guard let members else { throw .unavailable("response is not a JSON object") }
            return members.compactMapValues(\.string)
        }
        // Facebook returns an error object; code 100 means an unknown authorization code, 190 an unknown token.
        if case .number(let code)? = members?["error"]?.object?["code"], [100, 190].contains(code) { throw .refused }
        throw Self.tokenError(status, members?["error"]?.string)
    }

    /// Maps an error response (RFC 6749 section 5.2). Google reports an unknown token as `invalid_token`.
    private static func tokenError(_ status: Int, _ code: String?) -> ProviderTokenError {
        guard status == 400 || status == 401 else { return .unavailable("status \(status)") }
        switch code {
        case "invalid_grant", "invalid_token": return .refused
        case let code? where code.utf8.count <= 64 && code.utf8.allSatisfy { (0x21...0x7e).contains($0) }:
            return .misconfigured(code)
        default: return .misconfigured("status \(status)")
        }
    }
}
