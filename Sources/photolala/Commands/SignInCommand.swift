import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct SignInCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Sign in to your account on this device.",
        discussion: "Never creates an account: the wrong provider is told, and nothing happens."
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }
    var deviceName: String? { device.deviceName }

    func perform(_ context: CommandContext) async throws -> SignedInResult {
        let session = context.session
        let proof = try await identity.proof(for: .signin, in: session)
        do throws(PhotolalaError) {
            let user = try await session.signIn(proof)
            return SignedInResult(
                user: user, server: session.server.description, device: try await session.device(), isNewUser: false
            )
        } catch {
            guard error.code == .noAccountFound else { throw error }
            throw CommandFailure(
                error,
                advice: Advice.noAccount(provider: proof.provider, options: identity.spelled, hints: error.hints)
            )
        }
    }
}
