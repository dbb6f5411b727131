import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct ReauthenticateCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauthenticate", abstract: "Prove again who you are, to link or unlink.",
        discussion: """
            With a provider that opens the account that is signed in here. Good for 10 minutes. Opens the server's page \
            for it in your browser; --no-browser only shows the address. With --dev-user or --id-token-file nothing is \
            opened.
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
                error, advice: ["Only what opens your account proves that you are there:  photolala link   lists it."]
            )
        }
        return DoneResult(summary: "Proved. You can link and unlink for the next 10 minutes.")
    }
}
