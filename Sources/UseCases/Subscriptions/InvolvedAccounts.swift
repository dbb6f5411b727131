import Accounts
import ObjectStorage
import PhotolalaAPI
import Subscriptions

/// The accounts that one operation on a subscription involves. Each is read once.
///
/// An account may have been closed since it was read. Its tombstone still lists what was listed here, and its erasure
/// ends with a round an hour after it was closed, which removes the account from a record that was written late.
package actor InvolvedAccounts: SubscriptionAccounts {
    private let directory: AccountDirectory
    private var known: [UserID: Stored<AccountDocument>?] = [:]

    /// - Parameter account: an account that the caller has read.
    package init(_ directory: AccountDirectory, _ account: Stored<AccountDocument>? = nil) {
        self.directory = directory
        if let account { known[account.value.serviceUserID] = account }
    }

    package func isUsable(_ user: UserID) async throws(SubscriptionError) -> Bool {
        do {
            return try await account(user)?.value.isUsable == true
        } catch {
            throw SubscriptionError(error)
        }
    }

    package func list(_ id: SubscriptionID, in user: UserID) async throws(SubscriptionError) -> Bool {
        do throws(AccountError) {
            guard let account = try await account(user) else { return false }
            known[user] = try await directory.list(id.listed, in: account)
            return true
        } catch .accountNotUsable {
            return false
        } catch {
            throw SubscriptionError(error)
        }
    }

    /// Returns an account, or `nil` if it does not exist. One read unless it is known.
    func account(_ user: UserID) async throws(AccountError) -> Stored<AccountDocument>? {
        if let account = known[user] { return account }
        let account = try await directory.account(user)
        known.updateValue(account, forKey: user)
        return account
    }

    /// Replaces a known account by what was written.
    func update(_ account: Stored<AccountDocument>) { known[account.value.serviceUserID] = account }
}

extension SubscriptionError {
    fileprivate init(_ error: AccountError) {
        switch error {
        case .store(let error): self = .store(error)
        case .secrets(let error): self = .secrets(error)
        case .contended: self = .contended
        default: self = .corrupted("account: \(error)")
        }
    }
}

extension SubscriptionID {
    /// The id under which an account lists the subscription: `{environment}/{originalTransactionId}`.
    var listed: String { "\(environment.rawValue.lowercased())/\(originalTransactionID)" }
}
