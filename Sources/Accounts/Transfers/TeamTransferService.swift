import PhotolalaAPI

/// A provider's API for users whose ids change because an app moves to another developer team (Apple, "Transferring
/// your apps and users to another team").
package protocol TeamTransferService: Sendable {
    /// Requests, with the old team's credentials, the id under which the new team will know a user for 60 days.
    /// - Throws: `refused` for a user that the provider no longer knows.
    func transferID(of subject: String, to team: String) async throws(ProviderTokenError) -> String

    /// Requests, with the new team's credentials, the new subject of a transfer id.
    /// - Throws: `refused` for an invalid id, or one whose 60 days are over.
    func subject(ofTransferID id: String) async throws(ProviderTokenError) -> String
}
