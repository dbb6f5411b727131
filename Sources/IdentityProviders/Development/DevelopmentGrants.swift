import Foundation
import Secrets

/// What the development provider remembers of the codes and tokens it gave, in memory and bounded.
struct DevelopmentGrants: Sendable {
    /// One sign-in of a person at one client.
    struct Grant: Sendable {
        let client: String
        let person: DevelopmentTokenRequest
        let madeAt: Date
        var refreshToken: String?
        var accessToken: String?
    }

    private static let codeLifetime: TimeInterval = 300
    private static let maximumCount = 10_000

    /// By authorization code. A spent code stays, so that a second use is seen.
    private var grants: [String: Grant] = [:]
    /// The code behind each refresh and access token.
    private var codes: [String: String] = [:]

    mutating func add(_ person: DevelopmentTokenRequest, client: String, code: String, at now: Date) {
        grants = grants.filter { $0.value.refreshToken != nil || isLive($0.value, now) }
        if grants.count >= Self.maximumCount, let oldest = grants.min(by: { $0.value.madeAt < $1.value.madeAt }) {
            remove(oldest.key)
        }
        grants[code] = Grant(client: client, person: person, madeAt: now)
    }

    /// Spends a code. A second use ends what the first one brought (RFC 6749 section 4.1.2).
    mutating func spend(
        code: String, client: String, refreshToken: String, accessToken: String, at now: Date
    ) -> Grant? {
        guard var grant = grants[code], grant.client == client else { return nil }
        guard grant.refreshToken == nil, isLive(grant, now) else {
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
