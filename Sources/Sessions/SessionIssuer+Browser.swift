import Crypto
import Foundation
import JWS
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The secret that a browser's session is bound to. It stays in a cookie that scripts cannot read; the session knows its
/// hash in the place of a key's. No key has that hash, so the session's tokens are worth nothing at the calls for apps.
package struct BrowserSecret: Sendable {
    private static let length = 32
    let bytes: Data

    package init(_ randomness: Randomness) { bytes = Data(randomness.bytes(Self.length)) }

    init?(_ text: Substring) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// What the session is bound to.
    package var thumbprint: KeyThumbprint {
        KeyThumbprint(SHA256.hash(data: Data("photolala-browser\n".utf8) + bytes))
    }

    /// The cookie of a session that is bound to this secret: whose session it is, and the secret.
    package func cookie(of session: Session) -> String { "\(session.refreshToken).\(Base64URL.encode(bytes))" }
}

extension SessionIssuer {
    /// Whose session a browser's cookie is of; nothing is asked of the store.
    /// - Throws: `invalidToken` for one that we did not make.
    package func present(browserCookie cookie: String) throws(SessionError) -> PresentedRefreshToken {
        guard cookie.utf8.count <= 512, let dot = cookie.lastIndex(of: "."),
            let secret = BrowserSecret(cookie[dot...].dropFirst()),
            let token = RefreshToken.check(String(cookie[..<dot]), keyRing), case .bound(let key) = token.kind,
            key == secret.thumbprint
        else { throw .invalidToken("browser cookie") }
        return PresentedRefreshToken(
            user: token.user, device: token.device, session: token.session, kind: token.kind, proof: nil
        )
    }

    /// The session that a browser's cookie opens, if it stands. One write at most once a day, that the browser is in use.
    /// - Throws: `ended`.
    package func use(
        _ presented: PresentedRefreshToken, inBrowser device: Stored<DeviceRecord>, _ standing: SessionStanding
    ) async throws(SessionError) -> SessionRecord {
        let session = try self.standing(presented.session, on: device.value, standing)
        guard case .bound(let key) = presented.kind, session.key == key else { throw .ended }
        await noteUse(of: session, on: device, of: presented.user, standing)
        return session
    }
}
