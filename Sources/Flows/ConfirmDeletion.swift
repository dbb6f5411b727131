import Accounts
import PhotolalaAPI

/// What became of a wish for deletion.
package enum DeletionProgress: CaseIterable, Sendable {
    /// It is kept with the account and waits to be carried out, whoever has signed in since.
    case received
    case underway
    /// The account stands and no wish is kept with it: it was older than the link of the identity.
    case withdrawn
    case nothingStored
}

extension Services {
    /// Takes in a wish for deletion that a provider passes on.
    /// - Returns: a code for asking what becomes of it, also where nobody has an account.
    /// - Throws: `notFound` for a provider that has no such callback, `invalidEvent`.
    package func hearDeletion(_ body: [UInt8], from provider: ProviderName) async throws(FlowError) -> String {
        let events = try await events(in: body, from: provider, to: .dataDeletion)
        guard let event = events.first else { throw .invalidEvent(.malformed("events")) }
        return try await step {
            let found = try await accounts.lookUp(provider, event.subject)
            if let found { try await note(event, of: found) }
            return try deletionReceipts.code(for: found?.account.value.serviceUserID, of: provider)
        }
    }

    /// What became of the wish that a code was given for. One read.
    /// - Returns: `nil` for what is no such code.
    package func deletionProgress(
        _ code: String, of provider: ProviderName
    ) async throws(FlowError) -> DeletionProgress? {
        guard let user = deletionReceipts.user(of: code, provider) else { return nil }
        guard let account = try await step({ try await accounts.account(user) })?.value else { return .nothingStored }
        return switch account.state {
        // The tombstone of a deletion stays until the last of its objects is purged.
        case .deleted, .deleting: .underway
        case .abandoned: .nothingStored
        case .active: account.deletionRequest == nil ? .withdrawn : .received
        }
    }
}
