import Synchronization

/// The signing key of the last request: a key is valid for a day, and deriving it costs as much as a signature.
package final class SigningKeyCache: Sendable {
    private let last = Mutex<(secretAccessKey: String, key: SigningKey)?>(nil)

    package init() {}

    /// Returns the key of a secret for a scope.
    func key(secretAccessKey: String, scope: CredentialScope) -> SigningKey {
        let known = last.withLock { $0 }
        if let known, known.secretAccessKey == secretAccessKey, known.key.scope == scope { return known.key }
        let key = SigningKey(secretAccessKey: secretAccessKey, scope: scope)
        last.withLock { $0 = (secretAccessKey, key) }
        return key
    }
}
