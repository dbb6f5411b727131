import Foundation
import PhotolalaAPI
import Secrets

/// What a person let an app do: open a session of their account on one device.
package struct AppAuthorization: Codable, Sendable, Equatable {
    package let id: UUID
    /// The app.
    package let client: String
    package let redirectURI: String
    /// RFC 7636 section 4.2, of the method S256.
    package let codeChallenge: String
    /// Where the session is to be opened.
    package let device: DeviceDescription
    /// In whose session it was approved; the new one is opened only while that stands.
    package let user: UserID
    package let approvedOn: DeviceID
    package let approvedIn: SessionID
    package let expiresAt: Date

    package init(
        id: UUID, client: String, redirectURI: String, codeChallenge: String, device: DeviceDescription, user: UserID,
        approvedOn: DeviceID, approvedIn: SessionID, expiresAt: Date
    ) {
        self.id = id
        self.client = client
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.device = device
        self.user = user
        self.approvedOn = approvedOn
        self.approvedIn = approvedIn
        self.expiresAt = expiresAt
    }
}

/// Authorization codes for apps (RFC 6749 section 1.3.1): the authorization itself, sealed, so nothing is kept for it. That
/// one is used once, whoever takes it marks.
package struct AuthorizationCodes: Sendable {
    /// How long one is good, in seconds: the app is waiting for it.
    package static let lifetime: TimeInterval = 60
    private static let longest = 4096

    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(keyRing: KeyRing, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    package func code(for authorization: AppAuthorization) throws(SessionError) -> String {
        guard let bytes = try? JSONEncoder().encode(authorization) else { throw .corrupted("authorization code") }
        do {
            return try keyRing.seal(bytes, for: .authorizationCode, context: "", randomness: randomness)
        } catch { throw .secrets(error) }
    }

    /// - Throws: `invalidToken` for what is no code of ours, or not any more.
    package func authorization(_ code: String) throws(SessionError) -> AppAuthorization {
        guard code.utf8.count <= Self.longest,
            let bytes = try? keyRing.open(code, for: .authorizationCode, context: ""),
            let authorization = try? JSONDecoder().decode(AppAuthorization.self, from: bytes)
        else { throw .invalidToken("authorization code") }
        guard authorization.expiresAt > now() else { throw .invalidToken("authorization code has ended") }
        return authorization
    }
}
