import PhotolalaAPI
import PhotolalaClient

/// The next commands to suggest after an error.
enum Advice {
    static func general(for error: PhotolalaError) -> [String] {
        switch error.code {
        case .notSignedIn, .sessionEnded, .unauthorized:
            [
                "Sign in:   photolala signin   (in your browser, with what you used before)",
                "New here?  photolala signup",
            ]
        case .localStateUnusable:
            ["Sign in again, which forgets it:  photolala signin"]
        case .alreadySignedIn:
            [
                "To use another account here, sign out first:       photolala signout",
                "To be another device on this machine, add:         --profile-dir DIR",
                "To open this account with another provider, too:   photolala link --provider google",
            ]
        case .anotherServer:
            [
                "To go on there, leave --server and $PHOTOLALA_SERVER out.",
                "To use the other server here, sign out first:  photolala signout",
                "To be another device on this machine, add:     --profile-dir DIR",
            ]
        case .quotaExceeded:
            [
                "See what is stored:       photolala whoami",
                "Make room:                photolala trash put PATH, and after 30 days photolala trash purge",
            ]
        case .catalogDamaged:
            ["Go back to the newest one that can be read; no photo is lost:  photolala repair-catalog"]
        case .accountAlreadyExists:
            ["Sign in instead, with the same options:  photolala signin"]
        case .providerAlreadyLinked:
            ["It opens another account; sign in there and unlink it first if you want it here."]
        case .reauthenticationRequired:
            [
                "For this you must have proved who you are within the last 10 minutes. Prove it again, with a",
                "provider that opens this account, and repeat the command:",
                "  photolala reauthenticate",
            ]
        case .lastProvider: ["Link another provider first:  photolala link --provider google"]
        case .identityTooNew: ["Sign in with a provider that you linked earlier:  photolala signin --provider PROVIDER"]
        case .unlinkPending:
            [
                "Sign in with a provider that you linked earlier, or undo the unlinking there:",
                "  photolala unlink --undo PROVIDER",
            ]
        case .serverUnreachable: ["Is the server running, and is this the right address (--server)?"]
        case .noAnswer: ["Is the server running? If so, try again in a moment."]
        case .outcomeUnknown: ["Look before you repeat it:  photolala whoami"]
        case .rateLimited:
            error.detail.contains("Try again in ") ? [] : ["Try again in \(error.retryAfter ?? 60) seconds."]
        case .temporarilyUnavailable: ["Try again in a moment."]
        case .unknownProvider: ["This server does not know this provider."]
        case .invalidPendingIdentity: ["It was used or is older than 10 minutes. Start with the provider again."]
        default: []
        }
    }

    /// Returns the advice for a sign-in in a browser if standard error is not a terminal.
    /// - Parameter codeCommand: The current subcommand, if it supports `--device-code`.
    static func withoutTerminal(codeCommand: String?) -> [String] {
        ["To show the address all the same:        --no-browser"]
            + (codeCommand.map { ["To sign in with a code typed elsewhere:  photolala \($0) --device-code"] } ?? [])
            + ["To bring a proof, for scripts:           --provider NAME with --id-token-file FILE"]
    }

    /// Returns the advice for unlinking the last active link while other unlinkings are pending.
    static func lastProvider(pending: [LinkedProvider]) -> [String] {
        ["Keep a provider that is about to be unlinked:"]
            + pending.map { "  photolala unlink --undo \($0.provider)" }
    }

    /// Returns the advice after a sign-in that found no account and created none.
    /// - Parameter options: Returns the options for a provider that authenticate in the same way as this command.
    static func noAccount(
        provider: ProviderName, hints: [AccountHint], options: (ProviderName) -> String
    ) -> [String] {
        var lines = ["Nothing was created."]
        let other: ProviderName = provider == .apple ? .google : .apple
        lines.append(
            hints.isEmpty
                ? "Did you use another provider before? Sign in with that one:"
                : "You have an account that opens with another provider:"
        )
        let others = hints.isEmpty ? [other] : hints.map(\.provider)
        lines += others.map { "  photolala signin \(options($0))" }
        lines.append("To let \(provider) open that account from then on (within 10 minutes, on this device):")
        lines += others.map { "  photolala signin \(options($0)) --link-pending" }
        return lines + [
            "New here? Create an account:",
            "  photolala signup --pending   (within 10 minutes)   or   photolala signup \(options(provider))",
        ]
    }
}
