import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct SignUpCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "signup", abstract: "Create an account.",
        discussion: """
            Opens the server's sign-up page in your browser; --no-browser prints the URL instead. --dev-user and \
            --id-token-file use no browser and never sign in to an existing account.
            """
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var code: DeviceCodeOption
    @OptionGroup var pending: PendingOption
    @Option(help: "Your name in the profile.") var name: String?
    @OptionGroup var device: DeviceOptions
    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }
    var deviceName: String? { device.deviceName }

    func validate() throws {
        try TextChecks.check(name, of: "--name", limit: 200)
        try code.check(identity)
        guard pending.pending || !identity.usesBrowser else {
            guard name == nil else { throw ValidationError("Omit --name: the sign-up page asks for it.") }
            return
        }
        guard !pending.pending || (!identity.noBrowser && !code.deviceCode) else {
            throw ValidationError("--pending cannot be used with --no-browser or --device-code.")
        }
    }

    func perform(_ context: CommandContext) async throws -> SignedInResult {
        let session = context.session
        if identity.usesBrowser, !pending.pending {
            let user = try await code.signIn(identity, createsAccount: true, in: session)
            return SignedInResult(
                user: user, server: session.server.description, device: try await session.device(), isNewUser: nil)
        }
        let proven = try await pending.identity(identity, for: .signup, in: session)
        do throws(PhotolalaError) {
            let user = try await session.signUp(proven, fullName: name)
            return SignedInResult(
                user: user, server: session.server.description, device: try await session.device(), isNewUser: true
            )
        } catch {
            guard error.code == .accountAlreadyExists else { throw error }
            throw CommandFailure(
                error,
                advice: ["Sign in:  photolala signin \(identity.provider.map(identity.commandLineOptions(for:)) ?? "")"]
            )
        }
    }
}
