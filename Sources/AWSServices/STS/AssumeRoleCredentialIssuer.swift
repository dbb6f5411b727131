import Foundation
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import StorageAccess
import Transport

/// Issues credentials for a store with a token service: each is a session of one role, restricted to one user's
/// prefixes. Issued credentials cannot be revoked before they expire.
package struct AssumeRoleCredentialIssuer: CredentialIssuer {
    package let endsWithSession = false

    /// Five minutes where the policy can end before the session does.
    package var minimumLifetime: TimeInterval { settings.comparesTime ? 300 : 900 }

    /// A week, the longest validity of a signature, with keys that do not end.
    package var maximumUploadLifetime: TimeInterval { settings.uploadKeys == nil ? Self.longestSession : 604_800 }

    /// The longest session of the role, in seconds.
    private static let longestSession = AssumeRoleRequest.allowedDurations.upperBound

    /// By how much clocks may differ; the most that signatures allow.
    private static let clockSkew = 900.0

    private let settings: STSSettings
    private let exchange: STSExchange
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - credentials: The service's own credentials, which the role must trust.
    ///   - pause: The delay between attempts.
    package init(
        settings: STSSettings, credentials: any CredentialSource, transport: any HTTPTransport, pause: Backoff,
        now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.now = now
        exchange = STSExchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause, now: now
        )
    }

    package func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
        if grant.access == .upload, let keys = settings.uploadKeys,
            grant.expiresAt.timeIntervalSince(now()) > Self.longestSession
        {
            return storageCredentials(keys, until: grant.expiresAt, grant)
        }
        let request = try AssumeRoleRequest(grant, settings, now: now())
        let session = try await exchange.perform(request)
        let life = session.expiresAt.timeIntervalSince(now())
        guard life > 0, life <= Double(request.seconds) + Self.clockSkew else {
            throw .refused(
                "session duration is \(Int(life)) seconds, requested \(request.seconds). Check the clocks")
        }
        return storageCredentials(session.credentials, until: min(session.expiresAt, grant.expiresAt), grant)
    }

    private func storageCredentials(
        _ keys: AWSCredentials, until end: Date, _ grant: StorageGrant
    ) -> StorageCredentials {
        StorageCredentials(
            accessKeyID: keys.accessKeyID, secretAccessKey: keys.secretAccessKey, sessionToken: keys.sessionToken ?? "",
            expiration: end, endpoint: settings.storeEndpoint, region: settings.region, bucket: settings.bucket,
            prefixes: StorageLayout.userPrefixes(grant.user), access: grant.access
        )
    }
}
