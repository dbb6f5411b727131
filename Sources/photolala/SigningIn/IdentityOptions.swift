import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

/// The options that select how the user authenticates.
struct IdentityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Identity provider: apple, google, …", valueName: "name"),
        completion: .list(ProviderName.builtIn.map(\.description)),
        transform: { text in
            // Names have no capitals, but people write “Google”.
            guard let name = ProviderName(text.lowercased()) else {
                throw ValidationError("a name has letters, digits and hyphens")
            }
            return name
        })
    var provider: ProviderName?

    @Option(
        help: ArgumentHelp(
            "With a `dev` server: sign in as this test user, without a browser. Letters, digits, “.”, “-” and “_”.",
            valueName: "name"
        ))
    var devUser: String?

    @Option(
        help: ArgumentHelp(
            "File with the provider's ID token; “-” for standard input.", valueName: "file"
        ), completion: .file())
    var idTokenFile: String?

    @Flag(help: "Print the sign-in URL instead of opening a browser.")
    var noBrowser = false

    @Option(help: ArgumentHelp("Challenge that the ID token contains as its nonce.", valueName: "text"))
    var challenge: String?

    func validate() throws {
        if let devUser {
            let allowed = devUser.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard allowed, (1...64).contains(devUser.utf8.count) else {
                throw ValidationError("--dev-user must have 1 to 64 letters, digits, “.”, “-” or “_”.")
            }
        }
        try TextChecks.check(idTokenFile, of: "--id-token-file", expects: "a file")
        try TextChecks.check(challenge, of: "--challenge", expects: "a challenge")
        if devUser != nil, idTokenFile != nil {
            throw ValidationError("--dev-user and --id-token-file cannot be used together.")
        }
        if noBrowser, !usesBrowser {
            throw ValidationError("--no-browser cannot be used with --dev-user or --id-token-file.")
        }
        if challenge != nil, idTokenFile == nil { throw ValidationError("--challenge requires --id-token-file.") }
    }

    /// Whether the user authenticates on the server's pages.
    var usesBrowser: Bool { devUser == nil && idTokenFile == nil }

    /// Whether no option is set.
    var isEmpty: Bool { usesBrowser && provider == nil && !noBrowser }

    /// Returns the authentication in the user's browser.
    /// - Parameter codeCommand: The current subcommand, if it supports `--device-code`.
    /// - Throws: An error if standard error is not a terminal and `--no-browser` is not set.
    func browser(in session: PhotolalaSession, codeCommand: String? = nil) throws -> BrowserIdentity {
        guard noBrowser || Terminal.isInteractive else {
            throw CommandFailure(
                "Cannot open a browser: standard error is not a terminal.",
                advice: Advice.withoutTerminal(codeCommand: codeCommand), status: .wrongUsage)
        }
        return BrowserIdentity(session: session, opensBrowser: !noBrowser, provider: provider)
    }

    /// Returns the options that authenticate with a provider in the same way, for a suggested command.
    func commandLineOptions(for provider: ProviderName) -> String {
        let option =
            devUser.map { " \(SuggestedCommand.option("--dev-user", $0))" }
            ?? (idTokenFile == nil ? "" : " --id-token-file FILE")
        return "--provider \(provider)\(option)"
    }

    func chosenProvider() throws -> ProviderName {
        guard let provider else {
            throw CommandFailure(
                "No provider given.", advice: ["Add --provider apple or --provider google."], status: .wrongUsage
            )
        }
        return provider
    }

    /// Returns the result of the development provider, or the ID token from the file.
    func credential(for purpose: ChallengePurpose, in session: PhotolalaSession) async throws -> ProviderCredential {
        let provider = try chosenProvider()
        if let devUser {
            return try await DevelopmentIdentity(session: session, provider: provider).credential(
                of: devUser, for: purpose)
        }
        guard let idTokenFile else {
            throw CommandFailure("Add --id-token-file FILE or --dev-user NAME.", status: .wrongUsage)
        }
        return ProviderCredential(
            provider: provider, idToken: try IdentityTokenFile.token(in: idTokenFile), challenge: challenge)
    }
}
