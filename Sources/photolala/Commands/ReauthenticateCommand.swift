import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct ReauthenticateCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauthenticate", abstract: "Authenticate again, as link and unlink require.",
        discussion: """
            Requires a provider that is linked to the signed-in account. Valid for 10 minutes. Opens the server's page in \
            your browser; --no-browser prints the URL instead. --dev-user and --id-token-file use no browser.
            """
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> DoneResult {
        do {
            if identity.usesBrowser {
                try await identity.browser(in: context.session).reauthenticate()
            } else {
                let proof = try await identity.credential(for: .reauthenticate, in: context.session)
                try await context.session.reauthenticate(proof)
            }
        } catch let error as PhotolalaError where error.code == .invalidToken {
            throw CommandFailure(
                error, advice: ["Use a provider that is linked to your account. List them:  photolala link"]
            )
        }
        return DoneResult(summary: "Reauthenticated. You can link and unlink for the next 10 minutes.")
    }
}
