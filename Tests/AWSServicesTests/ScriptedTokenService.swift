import AWSServices
import Foundation
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import Secrets
import StorageAccess
import Testing

/// An issuer with scripted responses, at 2015-08-30 12:36:00 UTC.
struct ScriptedTokenService {
    static let user = UserID("3e7a9c50-1111-4222-8333-444455556666")
    static let now = Date(timeIntervalSince1970: 1_440_938_160)

    let transport: FakeTransport
    let issuer: AssumeRoleCredentialIssuer
    let settings: STSSettings
    let waits = RecordedWaits()

    init(
        _ replies: [FakeTransport.Reply], endpoint: String? = nil, externalID: ExternalID? = nil,
        uploadKeys: AWSCredentials? = nil,
        credentials: any CredentialSource = StaticCredentials(
            AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret", sessionToken: "token")
        )
    ) throws {
        transport = FakeTransport(replies)
        let role = try #require(RoleARN("arn:aws:iam::123456789012:role/photolala-user"))
        var settings = try #require(
            STSSettings(role: role, region: "eu-west-1", endpoint: endpoint, bucket: "photolala-dev")
        )
        settings.externalID = externalID
        settings.uploadKeys = uploadKeys
        self.settings = settings
        let waits = waits
        issuer = AssumeRoleCredentialIssuer(
            settings: settings, credentials: credentials, transport: transport,
            pause: Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }) { waits.add($0) },
            now: { Self.now }
        )
    }

    /// Issues credentials for a grant.
    /// - Parameters:
    ///   - seconds: The remaining lifetime of the grant.
    ///   - latest: The remaining lifetime of the Photolala session; that of the grant by default.
    func issue(
        _ access: StorageAccessLevel = .readWrite, mayRecord: Bool = true, seconds: TimeInterval = 3600,
        latest: TimeInterval? = nil
    ) async throws -> StorageCredentials {
        let user = try #require(Self.user)
        return try await issuer.issue(
            StorageGrant(
                user: user, device: DeviceID(uuid: UUID()), session: SessionID(uuid: UUID()), access: access,
                mayRecord: mayRecord, expiresAt: Self.now + seconds, latestEnd: latest.map { Self.now + $0 }
            )
        )
    }

    /// Opens a session of the eraser role for the user.
    func openErasure(_ role: RoleARN) async throws {
        let connection = try #require(
            S3Settings(
                endpoint: "https://s3.eu-west-1.amazonaws.com", region: "eu-west-1", bucket: "photolala-dev"))
        let access = S3ErasureAccess(
            settings: connection, role: role, tokenService: settings,
            credentials: StaticCredentials(AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret")),
            transport: transport, pause: Backoff(randomness: .system) { _ in }, now: { Self.now })
        _ = try await access.erasure(of: try #require(Self.user))
    }

    /// The decoded parameters of each call.
    var forms: [[String: String]] {
        transport.requests.map { seen in
            let pairs = (seen.body ?? "").split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
            return Dictionary(
                pairs.map { (String($0[0]), AWSPercentEncoding.decode(String($0[1])) ?? "") }, uniquingKeysWith: { $1 }
            )
        }
    }
}

extension FakeTransport.Reply {
    /// Returns a session with a lifetime in seconds.
    static func session(endingIn seconds: Int = 3600, token: String = "T", before: String = "") -> Self {
        .response(
            200, [:],
            """
            \(before)<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
            <Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>S</SecretAccessKey>
            <SessionToken>\(token)</SessionToken>
            <Expiration>\(S3Date.xml(ScriptedTokenService.now + TimeInterval(seconds)))</Expiration></Credentials>
            <PackedPolicySize>12</PackedPolicySize></AssumeRoleResult></AssumeRoleResponse>
            """
        )
    }

    static func refusal(_ status: Int, _ code: String, _ message: String = "quotes a token") -> Self {
        .response(
            status, [:],
            """
            <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>
            <Code>\(code)</Code><Message>\(message)</Message></Error><RequestId>1</RequestId></ErrorResponse>
            """
        )
    }
}
