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
            "request to Apple failed: \(reason). Run the step again to resume it"
        case .provider(.misconfigured(let reason)):
            "Apple rejected the team's key or the app: \(reason). Check apple.teamID, apple.keyID, apple.privateKey "
                + "and --client. --prepare requires the old team's key, --complete the new team's"
        case .provider(.refused): "Apple rejected the request"
        }
    }
}
