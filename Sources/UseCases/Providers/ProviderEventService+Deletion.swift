import Accounts
import PhotolalaAPI

extension ProviderEventService {
    /// Records a deletion request that a provider forwards. It schedules the deletion of the account if no other identity
    /// opens it.
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
            return try deletionCodes.makeReceiptCode(
                for: found?.account.value.serviceUserID, requestedBy: .provider(provider))
        }
    }

    /// Returns the progress of the deletion request with this code. At most two reads.
    /// - Returns: `nil` for an invalid code.
    package func deletionStatus(
        _ code: String, of provider: ProviderName
    ) async throws(ServiceError) -> DeletionStatus? {
        guard let user = deletionCodes.user(of: code, requestedBy: .provider(provider)) else { return nil }
        // The receipt is the person's, and the provider and its pages know this code.
        return try await mapServiceErrors { try await accounts.deletionStatus(of: user).withoutReceipt }
    }
}
