import Operators

/// What an operator does through the operator API. The raw value is the name in the operator log.
package enum OperatorAction: String, Sendable, CaseIterable {
    case findIdentity = "identity.find"
    case listAccounts = "account.list"
    case showAccount = "account.show"
    case showHistory = "account.history"
    case showSubscriptions = "account.subscriptions"
    case endSessions = "account.end-sessions"
    case disableAccount = "account.disable"
    case enableAccount = "account.enable"
    case countUsage = "account.count-usage"
    case challengeMove = "identity.move-challenge"
    case requestMove = "identity.move"
    case completeMove = "identity.complete-move"
    case cancelMove = "identity.cancel-move"
    case scheduleDeletion = "account.delete"
    case cancelDeletion = "account.undelete"
    case placeHold = "account.hold"
    case releaseHold = "account.release"
    case exportAccount = "account.export"
    case listSharedLinks = "shared-link.list"
    case findSharedLink = "shared-link.find"
    case disableSharedLink = "shared-link.disable"
    case enableSharedLink = "shared-link.enable"
    case listJobs = "job.list"
    case startJob = "job.start"
    case readLog = "operator.log"
    case openConsole = "console.open"

    /// The least role that may do it.
    package var role: OperatorRole {
        switch self {
        case .findIdentity, .listAccounts, .showAccount, .showHistory, .showSubscriptions, .listSharedLinks,
            .findSharedLink, .listJobs, .openConsole:
            .read
        case .endSessions, .disableAccount, .enableAccount, .countUsage, .challengeMove, .requestMove, .completeMove,
            .cancelMove, .disableSharedLink, .enableSharedLink:
            .support
        case .scheduleDeletion, .cancelDeletion, .placeHold, .releaseHold, .exportAccount, .startJob, .readLog: .admin
        }
    }
}
