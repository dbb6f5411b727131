import Accounts

/// Accepts security e-mails for tests, and sends none.
package struct SilentMailer: SecurityMailer {
    package init() {}

    package func send(
        _ event: AccountEvent, of account: AccountDocument, to addresses: [String]
    ) async -> [MailOutcome] {
        Array(repeating: .sent, count: addresses.count)
    }
}
