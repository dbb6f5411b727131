/// Sends security e-mails to the owners of accounts.
package protocol SecurityMailer: Sendable {
    /// Sends the e-mail about an event to addresses, and returns what became of each. Lasts at most 20 seconds.
    /// - Parameter account: the account as it is when the e-mail is sent.
    func send(_ event: AccountEvent, of account: AccountDocument, to addresses: [String]) async -> [MailOutcome]
}

/// What became of an e-mail to one address.
package enum MailOutcome: Sendable, Equatable {
    case sent
    /// It is not sent, now or later.
    case dropped
    /// It may be sent later.
    case postponed(EventRejection)
}
