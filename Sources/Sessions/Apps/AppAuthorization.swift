import Foundation
import PhotolalaAPI
import Secrets

/// A user's authorization of an app: permission to open one session of the account on one device.
package struct AppAuthorization: Codable, Sendable, Equatable {
    package let id: UUID
    /// The app's `client_id`.
    package let client: String
    package let redirectURI: String
    /// RFC 7636 section 4.2, method S256.
    package let codeChallenge: String
    /// The device on which the session is opened.
    package let device: DeviceDescription
    /// The account of the approving session. The new session is opened only while that session is valid.
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

/// Authorization codes for apps (RFC 6749 section 1.3.1): the sealed authorization itself, so that nothing is stored
/// for it. The caller that redeems a code marks it as used.
package struct AuthorizationCodes: Sendable {
    /// How long a code is valid, in seconds; the app is waiting for it.
    package static let lifetime: TimeInterval = 60
    private static let maximumLength = 4096

    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(keyRing: KeyRing, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    package func makeCode(for authorization: AppAuthorization) throws(SessionError) -> String {
        guard let bytes = try? JSONEncoder().encode(authorization) else { throw .corrupted("authorization code") }
        do {
            return try keyRing.seal(bytes, for: .authorizationCode, context: "", randomness: randomness)
        } catch { throw .secrets(error) }
    }

    /// Opens an authorization code.
    /// - Throws: `invalidToken` for a code that is not authentic or has expired.
    package func authorization(_ code: String) throws(SessionError) -> AppAuthorization {
        guard code.utf8.count <= Self.maximumLength,
            let bytes = try? keyRing.open(code, for: .authorizationCode, context: ""),
            let authorization = try? JSONDecoder().decode(AppAuthorization.self, from: bytes)
        else { throw .invalidToken("authorization code") }
        guard authorization.expiresAt > now() else { throw .invalidToken("authorization code expired") }
        return authorization
    }
}
