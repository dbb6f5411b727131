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

    @Flag(help: "Then let the provider open the account whose sign-in on this device has just found none.")
    var linkPending = false

    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }
    var deviceName: String? { device.deviceName }

    func perform(_ context: CommandContext) async throws -> SignedInResult {
        let session = context.session
        let pending = linkPending ? try await PendingOption.kept(in: session) : nil
        let proof = try await identity.proof(for: .signin, in: session)
        let user = try await signIn(proof, pending, session)
        return SignedInResult(
            user: user, server: session.server.description, device: try await session.device(), isNewUser: false
        )
    }

    private func signIn(
        _ proof: ProviderProof, _ pending: PendingIdentity?, _ session: PhotolalaSession
    ) async throws -> User {
        do throws(PhotolalaError) {
            guard let pending else { return try await session.signIn(proof) }
            let signedIn = try await session.signIn(proof, linking: pending)
            guard let failure = signedIn.failure else { return signedIn.user }
            throw failure
        } catch {
            switch error.code {
            case .noAccountFound:
                let advice = Advice.noAccount(provider: proof.provider, options: identity.spelled, hints: error.hints)
                throw CommandFailure(error, advice: advice)
            case .providerAlreadyLinked, .invalidPendingIdentity:
                throw CommandFailure(
                    error, advice: ["You are signed in; nothing was linked."] + Advice.general(for: error))
            default: throw error
            }
        }
    }
}
