import Foundation
import PhotolalaAPI
import Secrets

/// Issues credentials for the built-in S3 endpoint. Nothing is stored: the session is sealed in its token.
package struct SealedCredentialIssuer: CredentialIssuer {
    /// The endpoint reads device and account for each request.
    package let endsWithSession = true

    package let maximumUploadLifetime: TimeInterval = 604_800

    private let endpoint: String
    private let region: String
    private let bucket: String
    private let keyRing: KeyRing
    private let randomness: Randomness

    /// - Parameter endpoint: The URL at which clients reach the S3 endpoint, for example `http://127.0.0.1:9000`.
    package init(endpoint: String, region: String, bucket: String, keyRing: KeyRing, randomness: Randomness) {
        self.endpoint = endpoint
        self.region = region
        self.bucket = bucket
        self.keyRing = keyRing
        self.randomness = randomness
    }

    package func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
        let session = SealedStorageSession(grant, randomness: randomness)
        guard let token = try? session.token(keyRing: keyRing, randomness: randomness) else {
            throw .refused("session sealing failed")
        }
        return StorageCredentials(
            accessKeyID: session.accessKeyID, secretAccessKey: session.secretAccessKey, sessionToken: token,
            expiration: grant.expiresAt, endpoint: endpoint, region: region, bucket: bucket,
            prefixes: StorageLayout.userPrefixes(grant.user), access: grant.access
        )
    }
}
