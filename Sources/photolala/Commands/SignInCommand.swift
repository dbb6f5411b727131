import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct SignInCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Sign in to your account on this device.",
        discussion: """
            Opens the server's sign-in page in your browser; --no-browser prints the URL instead. --dev-user and \
            --id-token-file use no browser and never create an account.
            """
    )

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var code: DeviceCodeOption
    @OptionGroup var device: DeviceOptions

    @Flag(help: "Also link the provider whose sign-in on this device just found no account.")
    var linkPending = false

    @OptionGroup var common: CommonOptions

    var forgetsUnusable: Bool { true }
    var deviceName: String? { device.deviceName }

    func validate() throws { try code.check(identity) }

    func perform(_ context: CommandContext) async throws -> SignedInResult {
        let session = context.session
        let pending =
            linkPending
            ? try await PendingOption.stored(
                in: session,
                advice: "Sign in without --link-pending, then add the provider:  photolala link --provider PROVIDER")
            : nil
        let (user, keptProviders): (User, [LinkedProvider])
        if identity.usesBrowser {
            guard pending == nil else {
                throw CommandFailure(
                    "--link-pending requires --dev-user or --id-token-file; the browser page offers to link.",
                    advice: ["Omit --link-pending."], status: .wrongUsage)
            }
            // The tokens of a browser sign-in come without the changes to the account.
            (user, keptProviders) = (try await code.signIn(identity, createsAccount: false, in: session), [])
        } else {
            (user, keptProviders) = try await signIn(
                try await identity.credential(for: .signin, in: session), pending, session)
        }
        return SignedInResult(
            user: user, server: session.server.description, device: try await session.device(),
            isNewUser: identity.usesBrowser ? nil : false, keptProviders: keptProviders.isEmpty ? nil : keptProviders
        )
    }

    private func signIn(
        _ proof: ProviderCredential, _ pending: PendingIdentity?, _ session: PhotolalaSession
    ) async throws -> (User, [LinkedProvider]) {
        do throws(PhotolalaError) {
            guard let pending else {
                let signedIn = try await session.signInReport(proof)
                return (signedIn.user, signedIn.keptProviders)
            }
            let signedIn = try await session.signIn(proof, linking: pending)
            guard let failure = signedIn.failure else { return (signedIn.user, signedIn.keptProviders) }
            // Printed here, because the failure suppresses the result.
            for line in LinkedProviderLines.kept(signedIn.keptProviders) { Terminal.writeNotice(line) }
            throw failure
        } catch {
            switch error.code {
            case .noAccountFound:
                let advice = Advice.noAccount(
                    provider: proof.provider, hints: error.hints, options: identity.commandLineOptions(for:))
                throw CommandFailure(error, advice: advice)
            case .providerAlreadyLinked, .invalidPendingIdentity, .unlinkPending, .identityTooNew:
                throw CommandFailure(
                    error, advice: ["Signed in, but nothing was linked."] + Advice.general(for: error))
            default: throw error
            }
        }
    }
}
