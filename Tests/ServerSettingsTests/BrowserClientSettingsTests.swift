import IdentityProviders
import Testing

@testable import ServiceWiring

/// The client for sign-in in a browser.
@Suite struct BrowserClientSettingsTests {
    private static let google = [
        "PHOTOLALA_GOOGLE_AUDIENCES": "web,ios", "PHOTOLALA_GOOGLE_CLIENT_SECRETS": #"{"web":"hush"}"#,
        "PHOTOLALA_GOOGLE_BROWSER_CLIENT_ID": "web",
    ]

    private func providers(_ variables: [String: String]) throws -> [IdentityProviderSettings] {
        try SettingsFixture.read(variables, flags: SettingsFixture.dev).providers
    }

    private func problems(
        _ variables: [String: String], _ flags: [SettingName: String] = SettingsFixture.dev
    ) throws -> [String] {
        try SettingsFixture.problems(variables, flags: flags)
    }

    @Test("a provider with a client and secret is offered in browsers, without a client only to apps")
    func given() throws {
        let found = try #require(try providers(Self.google).first)
        #expect(found.browserClient?.clientID == "web" && found.displayName == "Google")
        let apps = try #require(try providers(["PHOTOLALA_GOOGLE_AUDIENCES": "ios"]).first)
        #expect(apps.browserClient == nil)
    }

    @Test("a client without a secret or audience, and settings without a client, are reported")
    func refused() throws {
        func changed(_ changes: [String: String]) throws -> [String] {
            try problems(Self.google.merging(changes) { $1 })
        }
        #expect(
            try changed(["PHOTOLALA_GOOGLE_BROWSER_CLIENT_ID": "ios"])
                == ["google.browserClientID: requires google.clientSecrets for ios"])
        #expect(
            try changed(["PHOTOLALA_GOOGLE_BROWSER_CLIENT_ID": "other"])
                == ["google.browserClientID: other must be one of google.audiences"])
        #expect(
            try changed([
                "PHOTOLALA_GOOGLE_BROWSER_CLIENT_ID": "", "PHOTOLALA_GOOGLE_AUTHORIZATION_URL": "https://a.example/",
            ]) == ["google.browserClientID: required with google.authorizationURL"])
        #expect(
            try problems([
                "PHOTOLALA_MICROSOFT_AUDIENCES": "app", "PHOTOLALA_MICROSOFT_CLIENT_SECRETS": #"{"app":"hush"}"#,
                "PHOTOLALA_MICROSOFT_TOKEN_URL": "https://a.example/",
            ]) == [
                "microsoft.browserClientID: required with microsoft.tokenURL, microsoft.clientSecrets"
            ])
        #expect(
            try problems(["PHOTOLALA_APPLE_AUDIENCES": "web", "PHOTOLALA_APPLE_BROWSER_CLIENT_ID": "web"])
                == ["apple.browserClientID: requires apple.privateKey for web"])
    }

    @Test("provider URLs can be overridden, and a single Microsoft tenant uses its own")
    func addresses() throws {
        let google = try #require(
            try providers(
                Self.google.merging([
                    "PHOTOLALA_GOOGLE_AUTHORIZATION_URL": "http://127.0.0.1:1/a",
                    "PHOTOLALA_GOOGLE_TOKEN_URL": "http://127.0.0.1:1/t",
                ]) { $1 }
            ).first)
        #expect(google.browserEndpoints.authorizationURL == "http://127.0.0.1:1/a")
        #expect(google.browserEndpoints.tokenURL == "http://127.0.0.1:1/t" && google.tokenURL == "http://127.0.0.1:1/t")
        let tenant = "11111111-2222-4333-8444-555555555555"
        let microsoft = try #require(
            try providers([
                "PHOTOLALA_MICROSOFT_AUDIENCES": "app", "PHOTOLALA_MICROSOFT_CLIENT_SECRETS": #"{"app":"hush"}"#,
                "PHOTOLALA_MICROSOFT_BROWSER_CLIENT_ID": "app", "PHOTOLALA_MICROSOFT_TENANTS": tenant,
            ]).first)
        let host = "https://login.microsoftonline.com"
        #expect(microsoft.browserEndpoints.authorizationURL == "\(host)/\(tenant)/oauth2/v2.0/authorize")
        #expect(microsoft.browserEndpoints.tokenURL == "\(host)/\(tenant)/oauth2/v2.0/token")
        #expect(
            try problems(Self.google.merging(["PHOTOLALA_GOOGLE_AUTHORIZATION_URL": "ftp://a"]) { $1 })
                == ["provider google: authorization URL must be https, not ftp://a"])
    }

    @Test("a public URL with a path is reported if browsers can sign in")
    func publicURL() throws {
        let path = try problems(Self.google.merging(["PHOTOLALA_PUBLIC_URL": "https://a.example/photos"]) { $1 })
        #expect(
            path == ["publicURL: must have no path for browser sign-in, not https://a.example/photos"])
    }

    @Test("an OIDC provider accepts a client with or without a secret, and a display name")
    func anyIssuer() throws {
        let base = #"{"realm":{"issuer":"https://id.example","audiences":["web"]"#
        let found = try #require(
            try providers([
                "PHOTOLALA_OIDC": base
                    + #","browserClientID":"web","browserClientSecret":"hush","displayName":"Work"}}"#
            ]).first)
        #expect(found.browserClient?.clientID == "web" && found.displayName == "Work")
        guard case .secrets(["web": "hush"])? = found.browserClient?.authentication else {
            Issue.record("no secret")
            return
        }
        #expect(try providers(["PHOTOLALA_OIDC": base + #","browserClientID":"web"}}"#]).first?.browserClient != nil)
        #expect(
            try problems(["PHOTOLALA_OIDC": base + #","browserClientSecret":"hush"}}"#])
                == ["oidc.realm.browserClientID: required with browserClientSecret"])
        #expect(
            try problems(["PHOTOLALA_OIDC": base + #","browserClientID":"other","displayName":1}}"#])
                == [
                    "oidc.realm.displayName: must be a string",
                    "oidc.realm.browserClientID: other must be one of audiences",
                ])
    }
}
