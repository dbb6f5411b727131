import PhotolalaAPI
import PhotolalaClient

/// The next commands to suggest after an error.
enum Advice {
    /// Returns the description of an error for a user of the command line. The server's own is for client developers
    /// where it names endpoints or header fields.
    static func detail(of error: PhotolalaError) -> String {
        switch error.code {
        case .reauthenticationRequired: "This requires authentication within the last 10 minutes."
        case .challengeRequired: "This server requires an ID token with a challenge from it as the nonce."
        case .profileUnreadable where error.status != nil: "The profile of your account is malformed."
        default: error.detail
        }
    }

    static func general(for error: PhotolalaError) -> [String] {
        switch error.code {
        case .sessionEnded, .unauthorized: ["Sign in:  photolala signin"]
        case .notSignedIn:
            [
                "Sign in:            photolala signin",
                "Create an account:  photolala signup",
            ]
        case .localStateUnusable:
            ["Sign in again to replace it:  photolala signin"]
        case .localStorageFailed:
            ["To keep the state of this device in another folder, add:  --profile-dir DIR"]
        case .alreadySignedIn:
            [
                "To use another account, sign out first:   photolala signout",
                "To use a separate profile, add:           --profile-dir DIR",
                "To add a sign-in method to this account:  photolala link --provider google",
            ]
        case .anotherServer:
            [
                "To keep using that server, omit --server and unset PHOTOLALA_SERVER.",
                "To use another server, sign out first:  photolala signout",
                "To use a separate profile, add:         --profile-dir DIR",
            ]
        case .quotaExceeded:
            [
                "Show usage:     photolala whoami",
                "Delete photos:  photolala trash put PATH, then photolala trash purge PATH --now",
            ]
        case .accountDisabled:
            ["To have it enabled, contact the operator."]
        case .accountDeleting, .storageReadOnly:
            ["To keep the account, cancel its deletion:  photolala delete-account --cancel"]
        case .noDeletionScheduled: ["Show the state of a deletion:  photolala delete-account --receipt CODE"]
        case .notFound where error.cause?.code == .unknownAlbum: ["To list your albums:  photolala album list"]
        case .notFound where error.cause?.code == .notInLibrary: ["To list your photos:  photolala list"]
        case .notFound where error.cause?.code == .inTrash:
            [
                "To restore it:  "
                    + SuggestedCommand.text("photolala trash restore ?", error.cause?.parameters?["path"] ?? "PATH")
            ]
        case .notFound where error.cause?.code == .notInTrash: ["To list the trash:  photolala trash list"]
        case .noCatalogCopy:
            ["To create one, run with a connection:  photolala list --count"]
        case .catalogDamaged:
            ["Repair the catalog; stored photos are not deleted:  photolala repair-catalog"]
        case .accountAlreadyExists:
            ["Sign in with the same options instead:  photolala signin"]
        case .providerAlreadyLinked:
            [
                "To link it here, sign in to that account, link another provider there if it has no other, and unlink this one."
            ]
        case .reauthenticationRequired:
            ["Reauthenticate, then run the command again:  photolala reauthenticate"]
        case .lastProvider: ["Add another sign-in method first:  photolala link --provider PROVIDER"]
        case .identityTooNew:
            [
                "Sign in with a provider that you linked earlier:  photolala signin --provider PROVIDER",
                "To change the identity on this device, sign out first:  photolala signout",
            ]
        case .unlinkPending:
            [
                "Sign in with a provider that you linked earlier:          photolala signin --provider PROVIDER",
                "To cancel an unlink that “photolala whoami” shows:        photolala unlink --undo PROVIDER",
            ]
        case .serverUnreachable: ["Check your network connection and the server URL (--server, $PHOTOLALA_SERVER)."]
        case .serverNotTrusted: ["Check that --server is correct and that its certificate is valid."]
        case .noResponse: ["Check that the server is running, then try again."]
        case .outcomeUnknown: ["Check the result before you run the command again:  photolala whoami"]
        case .rateLimited:
            error.detail.contains("Try again in ")
                ? [] : ["Try again in \(Counted.text(error.retryAfter ?? 60, "second"))."]
        case .temporarilyUnavailable: error.cause?.code == .purgeInProgress ? [] : ["Try again in a moment."]
        case .unknownProvider: ["The server does not support this provider."]
        case .invalidPendingIdentity: ["It was already used or has expired after 10 minutes. Sign in again."]
        default: []
        }
    }

    /// Returns the advice for a sign-in in a browser if standard error is not a terminal.
    /// - Parameter codeCommand: The current subcommand, if it supports `--device-code`.
    static func withoutTerminal(codeCommand: String?) -> [String] {
        ["To print the sign-in URL:         --no-browser"]
            + (codeCommand.map { ["To sign in with a device code:    photolala \($0) --device-code"] } ?? [])
            + ["To use an ID token, for scripts:  --provider NAME with --id-token-file FILE"]
    }

    /// Returns the advice for unlinking the last active link while other unlinkings are pending.
    static func lastProvider(pending: [LinkedProvider]) -> [String] {
        ["Cancel a pending unlinking first:"]
            + pending.map { "  photolala unlink --undo \($0.provider)" }
    }

    /// Returns the advice after a sign-in that found no account and created none.
    /// - Parameter options: Returns the options for a provider that authenticate in the same way as this command.
    static func noAccount(
        provider: ProviderName, hints: [AccountHint], options: (ProviderName) -> String
    ) -> [String] {
        var lines = ["No account was created."]
        let other: ProviderName = provider == .apple ? .google : .apple
        lines.append(
            hints.isEmpty
                ? "If you used another provider before, sign in with it:"
                : "You have an account with another provider:"
        )
        let others = hints.isEmpty ? [other] : hints.map(\.provider)
        lines += others.map { "  photolala signin \(options($0))" }
        lines.append("To also link \(provider) to that account (within 10 minutes, on this device):")
        lines += others.map { "  photolala signin \(options($0)) --link-pending" }
        return lines + [
            "To create an account:",
            "  photolala signup --pending   (within 10 minutes)   or   photolala signup \(options(provider))",
        ]
    }
}
