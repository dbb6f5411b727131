import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

/// Selects between a new authentication and the pending identity of the last sign-in.
struct PendingOption: ParsableArguments {
    @Flag(help: "Use the proof of the sign-in on this device that has just found no account.")
    var pending = false

    func identity(
        _ options: IdentityOptions, for purpose: ChallengePurpose, in session: PhotolalaSession
    ) async throws -> SignInCredential {
        guard pending else { return .credential(try await options.credential(for: purpose, in: session)) }
        guard options.isEmpty else {
            throw CommandFailure(
                "--pending has its proof already; leave --provider and the others out.", status: .wrongUsage
            )
        }
        return .pending(try await Self.stored(in: session))
    }

    /// Returns the pending identity of the last sign-in on this device.
    static func stored(in session: PhotolalaSession) async throws -> PendingIdentity {
        guard let kept = try await session.pendingIdentity() else {
            throw CommandFailure(
                "There is no proof to use: it ends 10 minutes after the sign-in that found no account.",
                code: .invalidPendingIdentity, advice: ["Name the provider instead: --provider google"],
                status: .signInRejected
            )
        }
        return kept
    }
}
