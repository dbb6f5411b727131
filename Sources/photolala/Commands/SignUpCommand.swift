import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct SignUpCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "signup", abstract: "Create an account.",
        discussion: "Never signs in to an account that exists already; that is what `photolala signin` does."
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pending: PendingOption
    @Option(help: "What to call you in your profile.") var name: String?
    @OptionGroup var device: DeviceOptions
    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }
    var deviceName: String? { device.deviceName }

    func validate() throws { try Texts.check(name, of: "--name", limit: 200) }

    func perform(_ context: CommandContext) async throws -> SignedInResult {
        let session = context.session
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
                advice: ["Sign in:  photolala signin \(identity.spelled)"]
            )
        }
    }
}
