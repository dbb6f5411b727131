import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

/// The options that select how the user authenticates.
struct IdentityOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who vouches for you: apple, google, ….", valueName: "name"))
    var provider: ProviderName?

    @Option(
        help: ArgumentHelp(
            "In `dev`: be this test person, without a browser. Letters, digits, “.”, “-” and “_”.", valueName: "name"
        ))
    var devUser: String?

    @Option(
        help: ArgumentHelp(
            "A file with the provider's identity token, “-” for standard input.", valueName: "file"
        ))
    var idTokenFile: String?

    @Flag(help: "Only show the address of the sign-in page, and open no browser.")
    var noBrowser = false

    @Option(help: ArgumentHelp("The challenge that the token in the file answers as its nonce.", valueName: "text"))
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
                throw ValidationError("--dev-user takes 1 to 64 letters, digits, “.”, “-” or “_”.")
            }
        }
        try TextChecks.check(idTokenFile, of: "--id-token-file", takes: "the name of a file")
        try TextChecks.check(challenge, of: "--challenge", takes: "a challenge")
        if devUser != nil, idTokenFile != nil {
            throw ValidationError("Choose --dev-user or --id-token-file, not both.")
        }
        if noBrowser, !usesBrowser { throw ValidationError("--no-browser belongs to a sign-in in a browser.") }
        if challenge != nil, idTokenFile == nil { throw ValidationError("--challenge belongs to --id-token-file.") }
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
                "Standard error is no terminal, so no browser is opened.",
                advice: Advice.withoutTerminal(codeCommand: codeCommand), status: .wrongUsage)
        }
        return BrowserIdentity(session: session, opensBrowser: !noBrowser, provider: provider)
    }

    /// Returns the options that authenticate with a provider in the same way, for a suggested command.
    func commandLineOptions(for provider: ProviderName) -> String {
        let way = devUser.map { " --dev-user \($0)" } ?? (idTokenFile == nil ? "" : " --id-token-file FILE")
        return "--provider \(provider)\(way)"
    }

    func chosenProvider() throws -> ProviderName {
        guard let provider else {
            throw CommandFailure(
                "Which provider?", advice: ["Add --provider apple or --provider google."], status: .wrongUsage
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

extension ProviderName: ExpressibleByArgument {}
