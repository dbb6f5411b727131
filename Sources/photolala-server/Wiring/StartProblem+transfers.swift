import AccountMaintenance
import Accounts
import ObjectStorage

extension StartProblem {
    /// Returns the message about an interrupted team transfer. Completed work is kept, so the step can be repeated.
    static func text(_ error: TeamTransferError, _ settings: Settings) -> String {
        switch error {
        case .account(.store(let error)): text(error, settings)
        case .account(let error): "\(error)"
        case .provider(.unavailable(let reason)):
            "Apple cannot be reached, or does not answer as it should: \(reason). Run the step again, it goes on where it was"
        case .provider(.misconfigured(let reason)):
            "Apple does not take this key for the team's, or this app: \(reason). Look at apple.teamID, apple.keyID, "
                + "apple.privateKey and --client; --prepare takes the old team's key, --complete the new one's"
        case .provider(.refused): "Apple refused, without saying whom"
        }
    }
}
