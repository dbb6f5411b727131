import Foundation
import PhotolalaAPI
import StorageAccess

/// A call of `AssumeRole` for a session of one user. It cannot be created without a policy, because such a session
/// would have the role's whole access, to every user's objects.
package struct AssumeRoleRequest: Sendable {
    package static let action = AWSAction.assumeRole
    /// The session lifetimes that a token service accepts, in seconds; the upper bound is that of role chaining.
    static let allowedDurations = 900.0...3600
    /// How old a grant of the shortest session may be by now, in seconds, without needing the policy's end.
    private static let age = 60.0

    /// The lifetime of the session in seconds.
    let seconds: Int
    let form: TokenServiceForm

    /// Creates a session that ends with the grant or, if that is earlier than the minimum lifetime, allows nothing
    /// after it.
    /// - Throws: `refused` for a grant that has ended.
    init(_ grant: StorageGrant, _ settings: STSSettings, now: Date) throws(CredentialIssuerError) {
        let remaining = grant.expiresAt.timeIntervalSince(now)
        guard remaining > 0 else { throw .refused("grant expired") }
        let seconds = Int(min(remaining, Self.allowedDurations.upperBound))
        // A grant of the shortest session is a moment old by now. The policy ends sooner where the session at ours does, and
        // where the grant asks for less than a session.
        let minimum = Self.allowedDurations.lowerBound
        let isTooShort =
            grant.latestEnd.timeIntervalSince(now) < minimum
            || settings.comparesTime && remaining < minimum - Self.age
        try self.init(
            user: grant.user, seconds: max(seconds, Int(minimum)),
            policy: SessionPolicy(
                UserStoragePolicy(user: grant.user, access: grant.access, mayRecord: grant.mayRecord),
                bucket: settings.bucketARN,
                until: isTooShort ? grant.expiresAt : nil
            ),
            role: settings.role, externalID: settings.externalID
        )
    }

    /// Creates a session of an hour that erases objects of one user. It sends no external id: that of the settings is
    /// for the users' role.
    init(
        erasing policy: ErasurePolicy, of user: UserID, role: RoleARN, bucket: BucketARN
    ) throws(CredentialIssuerError) {
        try self.init(
            user: user, seconds: Int(Self.allowedDurations.upperBound), policy: SessionPolicy(policy, bucket: bucket),
            role: role, externalID: nil)
    }

    private init(
        user: UserID, seconds: Int, policy: SessionPolicy, role: RoleARN, externalID: ExternalID?
    ) throws(CredentialIssuerError) {
        guard policy.json.utf8.count <= SessionPolicy.maximumLength else {
            throw .refused("session policy too long: \(policy.json.utf8.count) characters")
        }
        self.seconds = seconds
        form = TokenServiceForm(
            action: Self.action.name, role: role.description, sessionName: user.description,
            [("DurationSeconds", String(seconds)), ("Policy", policy.json)]
                + (externalID.map { [("ExternalId", $0.description)] } ?? [])
        )
    }
}
