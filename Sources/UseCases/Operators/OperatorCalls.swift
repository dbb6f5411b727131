import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import Operators
import PhotolalaAPI
import Secrets

/// Authenticates operators, checks their roles, and records every call before it is carried out.
package struct OperatorCalls: Sendable {
    package let keys: OperatorKeys
    package let log: OperatorLog
    let keyRing: KeyRing
    let now: @Sendable () -> Date
    let logger: Logger

    package init(store: any ObjectStore, accounts: AccountDirectory, logger: Logger) {
        keys = OperatorKeys(
            store: store, retry: accounts.retry, now: accounts.now, randomness: accounts.randomness)
        log = OperatorLog(store: store, retry: accounts.retry, randomness: accounts.randomness)
        (keyRing, now, self.logger) = (accounts.keyRing, accounts.now, logger)
    }

    /// Why a call was refused. Nothing was done.
    package enum Refusal: Error, Equatable {
        /// The key is missing, malformed, unknown, ended or wrong.
        case unauthorized
        /// The key's role does not permit the action.
        case roleRequired(OperatorRole)
        /// The reason is missing, longer than 200 characters, not printable or without a letter or digit.
        case reasonRequired
    }

    /// Returns the valid key that a caller presents. One read.
    /// - Throws: `Refusal.unauthorized`.
    package func authenticate(_ text: String?) async throws -> OperatorKey {
        guard let text, let secret = OperatorSecret(text) else { throw Refusal.unauthorized }
        guard let key = try await keys.authenticate(secret) else {
            logger.warning(.operatorKeyRejected, "operator key rejected", metadata: ["key": "\(secret.id)"])
            throw Refusal.unauthorized
        }
        return key
    }

    /// Begins a call: checks the role and the reason, and records the call. One write.
    /// - Parameters:
    ///   - user: the account that the call is about; `nil` for none.
    ///   - about: the job or day that the call names; `nil` for none.
    ///   - reason: the operator's reason as it was sent.
    /// - Throws: `Refusal`; an error of the store, and then the call must not be carried out.
    /// - Returns: the reason.
    @discardableResult
    package func begin(
        _ action: OperatorAction, by key: OperatorKey, on user: UserID?, about: String? = nil, reason text: String?
    ) async throws -> OperatorReason {
        guard key.role >= action.role else {
            logger.warning(
                .operatorCallRefused, "operator call refused",
                metadata: ["key": "\(key.id)", "action": "\(action.rawValue)"])
            throw Refusal.roleRequired(action.role)
        }
        guard let reason = text.flatMap({ OperatorReason($0) }) else { throw Refusal.reasonRequired }
        let account = try user.map { try keyRing.accountHash(of: $0.uuid) }
        try await log.record(
            OperatorCall(
                at: now(), key: key.id, operatorName: key.name, action: action.rawValue, account: account,
                about: about, reason: reason.text))
        return reason
    }
}
