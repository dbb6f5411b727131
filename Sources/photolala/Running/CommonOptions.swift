import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

/// The options that all subcommands share.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Server URL. Default: $PHOTOLALA_SERVER, the server of this device's last sign-in, or http://127.0.0.1:8080.",
            valueName: "url"
        ))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Profile folder. Default: $PHOTOLALA_PROFILE_DIR, $XDG_CONFIG_HOME/photolala, or ~/.photolala.",
            valueName: "dir"
        ), completion: .directory)
    var profileDir: String?

    @Flag(help: "Print results and errors as JSON.")
    var json = false

    @Flag(help: "Allow unencrypted HTTP to a server on another machine.")
    var allowPlainHttp = false

    func validate() throws {
        try TextChecks.check(server, of: "--server", expects: "a URL")
        try TextChecks.check(profileDir, of: "--profile-dir", expects: "a folder")
    }

    static let defaultServer = "http://127.0.0.1:8080"

    /// Returns the profile folder from the option, the environment or the system's conventions.
    func profileURL(environment: [String: String]) -> URL {
        if let path = Self.value(profileDir) ?? Self.value(environment["PHOTOLALA_PROFILE_DIR"]) {
            return URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
        }
        if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") {
            return URL(fileURLWithPath: config).appendingPathComponent("photolala")
        }
        if let home = environment["HOME"], home.hasPrefix("/") {
            return URL(fileURLWithPath: home).appendingPathComponent(".photolala")
        }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".photolala")
    }

    /// - Parameter stored: The server at which the profile is or was last signed in.
    func serverAddress(environment: [String: String], stored: String?) throws(PhotolalaError) -> ServerAddress {
        if let paired = try pairedServer(environment: environment) { return paired.address }
        return try ServerAddress(
            givenServer(environment) ?? stored ?? Self.defaultServer, allowsPlainHTTP: allowPlainHttp)
    }

    /// Returns the server in pairing mode whose code was given instead of an address; `nil` for an address.
    func pairedServer(environment: [String: String]) throws(PhotolalaError) -> PairedServer? {
        guard let text = givenServer(environment), PairedServer.isCode(text) else { return nil }
        return try PairedServer(text)
    }

    /// Returns the options of a command that runs in another environment: the profile, and a server that is given. The
    /// server of the last sign-in is read from the profile.
    func serviceArguments(environment: [String: String]) -> [String] {
        ["--profile-dir", profileURL(environment: environment).standardizedFileURL.path]
            + (givenServer(environment).map { ["--server", $0] } ?? [])
            + (allowPlainHttp ? ["--allow-plain-http"] : [])
    }

    /// Returns the advice to add the given profile to the commands that a text contains; `nil` if there are none, or the
    /// commands have the profile without it.
    func profileAdvice(for text: String) -> String? {
        guard let folder = Self.value(profileDir), text.contains(/(?:  |^)photolala [a-z]/.anchorsMatchLineEndings())
        else {
            return nil
        }
        let place = text.contains(" -- ") ? ", before “--”" : ""
        return "Add to these commands\(place):  \(SuggestedCommand.option("--profile-dir", folder))"
    }

    /// Whether an option or the environment names the server.
    func isServerGiven(environment: [String: String]) -> Bool { givenServer(environment) != nil }

    private func givenServer(_ environment: [String: String]) -> String? {
        Self.value(server) ?? Self.value(environment["PHOTOLALA_SERVER"])
    }

    private static func value(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
