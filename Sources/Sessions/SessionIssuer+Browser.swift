import Crypto
import Foundation
import JWS
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The secret to which a browser session is bound. It is stored in a cookie that scripts cannot read; the session
/// stores its hash in place of a key thumbprint. No key has that thumbprint, so the session's tokens are useless for
/// app requests.
package struct BrowserSecret: Sendable {
    private static let length = 32
    let bytes: Data

    package init(_ randomness: Randomness) { bytes = Data(randomness.bytes(Self.length)) }

    init?(_ text: Substring) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// The thumbprint to which the session is bound.
    package var thumbprint: KeyThumbprint {
        KeyThumbprint(SHA256.hash(data: Data("photolala-browser\n".utf8) + bytes))
    }

    /// Returns the cookie of a session bound to this secret: the refresh token and the secret.
    package func cookie(of session: Session) -> String { "\(session.refreshToken).\(Base64URL.encode(bytes))" }
}

extension SessionIssuer {
    /// Verifies a browser cookie and returns its session. Sends no request to the store.
    /// - Throws: `invalidToken` if the cookie is not authentic.
    package func resume(browserCookie cookie: String) throws(SessionError) -> PresentedRefreshToken {
        guard cookie.utf8.count <= 512, let dot = cookie.lastIndex(of: "."),
            let secret = BrowserSecret(cookie[dot...].dropFirst()),
            let token = RefreshToken.decode(String(cookie[..<dot]), keyRing), case .bound(let key) = token.kind,
            key == secret.thumbprint
        else { throw .invalidToken("browser cookie") }
        RequestAccount.current?.set(token.user)
        return PresentedRefreshToken(
            user: token.user, device: token.device, session: token.session, kind: token.kind, proof: nil
        )
    }

    /// Returns the session of a browser cookie, if it is valid. At most one write per day, to record that the browser
    /// is in use.
    /// - Throws: `ended`.
    package func parse(
        _ presented: PresentedRefreshToken, inBrowser device: Stored<DeviceRecord>, _ state: SessionState
    ) async throws(SessionError) -> SessionRecord {
        let session = try self.validSession(presented.session, on: device.value, state)
        guard case .bound(let key) = presented.kind, session.key == key else { throw .ended }
        await recordUse(of: session, on: device, of: presented.user, state)
        return session
    }
}
