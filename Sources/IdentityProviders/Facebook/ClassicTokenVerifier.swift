import Accounts
import Crypto
import Foundation
import JSONCoding
import Logging
import Monitoring
import PhotolalaAPI
import Secrets

/// Verifies a classic access token. The token is opaque, so Facebook is asked for its owner, app and issue time, and
/// then whether it works with the app's secret. It has no nonce, so it is accepted only once and only shortly after it
/// was issued.
struct ClassicTokenVerifier: Sendable {
    private let settings: IdentityProviderSettings
    private let app: FacebookApp
    private let graph: GraphClient
    private let logger: Logger
    private let now: @Sendable () -> Date

    init(
        settings: IdentityProviderSettings, app: FacebookApp, graph: GraphClient, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.app = app
        self.graph = graph
        self.logger = logger
        self.now = now
    }

    /// Verifies a token. Two requests to Facebook.
    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        guard Self.isToken(token) else { throw .malformed("access token") }
        let (subject, issuedAt) = try check(try await facts(of: token))
        let email = try await owner(of: token, subject)
        return VerifiedIdentity(
            provider: settings.name, subject: subject, email: email, lacksNonceSupport: true,
            replayMarker: replayMarker(subject, issuedAt), clientID: app.id, issuedAt: issuedAt
        )
    }

    /// The marker is derived from Facebook's facts and not from the token's text, which may have several encodings.
    private func replayMarker(_ subject: String, _ issuedAt: Date) -> TokenReplayMarker {
        let text = "\(app.id)\n\(subject)\n\(Int(issuedAt.timeIntervalSince1970))"
        return TokenReplayMarker(
            id: Hex.encode(SHA256.hash(data: Data(text.utf8))),
            expiresAt: issuedAt.addingTimeInterval(settings.maximumAge + settings.leeway)
        )
    }

    /// Returns whether a text can be a token of Facebook: 20 to 1,024 ASCII letters and digits. Other texts cause no
    /// request.
    private static func isToken(_ text: String) -> Bool {
        (20...1024).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 < 0x80 && (Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0))
            }
    }

    /// Returns Facebook's facts about the token.
    private func facts(of token: String) async throws(IdentityTokenError) -> [String: JSONValue] {
        let response: [String: JSONValue]
        do {
            response = try await graph.get(
                "debug_token",
                [(name: "input_token", value: token), (name: "access_token", value: "\(app.id)|\(app.secret)")]
            )
        } catch {
            switch error {
            case .refused(GraphError.badParameter): throw .wrongAudience
            // This error concerns the app's own id and secret, not the token.
            case .refused(GraphError.badAccessToken):
                logger.error(.facebookRefused, "Facebook rejected the app id or secret", metadata: ["app": "\(app.id)"])
                throw .providerUnavailable
            case .unavailable, .refused: throw .providerUnavailable
            }
        }
        guard let data = response["data"]?.object else { throw .providerUnavailable }
        guard data["app_id"]?.string?.utf8.elementsEqual(app.id.utf8) == true else { throw .wrongAudience }
        return data
    }

    /// - Returns: the subject and the issue time of the token.
    private func check(
        _ facts: [String: JSONValue]
    ) throws(IdentityTokenError) -> (subject: String, issuedAt: Date) {
        guard facts["is_valid"] == .bool(true) else { throw .ruleNotMet("is_valid") }
        guard facts["type"]?.string == "USER" else { throw .ruleNotMet("type") }
        guard settings.audiences.containsBytes(of: app.id) else { throw .wrongAudience }
        let now = now()
        guard let expiresAt = try OpenIDClaims.date("expires_at", in: facts) else { throw .malformed("expires_at") }
        // An expiry of 0 means that the token does not expire.
        guard expiresAt.timeIntervalSince1970 == 0 || now < expiresAt.addingTimeInterval(settings.leeway) else {
            throw .expired
        }
        // Short-lived tokens, as issued on the web, have no issue time, so their age is unknown.
        guard let issuedAt = try OpenIDClaims.date("issued_at", in: facts) else { throw .malformed("issued_at") }
        let age = now.timeIntervalSince(issuedAt)
        guard age >= -settings.leeway, age <= settings.maximumAge + settings.leeway else { throw .notCurrent }
        guard let subject = facts["user_id"]?.string, (1...255).contains(subject.utf8.count) else { throw .badSubject }
        return (subject, issuedAt)
    }

    /// Requests the owner with the token and an `appsecret_proof`. Facebook's e-mail address is not trusted as
    /// verified.
    private func owner(
        of token: String, _ subject: String
    ) async throws(IdentityTokenError) -> VerifiedEmail? {
        let proof = HMAC<SHA256>.authenticationCode(
            for: Data(token.utf8), using: SymmetricKey(data: Data(app.secret.utf8))
        )
        let person: [String: JSONValue]
        do {
            person = try await graph.get(
                "me",
                [
                    (name: "fields", value: "id,email"), (name: "access_token", value: token),
                    (name: "appsecret_proof", value: Hex.encode(Data(proof))),
                ]
            )
        } catch {
            throw error == .unavailable ? .providerUnavailable : .ruleNotMet("me")
        }
        guard person["id"]?.string?.utf8.elementsEqual(subject.utf8) == true else { throw .ruleNotMet("id") }
        return person["email"]?.string.flatMap {
            guard OpenIDClaims.isAddress($0) else { return nil }
            return VerifiedEmail(address: $0, isVerified: false, isPrivate: false, isTrusted: false)
        }
    }
}
