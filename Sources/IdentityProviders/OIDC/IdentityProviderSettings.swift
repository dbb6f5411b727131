import Foundation
import PhotolalaAPI

/// The settings of one provider. These values alone replace a provider with a stub or another issuer. A discovery
/// document is used for the key set URL if `keySet` says so, and for browser endpoints that are not configured.
package struct IdentityProviderSettings: Sendable {
    package var name: ProviderName
    /// The accepted values of `iss`, compared byte for byte.
    package var issuers: [String]
    package var keySet: KeySetLocation
    /// Whether the key set and the discovery document may be at private network addresses. The presets allow it.
    package var allowsPrivateAddresses = true
    /// The service's client ids at the provider. All audiences of a token must be among them.
    package var audiences: [String]
    /// Further client ids of apps that may request tokens for one of `audiences` (`azp`).
    package var authorizedParties: [String] = []
    /// The accepted algorithms, fixed before any token is read.
    package var algorithms: [JWSAlgorithm] = [.rs256]
    /// The token endpoint for authorization codes, if codes are exchanged.
    package var tokenURL: String?
    /// The revocation endpoint, used at unlinking and at deletion.
    package var revokeURL: String?
    /// The endpoint for people's ids at another developer team; Apple only.
    package var userMigrationURL: String?
    /// The client authentication at these endpoints; `nil` if they are not used.
    package var clientAuthentication: ClientAuthentication?
    /// The `redirect_uri` that apps used when they requested a code, by client id.
    package var redirectURIs: [String: String] = [:]
    /// The `redirect_uri` of all other clients; `nil` to exchange codes without one.
    package var redirectURI: String?
    /// The ids, in lower case, of the tenants whose people may sign in; empty for all. Microsoft only.
    package var tenants: [String] = []
    /// The domains, in lower case, of the organisations whose people may sign in (`hd`); empty for all people. Google
    /// only.
    package var hostedDomains: [String] = []
    /// The verified addresses that are trusted to identify the owner of the mailbox.
    package var emailTrust = EmailTrust.domains([])
    /// The domains, in lower case, of relay addresses.
    package var privateEmailDomains: [String] = []
    /// Whether tokens may omit the key id, as allowed for a provider with one key (OpenID Connect Core section 10.1).
    package var allowsTokensWithoutKeyID = false
    /// The client for sign-ins in a browser; `nil` if they are not offered.
    package var browserClient: BrowserClient?
    package var browserEndpoints = BrowserClient.Endpoints()
    /// The provider's display name; the provider name if `nil`.
    package var displayName: String?
    /// The app's secret and its use. Facebook only.
    package var facebookApp: FacebookApp?
    /// The rules for this provider's tokens beyond OpenID Connect.
    var rules: any OpenIDTokenRules = StandardTokenRules()
    /// The security event format; `nil` if events are not accepted.
    var eventFormat: (any EventFormat)?
    /// The maximum age of a token, in seconds from `iat`. A token can be valid for a day, but a sign-in must be recent.
    package var maximumAge: TimeInterval = 600
    /// The accepted difference between the provider's clock and the local clock, in seconds.
    package var leeway: TimeInterval = 60

    package init(name: ProviderName, issuers: [String], keySet: KeySetLocation, audiences: [String]) {
        self.name = name
        self.issuers = issuers
        self.keySet = keySet
        self.audiences = audiences
    }

    /// Returns the problems of these settings, one sentence each; empty if there are none.
    /// - Parameter allowingPlainHTTP: whether http URLs are allowed, for development with an issuer on the same
    ///   machine.
    package func problems(allowingPlainHTTP: Bool) -> [String] {
        var problems: [String] = []
        if issuers.isEmpty || issuers.contains("") { problems.append("provider \(name): missing issuer") }
        if audiences.isEmpty || audiences.contains("") { problems.append("provider \(name): missing audience") }
        if algorithms.isEmpty { problems.append("provider \(name): missing algorithm") }
        if !(maximumAge > 0 && leeway >= 0) { problems.append("provider \(name): negative durations") }
        let urls = [
            ("key set", keySet.description), ("token", tokenURL), ("revoke", revokeURL),
            ("Graph", facebookApp?.graphURL), ("authorization", browserEndpoints.authorizationURL),
            ("browser token", browserEndpoints.tokenURL),
        ]
        for (kind, url) in urls {
            guard let url else { continue }
            let isAllowed = url.hasPrefix("https://") || allowingPlainHTTP && url.hasPrefix("http://")
            if !isAllowed { problems.append("provider \(name): \(kind) URL must be https, not \(url)") }
        }
        // Google's second issuer form has no scheme; only an explicit http scheme is refused.
        for issuer in issuers where !allowingPlainHTTP && issuer.hasPrefix("http://") {
            problems.append("provider \(name): issuer must not be plain http: \(issuer)")
        }
        return problems
    }
}
