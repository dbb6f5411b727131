import PhotolalaAPI
import Synchronization

/// The deleted accounts in the memory of an instance, so that an account that a backup or an old copy of the store brought
/// back is refused from the first request on. A request reads the ledger only for an account that may be in it, and before
/// the ledger was read once.
package final class ErasedAccountIndex: Sendable {
    private enum State {
        /// Nothing is checked: commands do not serve accounts.
        case inactive
        /// Each check reads the account's entry.
        case unread
        case read(ErasedAccounts)
    }

    private let ledger: ErasureLedger
    private let state = Mutex(State.inactive)

    package init(_ ledger: ErasureLedger) { self.ledger = ledger }

    /// Begins to check accounts.
    package func activate() {
        state.withLock { state in
            if case .inactive = state { state = .unread }
        }
    }

    /// Reads the ledger: see `ErasureLedger.erasedAccounts`.
    @discardableResult
    package func read() async throws(AccountError) -> ErasedAccounts {
        let erased = try await ledger.erasedAccounts()
        state.withLock { state in
            if case .inactive = state { return }
            state = .read(erased)
        }
        return erased
    }

    /// Returns whether an account was deleted before.
    package func contains(_ user: UserID) async throws(AccountError) -> Bool {
        switch state.withLock({ $0 }) {
        case .inactive: return false
        case .unread: break
        case .read(let erased): guard erased.mayContain(user) else { return false }
        }
        return try await ledger.entry(of: user) != nil
    }
}
