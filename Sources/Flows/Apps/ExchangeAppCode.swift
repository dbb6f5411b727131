import Accounts
import Crypto
import Foundation
import JWS
import PhotolalaAPI
import Secrets
import Sessions

extension Services {
    /// Opens the session that a person let an app have. Three reads (account, the approving device, the app's) and two
    /// writes (spent code, device).
    /// - Parameters:
    ///   - verifier: of PKCE (RFC 7636 section 4.1).
    ///   - presented: of the key that the session is to be bound to.
    /// - Throws: `invalidCode`.
    package func exchangeAppCode(
        _ code: String, client: String, redirectURI: String, verifier: String, _ presented: PresentedProof?
    ) async throws(FlowError) -> (session: Session, user: UserID) {
        let holder = try holder(presented)
        let authorization: AppAuthorization
        do { authorization = try authorizationCodes.authorization(code) } catch {
            guard case .invalidToken(let reason) = error else { throw FlowError(error) }
            throw .invalidCode(reason)
        }
        guard authorization.client == client, authorization.redirectURI.utf8.elementsEqual(redirectURI.utf8) else {
            throw .invalidCode("of another client or redirect_uri")
        }
        let hash = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        guard (43...128).contains(verifier.utf8.count),
            ConstantTime.isEqual(hash.utf8, authorization.codeChallenge.utf8)
        else { throw .invalidCode("of another code_challenge") }
        try await take(holder, isOnce: false)
        do {
            try await spentMarks.spend(
                "code-\(Hex.encode(withUnsafeBytes(of: authorization.id.uuid) { Data($0) }))",
                expiresAt: authorization.expiresAt, mark: Hex.encode(sessions.randomness.bytes(16))
            )
        } catch {
            throw FlowError(error) { _ in .invalidCode("it was used before") }
        }
        return (try await open(authorization, key: holder?.key), authorization.user)
    }

    /// Refreshes the session of an app, with its account.
    package func refreshApp(
        _ refreshToken: String, _ presented: PresentedProof?
    ) async throws(FlowError) -> (session: Session, user: UserID) {
        let session = try await refresh(RefreshRequest(refreshToken: refreshToken), presented).session
        guard let user = sessions.user(ofRefreshToken: refreshToken) else { throw .sessionEnded }
        return (session, user)
    }

    private func open(_ authorization: AppAuthorization, key: KeyThumbprint?) async throws(FlowError) -> Session {
        try await step { () async throws -> Session in
            let approver: Caller
            do {
                approver = try await caller(
                    authorization.user, authorization.approvedOn, authorization.approvedIn, authTime: now())
            } catch is SessionError { throw FlowError.invalidCode("the session that approved it is over") }
            guard let link = approver.account.value.links.first(where: { $0.id == approver.session.link }) else {
                throw FlowError.invalidCode("the identity that approved it is gone")
            }
            let opened = try await noting(on: authorization.device.id, of: approver.account) { standing in
                // The person proved who they are when the approving session did, and not now.
                try await sessions.open(
                    on: authorization.device, user: authorization.user, link: link.id, of: link.provider, standing,
                    key: key, provedAt: approver.session.authTime, isNewAccount: false
                )
            }
            if opened.isOnNewDevice { await keepEvent(onDeviceOf: authorization.user) }
            return opened.session
        }
    }
}
