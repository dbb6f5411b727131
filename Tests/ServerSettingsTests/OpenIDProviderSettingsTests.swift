import IdentityProviders
import PhotolalaAPI
import Testing

@testable import ServiceWiring

/// Microsoft, Facebook and any OpenID Connect issuer, by settings alone.
@Suite struct OpenIDProviderSettingsTests {
    private func providers(_ variables: [String: String]) throws -> [IdentityProviderSettings] {
        try SettingsFixture.read(variables, flags: SettingsFixture.dev).providers
    }

    private func problems(_ oidc: String) throws -> [String] {
        try SettingsFixture.problems(["PHOTOLALA_OIDC": oidc], flags: SettingsFixture.dev)
    }

    @Test("Microsoft and Facebook are providers if they have audiences")
    func presets() throws {
        let found = try providers([
            "PHOTOLALA_MICROSOFT_AUDIENCES": "a,b",
            "PHOTOLALA_MICROSOFT_TENANTS": "11111111-2222-4333-8444-555555555555",
            "PHOTOLALA_FACEBOOK_AUDIENCES": "1", "PHOTOLALA_FACEBOOK_KEY_SET_URL": "https://keys.example/",
        ])
        #expect(found.map(\.name) == [.microsoft, .facebook])
        #expect(found[0].audiences == ["a", "b"] && found[0].tenants == ["11111111-2222-4333-8444-555555555555"])
        #expect(found[1].keySet == .url("https://keys.example/"))
        #expect(found[0].allowsPrivateAddresses && found[1].allowsPrivateAddresses)
        #expect(
            try SettingsFixture.problems(["PHOTOLALA_MICROSOFT_TENANTS": "x"], flags: SettingsFixture.dev)
                == ["microsoft.audiences: required with microsoft.tenants"])
    }

    @Test("Facebook's options require the app secret, and classic tokens are off by default")
    func facebookApp() throws {
        let given = ["PHOTOLALA_FACEBOOK_AUDIENCES": "1", "PHOTOLALA_FACEBOOK_APP_SECRETS": #"{"1":"hush"}"#]
        let settings = try SettingsFixture.read(given, flags: SettingsFixture.dev)
        let app = try #require(settings.providers.first?.facebookApp)
        #expect(app.id == "1" && app.secret == "hush")
        #expect(!app.allowsClassicTokens && app.graphURL == "https://graph.facebook.com/v23.0")
        #expect(!SettingsReport(settings).description.contains("hush"))
        let more = [
            "PHOTOLALA_FACEBOOK_ALLOW_CLASSIC_TOKENS": "true", "PHOTOLALA_FACEBOOK_GRAPH_URL": "http://a.b/v1/",
        ]
        let allowed = try #require(try providers(given.merging(more) { $1 }).first?.facebookApp)
        #expect(allowed.allowsClassicTokens && allowed.graphURL == "http://a.b/v1")
        func problems(_ changes: [String: String], _ flags: [SettingName: String] = SettingsFixture.dev) throws
            -> [String]
        {
            try SettingsFixture.problems(given.merging(more) { $1 }.merging(changes) { $1 }, flags: flags)
        }
        let lone = "facebook.appSecrets: required with facebook.allowClassicTokens, facebook.graphURL"
        #expect(try problems(["PHOTOLALA_FACEBOOK_APP_SECRETS": ""]) == [lone])
        let stranger = "facebook.appSecrets: app 3 is not in facebook.audiences"
        #expect(try problems(["PHOTOLALA_FACEBOOK_APP_SECRETS": #"{"3":"hush"}"#]) == [stranger])
        let several = "facebook.audiences: must be one app, because Facebook's user ids differ between apps"
        #expect(try problems(["PHOTOLALA_FACEBOOK_AUDIENCES": "1,2"]) == [several])
        let stage = try problems(
            ["PHOTOLALA_KEYS_MASTER": SettingsFixture.key], [.environment: "stage", .data: "/tmp/x"])
        #expect(stage == ["provider facebook: Graph URL must be https, not http://a.b/v1"])
    }

    @Test("any issuer can be a provider, from a variable or the file, without access to private addresses by default")
    func anyIssuer() throws {
        let oidc = """
            {"keycloak": {"issuer": "https://id.example/realms/x/", "audiences": ["photolala"]},
             "corporate": {"issuer": "https://sso.example", "audiences": ["a", "b"], "authorizedParties": ["c"],
                           "algorithms": ["ES256", "RS256"], "authoritativeEmailDomains": ["Example.com"],
                           "allowPrivateAddresses": true}}
            """
        let written = try SettingsFixture.read(flags: SettingsFixture.dev, file: "{\"oidc\": \(oidc)}")
        for found in [try providers(["PHOTOLALA_OIDC": oidc]), written.providers] {
            #expect(found.map(\.name.description) == ["corporate", "keycloak"])
            let (corporate, keycloak) = (found[0], found[1])
            #expect(keycloak.issuers == ["https://id.example/realms/x/"] && keycloak.audiences == ["photolala"])
            #expect(keycloak.keySet == .discovered(issuer: "https://id.example/realms/x/"))
            #expect(keycloak.algorithms == [.rs256] && !keycloak.allowsPrivateAddresses)
            #expect(corporate.algorithms == [.es256, .rs256] && corporate.allowsPrivateAddresses)
            #expect(corporate.authorizedParties == ["c"])
            #expect(corporate.emailTrust == .domains(["example.com"]) && keycloak.emailTrust == .domains([]))
        }
    }

    @Test(
        "a problem is reported with its location",
        arguments: [
            ("[]", "oidc: must be a JSON object"), ("{", "oidc: must be a JSON object"),
            (#"{"email": {}}"#, "oidc.email: provider name must be"),
            (#"{"My": {}}"#, "oidc.My: provider name must be"),
            (#"{"google": {}}"#, "oidc.google: built-in provider"), (#"{"x": "y"}"#, "oidc.x: must be an object"),
            (#"{"x": {"audiences": ["a"]}}"#, "oidc.x.issuer:"),
            (#"{"x": {"issuer": "https://i.example"}}"#, "oidc.x.audiences: required: the client ids"),
            (#"{"x": {"issuer": "https://i.example", "audiences": "a"}}"#, "oidc.x.audiences: must be an array"),
            (#"{"x": {"issuer": "https://i.example?a", "audiences": ["a"]}}"#, "oidc.x.issuer: must have no query"),
            (#"{"x": {"issuer": "https://i.example", "audience": ["a"]}}"#, "oidc.x: unknown member \"audience\""),
            (#"{"x": {"issuer": "https://i.example", "audiences": ["a"], "algorithms": ["HS256"]}}"#, "oidc.x.algo"),
            (#"{"x": {"issuer": "https://i.example", "audiences": ["a"], "algorithms": []}}"#, "oidc.x.algorithms"),
            (
                #"{"x": {"issuer": "https://i.example", "audiences": ["a"], "allowPrivateAddresses": 1}}"#,
                "oidc.x.allowPrivateAddresses: must be true or false"
            ),
        ])
    func wrong(oidc: String, problem: String) throws {
        let found = try problems(oidc)
        #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
    }

    @Test("outside of dev an issuer requires https")
    func plainIssuer() throws {
        let oidc = #"{"x": {"issuer": "http://127.0.0.1:9", "audiences": ["a"]}}"#
        #expect(try problems(oidc).isEmpty)
        let stage = try SettingsFixture.problems(["PHOTOLALA_OIDC": oidc], flags: [.environment: "stage"])
        #expect(stage.contains { $0.contains("provider x") && $0.contains("plain http") }, "\(stage)")
    }
}
