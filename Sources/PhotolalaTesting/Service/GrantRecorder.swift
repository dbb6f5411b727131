import Foundation
import PhotolalaAPI
import StorageAccess
import Synchronization

/// Issues credentials like a token service for a bucket, which are valid until their expiration, and records the
/// grants.
package final class GrantRecorder: CredentialIssuer {
    package let endsWithSession = false
    package let minimumLifetime: TimeInterval
    package let maximumUploadLifetime: TimeInterval = 604_800

    private let all = Mutex<[StorageGrant]>([])

    package init(minimumLifetime: TimeInterval = 900) { self.minimumLifetime = minimumLifetime }

    /// The grant of the latest credentials.
    package var last: StorageGrant? { all.withLock { $0.last } }

    package func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
        all.withLock { $0.append(grant) }
        return StorageCredentials(
            accessKeyID: "ASIATEST", secretAccessKey: "secret", sessionToken: "token", expiration: grant.expiresAt,
            endpoint: "http://127.0.0.1:8333", region: "us-east-1", bucket: "photolala-test",
            prefixes: StorageLayout.userPrefixes(grant.user), access: grant.access)
    }
}
