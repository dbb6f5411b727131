import PhotolalaAPI

/// Descriptions of audit events for people.
enum HistoryStrings {
    /// Returns the description of an event, or its name if this version does not know it.
    static func text(_ action: AuditAction) -> String { known[action] ?? Terminal.sanitized(action.rawValue) }

    private static let known: [AuditAction: String] = [
        .accountCreated: "account created",
        .providerLinked: "sign-in method linked",
        .providerUnlinkRequested: "unlinking requested",
        .providerUnlinkUndone: "unlinking cancelled",
        .providerMoveRequested: "move of a sign-in method requested by support",
        .providerMoveCancelled: "move of a sign-in method cancelled",
        .providerUnlinked: "sign-in method unlinked",
        .providerReactivated: "sign-in method linked again",
        .providerTransferred: "sign-in method updated by an app transfer",
        .providerRevoked: "sign-in method revoked by the provider; its sessions ended",
        .providerSessionsEnded: "sessions ended by the provider",
        .accountExported: "account exported",
        .holdPlaced: "legal hold placed",
        .holdReleased: "legal hold released",
        .accountDisabled: "account disabled; all sessions ended",
        .accountEnabled: "account enabled",
        .deletionRequested: "account deletion scheduled",
        .deletionCancelled: "account deletion cancelled",
        .accountDeleted: "account deleted",
        .signedIn: "signed in",
        .reauthenticated: "reauthenticated",
        .signedOut: "signed out",
        .signedOutEverywhere: "signed out everywhere",
        .refreshTokenReused: "session ended: refresh token reused",
        .deviceRemoved: "device removed",
        .deviceForgotten: "device removed (inactive for 90 days)",
        .deviceDisplaced: "device removed (device limit reached)",
        .subscriptionChanged: "subscription or storage plan changed",
        .quotaNearLimit: "storage 80% used",
        .quotaExceeded: "storage quota exceeded",
        .sharedLinkCreated: "shared link created",
        .sharedLinkChanged: "shared link changed",
        .sharedLinkDeleted: "shared link deleted",
        .sharedLinkDisabled: "shared link disabled",
        .sharedLinkEnabled: "shared link enabled",
        .logUnverified: "older entries could not be verified",
    ]
}
