import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

/// Selects between a new authentication and the pending identity of the last sign-in.
struct PendingOption: ParsableArguments {
    @Flag(help: "Use the identity of the last sign-in on this device that found no account.")
    var pending = false

    func identity(
        _ options: IdentityOptions, for purpose: ChallengePurpose, in session: PhotolalaSession
    ) async throws -> SignInCredential {
        guard pending else { return .credential(try await options.credential(for: purpose, in: session)) }
        guard options.isEmpty else {
            throw CommandFailure(
                "--pending cannot be used with --provider or other sign-in options.", status: .wrongUsage
            )
        }
        return .pending(
            try await Self.stored(in: session, advice: "Use a provider instead of --pending:  --provider PROVIDER"))
    }

    /// Returns the pending identity of the last sign-in on this device.
    /// - Parameter advice: What the user can do if there is none.
    static func stored(in session: PhotolalaSession, advice: String) async throws -> PendingIdentity {
        guard let pending = try await session.pendingIdentity() else {
            throw CommandFailure(
                "No pending identity. It expires 10 minutes after the sign-in that found no account.",
                code: .invalidPendingIdentity, advice: [advice], status: .signInRejected
            )
        }
        return pending
    }
}
