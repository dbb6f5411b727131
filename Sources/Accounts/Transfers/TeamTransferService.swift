import PhotolalaAPI

/// What a provider tells about people whose ids change because an app moves to another developer team (Apple,
/// "Transferring your apps and users to another team").
package protocol TeamTransferService: Sendable {
    /// Asks the old team's provider account for the id under which the new team will know a person for 60 days.
    /// - Throws: `refused` for a person that the provider does not know any more.
    func transferID(of subject: String, to team: String) async throws(ProviderTokenError) -> String

    /// Asks the new team's provider account who that is now.
    /// - Throws: `refused` for an id that is none, or whose 60 days are over.
    func subject(ofTransferID id: String) async throws(ProviderTokenError) -> String
}
