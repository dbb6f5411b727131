import PhotolalaAPI
import Subscriptions

extension ErrorResponse {
    /// Creates the answer for a rejected signed transaction, with one detail text per reason.
    init(transaction error: SignedDataError) {
        let (code, detail): (ErrorCode, String) =
            switch error {
            case .malformed:
                (.invalidTransaction, "Malformed signed transaction. Send StoreKit 2's jwsRepresentation unchanged.")
            case .algorithmRefused:
                (.invalidTransaction, "The transaction is not signed with ES256.")
            case .untrustedChain:
                (.invalidTransaction, "The transaction's certificate chain is not the App Store's.")
            case .expiredChain:
                (
                    .invalidTransaction,
                    "A certificate of the transaction has expired or is not valid yet. Get the transaction from StoreKit "
                        + "again."
                )
            case .badSignature:
                (.invalidTransaction, "The transaction's signature does not match its content.")
            case .notCurrent:
                (.invalidTransaction, "The transaction's signing date is ahead of the server's clock. Try again later.")
            case .otherApp:
                (.wrongApp, "The transaction belongs to another app.")
            case .otherEnvironment(let name):
                (.wrongEnvironment, Self.detail(ofEnvironment: name))
            case .notASubscription:
                (.notASubscription, "The transaction is not an auto-renewable subscription.")
            case .unavailable:
                (.temporarilyUnavailable, "Temporarily unavailable. Try again in a moment.")
            }
        let isTemporary = code == .temporarilyUnavailable
        self.init(
            isTemporary ? .serviceUnavailable : .badRequest, code, detail, reason: "\(error)",
            retryAfter: isTemporary ? 2 : nil)
    }

    /// Returns the detail text. Includes the environment name only if it is one of Apple's own.
    private static func detail(ofEnvironment name: String) -> String {
        let made = AppStoreEnvironment(rawValue: name).map { "The purchase was made in \($0.rawValue)" }
        return "\(made ?? "The purchase was made in an unknown environment"), which this server does not accept."
    }
}
