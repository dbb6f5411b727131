import PhotolalaAPI

/// The progress of a deletion request that a provider forwarded.
package enum DeletionProgress: CaseIterable, Sendable {
    /// The request is stored with the account and waits to be carried out, regardless of later sign-ins.
    case received
    case underway
    /// The account exists without a deletion request, because the request was older than the identity's link.
    case withdrawn
    case nothingStored
}

extension ProviderEventService {
    /// Records a deletion request that a provider forwards.
    /// - Returns: a code for checking the progress, also if no account exists.
    /// - Throws: `notFound` for a provider without this callback, `invalidEvent`.
    package func handleDeletionRequest(_ body: [UInt8], from provider: ProviderName) async throws(ServiceError)
        -> String
    {
        let events = try await verifiedEvents(in: body, from: provider, to: .dataDeletion)
        guard let event = events.first else { throw .invalidEvent(.malformed("events")) }
        return try await mapServiceErrors {
            let found = try await accounts.lookUp(provider, event.subject)
            if let found { try await record(event, of: found) }
            return try deletionReceipts.makeCode(for: found?.account.value.serviceUserID, of: provider)
        }
    }

    /// Returns the progress of the deletion request with this code. One read.
    /// - Returns: `nil` for an invalid code.
    package func deletionProgress(
        _ code: String, of provider: ProviderName
    ) async throws(ServiceError) -> DeletionProgress? {
        guard let user = deletionReceipts.user(of: code, provider) else { return nil }
        guard let account = try await mapServiceErrors({ try await accounts.account(user) })?.value else {
            return .nothingStored
        }
        return switch account.state {
        // The tombstone of a deletion remains until its last object is purged.
        case .deleted, .deleting: .underway
        case .abandoned: .nothingStored
        case .active: account.deletionRequest == nil ? .withdrawn : .received
        }
    }
}
