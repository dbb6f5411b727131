import PhotolalaAPI

/// Descriptions of audit events for people.
enum HistoryStrings {
    /// Returns the description of an event, or its name if this version does not know it.
    static func text(_ act: AuditAction) -> String { known[act] ?? Terminal.sanitized(act.rawValue) }

    private static let known: [AuditAction: String] = [
        .accountCreated: "account created",
        .providerLinked: "linked",
        .providerUnlinkRequested: "asked to unlink, after a delay",
        .providerUnlinkUndone: "kept: unlinking undone",
        .providerUnlinked: "unlinked",
        .providerReactivated: "linked again",
        .providerTransferred: "moved along with the app",
        .providerRevoked: "withdrawn by the provider; its sessions ended",
        .providerSessionsEnded: "the provider asks for a new sign-in; its sessions ended",
        .deletionRequested: "asked at the provider for the deletion of this account",
        .signedIn: "signed in",
        .reauthenticated: "proved identity again",
        .signedOut: "signed out",
        .signedOutEverywhere: "signed out everywhere",
        .refreshTokenReused: "session ended: an old token came again",
        .deviceRemoved: "removed device",
        .deviceForgotten: "forgot device after 90 days:",
        .deviceDisplaced: "removed device, too many were signed in:",
        .subscriptionChanged: "subscription or storage plan changed",
        .quotaNearLimit: "four fifths of the storage are used",
        .quotaExceeded: "more is stored than the plan holds",
        .logUnverified: "what is older could not be proven to be genuine",
    ]
}
