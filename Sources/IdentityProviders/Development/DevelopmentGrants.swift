import Crypto
import Foundation
import Secrets

/// What the development provider remembers of the codes and tokens it gave, in memory and bounded.
struct DevelopmentGrants: Sendable {
    /// One sign-in of a person at one client.
    struct Grant: Sendable {
        let client: String
        let person: DevelopmentTokenRequest
        let madeAt: Date
        /// Of a code that the sign-in page gave; `nil` where a device's own sign-in ended.
        let binding: Binding?
        var refreshToken: String?
        var accessToken: String?
    }

    /// What must come again with a code.
    struct Binding: Sendable {
        let redirectURI: String
        let codeChallenge: String?

        /// RFC 6749 section 4.1.3 and RFC 7636 section 4.6. A verifier without a challenge is somebody's who took the
        /// challenge out (RFC 9700 section 2.1.1).
        func holds(redirectURI: String?, codeVerifier: String?) -> Bool {
            let challenge = codeVerifier.map { Base64URL.encode(Data(SHA256.hash(data: Data($0.utf8)))) }
            return redirectURI == self.redirectURI && challenge == codeChallenge
        }
    }

    private static let codeLifetime: TimeInterval = 300
    private static let maximumCount = 10_000

    /// By authorization code. A spent code stays, so that a second use is seen.
    private var grants: [String: Grant] = [:]
    /// The code behind each refresh and access token.
    private var codes: [String: String] = [:]
    /// Who has let which app know them.
    private var authorizations: Set<[String]> = []

    mutating func add(
        _ person: DevelopmentTokenRequest, client: String, code: String, boundTo binding: Binding?, at now: Date
    ) {
        grants = grants.filter { $0.value.refreshToken != nil || isLive($0.value, now) }
        if grants.count >= Self.maximumCount, let oldest = grants.min(by: { $0.value.madeAt < $1.value.madeAt }) {
            remove(oldest.key)
        }
        grants[code] = Grant(client: client, person: person, madeAt: now, binding: binding)
    }

    /// Whether a person lets an app know them for the first time.
    mutating func noteAuthorization(of subject: String, by client: String) -> Bool {
        if authorizations.count >= Self.maximumCount { authorizations.removeAll() }
        return authorizations.insert([subject, client]).inserted
    }

    /// Spends a code. A second use ends what the first one brought (RFC 6749 section 4.1.2).
    mutating func spend(
        code: String, client: String, isBound: (Binding) -> Bool, refreshToken: String, accessToken: String,
        at now: Date
    ) -> Grant? {
        guard var grant = grants[code], grant.client == client else { return nil }
        guard grant.refreshToken == nil, isLive(grant, now), grant.binding.map(isBound) ?? true else {
            remove(code)
            return nil
        }
        grant.refreshToken = refreshToken
        grant.accessToken = accessToken
        grants[code] = grant
        codes[refreshToken] = code
        codes[accessToken] = code
        return grant
    }

    /// Gives a new access token for a refresh token; the previous access token is forgotten.
    mutating func renew(refreshToken: String, client: String, accessToken: String) -> Grant? {
        guard let code = codes[refreshToken], var grant = grants[code], grant.refreshToken == refreshToken,
            grant.client == client
        else { return nil }
        if let previous = grant.accessToken { codes[previous] = nil }
        grant.accessToken = accessToken
        grants[code] = grant
        codes[accessToken] = code
        return grant
    }

    /// Whose token it is, if it is one.
    func client(ofToken token: String) -> String? { codes[token].flatMap { grants[$0]?.client } }

    /// Ends everything that came with the token.
    mutating func revoke(token: String) {
        if let code = codes[token] { remove(code) }
    }

    private func isLive(_ grant: Grant, _ now: Date) -> Bool {
        now < grant.madeAt.addingTimeInterval(Self.codeLifetime)
    }

    private mutating func remove(_ code: String) {
        guard let grant = grants.removeValue(forKey: code) else { return }
        for token in [grant.refreshToken, grant.accessToken] {
            if let token { codes[token] = nil }
        }
    }
}
