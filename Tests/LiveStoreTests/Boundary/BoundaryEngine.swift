import AWSServices
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Secrets
import StorageAccess

/// An engine that enforces the access of a user's credentials.
protocol BoundaryEngine: Sendable {
    var raw: RawClient { get }
    /// The store without access control.
    var everything: any ObjectStore { get throws }
    /// Returns the issuer of credentials, as the service uses it.
    func credentialIssuer() throws -> any CredentialIssuer
}

extension BoundaryEngine {
    /// Issues credentials that expire after the given number of seconds.
    func credentials(
        of user: UserID, _ access: StorageAccessLevel = .readWrite, mayRecord: Bool = true,
        seconds: TimeInterval = 3600
    ) async throws -> AWSCredentials {
        let issued = try await credentialIssuer().issue(
            StorageGrant(
                user: user, device: DeviceID(uuid: UUID()), session: SessionID(uuid: UUID()), access: access,
                mayRecord: mayRecord, expiresAt: Date() + seconds
            )
        )
        return AWSCredentials(
            accessKeyID: issued.accessKeyID, secretAccessKey: issued.secretAccessKey, sessionToken: issued.sessionToken
        )
    }
}

extension SeaweedFS: BoundaryEngine {
    var raw: RawClient { RawClient(endpoint: endpoint, bucket: bucket, transport: transport) }
    var everything: any ObjectStore { get throws { try store() } }
    func credentialIssuer() throws -> any CredentialIssuer { try issuer(as: service) }

    /// Returns an issuer that signs with the given credentials.
    func issuer(as credentials: AWSCredentials) throws -> AssumeRoleCredentialIssuer {
        guard let role = RoleARN(role),
            let settings = STSSettings(
                role: role, region: "us-east-1", endpoint: endpoint, bucket: bucket, storeEndpoint: endpoint)
        else { throw ConformanceFailure("settings") }
        return AssumeRoleCredentialIssuer(
            settings: settings, credentials: StaticCredentials(credentials), transport: transport,
            pause: Backoff(randomness: .system) { try? await Task.sleep(for: $0) }, now: { Date() }
        )
    }
}

extension OneMachine: BoundaryEngine {
    var everything: any ObjectStore { objects }
    func credentialIssuer() throws -> any CredentialIssuer { issuer }
}
