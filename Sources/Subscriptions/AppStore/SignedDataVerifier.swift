/// Verifies data that Apple signs. All returned values are authentic.
package protocol SignedDataVerifier: Sendable {
    /// Verifies a signed transaction of an auto-renewable subscription.
    func transaction(_ signed: String) async throws(SignedDataError) -> AppStoreTransaction
    /// Verifies signed renewal information.
    func renewal(_ signed: String) async throws(SignedDataError) -> RenewalInfo
    /// Verifies the body of a notification: `{"signedPayload": …}`.
    func notification(_ body: [UInt8]) async throws(SignedDataError) -> AppStoreNotification
}

/// Why signed data is refused. Texts are for the log.
package enum SignedDataError: Error, Equatable, Sendable {
    /// The data is malformed; names the part.
    case malformed(String)
    /// The algorithm is not ES256, or a critical extension is not supported.
    case algorithmRefused
    /// The certificates do not lead to a configured root in the form of Apple's chains.
    case untrustedChain(String)
    /// A certificate was not valid when the data was signed, or is not valid now if revocation is checked.
    case expiredChain
    case badSignature
    /// The data was signed for another app.
    case otherApp
    /// The data belongs to an environment that is not accepted.
    case otherEnvironment(String)
    /// The signature date is in the future.
    case notCurrent
    /// The purchase is not an auto-renewable subscription.
    case notASubscription
    /// The revocation state of a certificate is unavailable.
    case unavailable(String)
}
