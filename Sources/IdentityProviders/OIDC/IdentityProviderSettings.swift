import Foundation
import PhotolalaAPI

/// Everything that is particular to one provider. A stub or another issuer is put in a provider's place by these
/// values alone; a discovery document is asked for nothing but the address of the keys, and only where `keySet` says so.
package struct IdentityProviderSettings: Sendable {
    package var name: ProviderName
    /// The values of `iss` that are accepted, compared byte for byte.
    package var issuers: [String]
    package var keySet: KeySetLocation
    /// Whether keys and discovery document may be at addresses outside of the public internet. The presets' addresses are
    /// the operator's own, so they may.
    package var allowsPrivateAddresses = true
    /// Our client ids at the provider. A token must be meant for one of them and for nobody else.
    package var audiences: [String]
    /// Client ids beside `audiences`, of apps that ask for tokens meant for one of them (`azp`).
    package var authorizedParties: [String] = []
    /// Fixed before any token is looked at.
    package var algorithms: [JWSAlgorithm] = [.rs256]
    /// Where authorization codes are exchanged, when they are.
    package var tokenURL: String?
    /// Where the provider's tokens are given back: at unlinking and at deletion.
    package var revokeURL: String?
    /// Where people's ids at another developer team are asked for; Apple's alone.
    package var userMigrationURL: String?
    /// How we prove which client we are at these; `nil` where they are not asked.
    package var clientAuthentication: ClientAuthentication?
    /// What the apps named as `redirect_uri` when they asked for a code, by client id.
    package var redirectURIs: [String: String] = [:]
    /// The same for all other clients; `nil` where a code that was asked for without one is exchanged without one.
    package var redirectURI: String?
    /// The ids, in lower case, of the tenants whose people may sign in; empty for all. Microsoft's alone.
    package var tenants: [String] = []
    /// The domains, in lower case, of the organisations whose people may sign in (`hd`); empty for everybody. Google's alone.
    package var hostedDomains: [String] = []
    /// Which of the addresses that the provider calls verified prove who holds the mailbox.
    package var emailTrust = EmailTrust.domains([])
    /// Domains, in lower case, of relay addresses.
    package var privateEmailDomains: [String] = []
    /// Whether a token may leave out which key signed it, as a provider with one key may (OpenID Connect Core section 10.1).
    package var allowsTokensWithoutKeyID = false
    /// How people sign in there in a browser; `nil` where they do not.
    package var browserClient: BrowserClient?
    package var browserEndpoints = BrowserClient.Endpoints()
    /// What people call the provider; its name where there is nothing else.
    package var displayName: String?
    /// Our app's secret and what it is used for. Facebook's alone.
    package var facebookApp: FacebookApp?
    /// What this provider's tokens mean beyond OpenID Connect.
    var rules: any OpenIDTokenRules = StandardTokenRules()
    /// How it writes security events; `nil` where none are taken.
    var eventFormat: (any EventFormat)?
    /// How old a token may be, in seconds, counted from `iat`. A token can live for a day; a sign-in is fresh.
    package var maximumAge: TimeInterval = 600
    /// How far, in seconds, the provider's clock and ours may differ.
    package var leeway: TimeInterval = 60

    package init(name: ProviderName, issuers: [String], keySet: KeySetLocation, audiences: [String]) {
        self.name = name
        self.issuers = issuers
        self.keySet = keySet
        self.audiences = audiences
    }

    /// What is wrong with these settings, one sentence each; empty when nothing is.
    /// - Parameter allowingPlainHTTP: for development, where the issuer is a process on the same machine.
    package func problems(allowingPlainHTTP: Bool) -> [String] {
        var problems: [String] = []
        if issuers.isEmpty || issuers.contains("") { problems.append("provider \(name): no issuer") }
        if audiences.isEmpty || audiences.contains("") { problems.append("provider \(name): no audience") }
        if algorithms.isEmpty { problems.append("provider \(name): no algorithm") }
        if !(maximumAge > 0 && leeway >= 0) { problems.append("provider \(name): negative durations") }
        let urls = [
            ("key set", keySet.description), ("token", tokenURL), ("revoke", revokeURL),
            ("Graph", facebookApp?.graphURL), ("authorization", browserEndpoints.authorizationURL),
            ("browser token", browserEndpoints.tokenURL),
        ]
        for (what, url) in urls {
            guard let url else { continue }
            let isAllowed = url.hasPrefix("https://") || allowingPlainHTTP && url.hasPrefix("http://")
            if !isAllowed { problems.append("provider \(name): the \(what) URL must be https, it is \(url)") }
        }
        // Google's second form has no scheme at all; only a stated plain one is refused.
        for issuer in issuers where !allowingPlainHTTP && issuer.hasPrefix("http://") {
            problems.append("provider \(name): the issuer must not be plain http, it is \(issuer)")
        }
        return problems
    }
}
