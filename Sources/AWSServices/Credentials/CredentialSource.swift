import SigV4

/// Where the keys come from that requests are signed with.
package protocol CredentialSource: Sendable {
    /// Keys that hold for at least this moment. Called for every request: answers from memory where it can.
    /// - Throws: `refused` when this caller is to get none, `unavailable` when it may work later.
    func credentials() async throws(CredentialError) -> AWSCredentials

    /// Other keys than those that a service has just refused as expired or unknown; `nil` when there are no others.
    func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials?
}

/// Why there are no keys.
package enum CredentialError: Error, Equatable, Sendable {
    /// The session is over or the account may not: asking again gives the same answer.
    case refused(String)
    /// Whoever hands them out cannot be reached.
    case unavailable(String)
}

/// Keys that never change.
package struct StaticCredentials: CredentialSource {
    private let value: AWSCredentials

    package init(_ value: AWSCredentials) { self.value = value }

    package func credentials() async throws(CredentialError) -> AWSCredentials { value }

    package func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? { nil }
}
