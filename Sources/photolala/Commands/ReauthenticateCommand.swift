import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct ReauthenticateCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauthenticate", abstract: "Authenticate again, for commands that require it.",
        discussion: """
            Commands that change how you sign in, export or delete require authentication within the last 10 minutes. \
            Use a provider that is linked to the signed-in account. Opens the server's page in \
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
                refusal(error), advice: ["Use a provider that is linked to your account. List them:  photolala link"]
            )
        } catch let error as PhotolalaError where error.code == .identityTooNew {
            throw CommandFailure(
                error,
                advice: [
                    "Use a provider that was linked before this one. List them, oldest first:  photolala link",
                    "Then run:  photolala reauthenticate --provider PROVIDER",
                ])
        }
        return DoneResult(summary: "Reauthenticated for the next 10 minutes.")
    }

    /// Describes a refused ID token. The server does not tell an invalid token from one of another identity; that of a
    /// test user is always valid.
    private func refusal(_ error: PhotolalaError) -> PhotolalaError {
        guard !identity.usesBrowser else { return error }
        var refusal = error
        refusal.detail =
            identity.devUser != nil
            ? "This identity is not linked to your account."
            : "The ID token is invalid, or its identity is not linked to your account."
        return refusal
    }
}
