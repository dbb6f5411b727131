/// Reads what Apple signs. Nothing that it gives is a stranger's word.
package protocol SignedDataVerifier: Sendable {
    /// A signed transaction of an auto-renewable subscription.
    func transaction(_ signed: String) async throws(SignedDataError) -> AppStoreTransaction
    /// Signed renewal information.
    func renewal(_ signed: String) async throws(SignedDataError) -> RenewalInfo
    /// The body of a notification: `{"signedPayload": …}`.
    func notification(_ body: [UInt8]) async throws(SignedDataError) -> AppStoreNotification
}

/// Why signed data says nothing here. Reasons are for the log.
package enum SignedDataError: Error, Equatable, Sendable {
    /// It is not of the form; names the part.
    case malformed(String)
    /// Not ES256, or an extension that is not understood.
    case algorithmRefused
    /// The certificates do not lead to a configured root the way Apple's do.
    case untrustedChain(String)
    /// A certificate was not valid when the data was signed, or is not valid now where revocation is asked.
    case expiredChain
    case badSignature
    /// It was made for another app.
    case otherApp
    /// It was made in an environment that is not taken here.
    case otherEnvironment(String)
    /// It was signed in the future.
    case notCurrent
    /// It is a purchase, but no auto-renewable subscription.
    case notASubscription
    /// Whether a certificate was revoked cannot be asked at this moment.
    case unavailable(String)
}
