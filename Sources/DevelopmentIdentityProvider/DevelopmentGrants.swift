import Crypto
import Foundation
import Secrets

/// The codes and tokens that the development provider issued, in bounded memory.
struct DevelopmentGrants: Sendable {
    /// One sign-in of a person at one client.
    struct Grant: Sendable {
        let client: String
        let person: DevelopmentTokenRequest
        let madeAt: Date
        /// The binding of a code from the sign-in page; `nil` for a sign-in on a device.
        let binding: Binding?
        var refreshToken: String?
        var accessToken: String?
    }

    /// The values that the code exchange must repeat.
    struct Binding: Sendable {
        let redirectURI: String
        let codeChallenge: String?

        /// Checks RFC 6749 section 4.1.3 and RFC 7636 section 4.6. A verifier without a challenge indicates an attacker
        /// who removed the challenge (RFC 9700 section 2.1.1).
        func matches(redirectURI: String?, codeVerifier: String?) -> Bool {
            let challenge = codeVerifier.map { Base64URL.encode(Data(SHA256.hash(data: Data($0.utf8)))) }
            return redirectURI == self.redirectURI && challenge == codeChallenge
        }
    }

    private static let codeLifetime: TimeInterval = 300
    private static let maximumCount = 10_000

    /// The grants by authorization code. A spent code is kept to detect its reuse.
    private var grants: [String: Grant] = [:]
    /// The authorization code of each refresh and access token.
    private var codes: [String: String] = [:]
    /// The pairs of a person and an app that the person has authorized.
    private var authorizations: Set<[String]> = []

    mutating func add(
        _ person: DevelopmentTokenRequest, client: String, code: String, boundTo binding: Binding?, at now: Date
    ) {
        grants = grants.filter { $0.value.refreshToken != nil || isCodeValid($0.value, now) }
        if grants.count >= Self.maximumCount, let oldest = grants.min(by: { $0.value.madeAt < $1.value.madeAt }) {
            remove(oldest.key)
        }
        grants[code] = Grant(client: client, person: person, madeAt: now, binding: binding)
    }

    /// Records an authorization and returns whether it is the person's first for this app.
    mutating func recordAuthorization(of subject: String, by client: String) -> Bool {
        if authorizations.count >= Self.maximumCount { authorizations.removeAll() }
        return authorizations.insert([subject, client]).inserted
    }

    /// Spends a code. A second use revokes the tokens of the first (RFC 6749 section 4.1.2).
    mutating func redeem(
        code: String, client: String, isBound: (Binding) -> Bool, refreshToken: String, accessToken: String,
        at now: Date
    ) -> Grant? {
        guard var grant = grants[code], grant.client == client else { return nil }
        guard grant.refreshToken == nil, isCodeValid(grant, now), grant.binding.map(isBound) ?? true else {
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

    /// Replaces the access token of a refresh token. The previous access token becomes invalid.
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

    /// Returns the client of a token, or `nil` for an unknown token.
    func client(ofToken token: String) -> String? { codes[token].flatMap { grants[$0]?.client } }

    /// Revokes a token and all tokens of the same grant.
    mutating func revoke(token: String) {
        if let code = codes[token] { remove(code) }
    }

    private func isCodeValid(_ grant: Grant, _ now: Date) -> Bool {
        now < grant.madeAt.addingTimeInterval(Self.codeLifetime)
    }

    private mutating func remove(_ code: String) {
        guard let grant = grants.removeValue(forKey: code) else { return }
        for token in [grant.refreshToken, grant.accessToken] {
            if let token { codes[token] = nil }
        }
    }
}
