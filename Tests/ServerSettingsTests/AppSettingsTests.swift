import Testing
import UseCases

@testable import ServiceWiring

/// Settings for apps that sign in through the server's pages.
@Suite struct AppSettingsTests {
    private func read(_ apps: String) throws -> [AppClient] {
        try SettingsFixture.read(["PHOTOLALA_SIGN_IN_APPS": apps], flags: SettingsFixture.dev).apps
    }

    private func problems(_ apps: String) throws -> [String] {
        try SettingsFixture.problems(["PHOTOLALA_SIGN_IN_APPS": apps], flags: SettingsFixture.dev)
    }

    @Test("apps are read with names and redirect URIs, and the default is none")
    func given() throws {
        let apps = try read(
            #"{"b.app":{"name":"B","redirectURIs":["b.app:/x"]},"a":{"name":"A","redirectURIs":["https://a.example/"]}}"#
        )
        #expect(
            apps == [
                AppClient(id: "a", name: "A", redirectURIs: ["https://a.example/"]),
                AppClient(id: "b.app", name: "B", redirectURIs: ["b.app:/x"]),
            ])
        #expect(try SettingsFixture.read([:], flags: SettingsFixture.dev).apps.isEmpty)
    }

    @Test("a malformed app is reported")
    func refused() throws {
        let shape = "must be an object with only name and redirectURIs"
        for value in [
            #""x""#, #"{"name":"A"}"#, #"{"name":"A","redirectURIs":"https://a"}"#,
            #"{"name":"A","redirectURIs":["https://a.example/"],"secret":"s"}"#,
        ] {
            #expect(try problems(#"{"a":\#(value)}"#) == ["signIn.apps.a: \(shape)"])
        }
        #expect(
            try problems(#"{"photolala":{"name":"P","redirectURIs":["https://a.example/"]}}"#)
                == ["signIn.apps.photolala: reserved for the command line program"])
        #expect(
            try problems(#"{"a":{"name":"A","redirectURIs":["http://a.example/",1]}}"#).count == 2)
    }
}
