import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct ReauthenticateCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauthenticate", abstract: "Prove again who you are, to link or unlink.",
        discussion: "With a provider that opens the account that is signed in here. Good for 10 minutes."
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> DoneResult {
        let proof = try await identity.proof(for: .reauthenticate, in: context.session)
        do throws(PhotolalaError) {
            try await context.session.reauthenticate(proof)
        } catch {
            guard error.code == .invalidToken else { throw error }
            throw CommandFailure(
                error, advice: ["Only what opens your account proves that you are there:  photolala link   lists it."]
            )
        }
        return DoneResult(summary: "Proved. You can link and unlink for the next 10 minutes.")
    }
}
