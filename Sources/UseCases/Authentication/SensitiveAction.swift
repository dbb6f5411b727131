import Foundation

/// The actions that require recent authentication, so that a stolen session alone cannot perform them.
package enum SensitiveAction: CaseIterable, Sendable {
    case link
    case unlink
    case removeDevice
    case signOutEverywhere
    /// Opens a session that can outlive the approving one.
    case authorizeApp
    /// Moves a paid subscription to another account.
    case moveSubscription
    /// Deletes photos that cannot be restored.
    case purgeTrash
    /// Deletes the account.
    case deleteAccount
    /// Takes a copy of everything that is stored about the person.
    case exportAccount
    /// Changes the language of the e-mails that warn the owner: they could become unreadable.
    case changeMail

    /// Whether the action ends sessions of other identities. An identity that is new or being unlinked could use it to
    /// keep the owner out.
    var endsOtherSessions: Bool { [.removeDevice, .signOutEverywhere, .deleteAccount].contains(self) }

    /// Whether the action stays possible while the deletion of the account is scheduled: those that only protect it,
    /// the export, and the language of e-mails.
    var isAllowedWhileDeleting: Bool {
        [.removeDevice, .signOutEverywhere, .exportAccount, .changeMail].contains(self)
    }

    /// How long an authentication is recent, in seconds. As long, it protects its session from identities linked later.
    static let recentAuthenticationAge: TimeInterval = 600

    /// The maximum age of the authentication, in seconds.
    var maximumAuthenticationAge: TimeInterval {
        switch self {
        case .link, .unlink, .removeDevice, .signOutEverywhere, .authorizeApp, .moveSubscription, .purgeTrash,
            .deleteAccount, .exportAccount, .changeMail:
            Self.recentAuthenticationAge
        }
    }
}
