import S3Protocol

/// A source of the credentials with which requests are signed.
package protocol CredentialSource: Sendable {
    /// Returns credentials that are currently valid. Called for every request: uses a cached value if possible.
    /// - Throws: `refused` if this caller gets none, `unavailable` if a later call may succeed.
    func credentials() async throws(CredentialError) -> AWSCredentials

    /// Returns credentials other than those that a service has just rejected as expired or unknown; `nil` if there
    /// are no others.
    func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials?
}

/// An error in obtaining credentials.
package enum CredentialError: Error, Equatable, Sendable {
    /// The session has ended or the account is not permitted: a retry gives the same result.
    case refused(String)
    /// The source cannot be reached.
    case unavailable(String)
}

/// Credentials that never change.
package struct StaticCredentials: CredentialSource {
    private let value: AWSCredentials

    package init(_ value: AWSCredentials) { self.value = value }

    package func credentials() async throws(CredentialError) -> AWSCredentials { value }

    package func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? { nil }
}
