import Foundation
import S3Protocol
import Transport

/// The credentials of this process, from the first available source in the order used by AWS's own tools: given keys,
/// environment variables, a web identity token file, the container, the instance.
package struct CredentialChain: CredentialSource {
    /// A source of credentials.
    package enum Link: String, Sendable {
        case settings = "the settings"
        case environment = "AWS_ACCESS_KEY_ID"
        case webIdentity = "AWS_WEB_IDENTITY_TOKEN_FILE"
        case container = "the container"
        case instance = "the instance's metadata service"
    }

    package let link: Link
    private let source: any CredentialSource

    /// Selects the source without sending a request.
    /// - Parameters:
    ///   - keys: Take precedence over all other sources.
    ///   - environment: Environment variables, of which AWS's are read.
    ///   - tokenService: The URL at which web identity tokens are exchanged.
    /// - Throws: `refused` for a URL that must not be queried for this machine's credentials.
    package init(
        keys: AWSCredentials?, environment: [String: String], region: String, tokenService: String,
        transport: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) throws(CredentialError) {
        let webIdentity = WebIdentityCredentials(
            environment: environment, region: region, endpoint: tokenService, transport: transport
        )
        if let keys {
            (link, source) = (.settings, StaticCredentials(keys))
        } else if let known = StaticCredentials(environment: environment) {
            (link, source) = (.environment, known)
        } else if let webIdentity {
            link = .webIdentity
            source = RenewingCredentials(now: now) { () throws(CredentialError) in try await webIdentity.fetch() }
        } else if let container = try ContainerCredentials(environment: environment, transport: transport) {
            link = .container
            source = RenewingCredentials(now: now) { () throws(CredentialError) in try await container.fetch() }
        } else {
            let instance = InstanceCredentials(transport: transport)
            link = .instance
            source = RenewingCredentials(now: now) { () throws(CredentialError) in try await instance.fetch() }
        }
    }

    package func credentials() async throws(CredentialError) -> AWSCredentials { try await source.credentials() }

    package func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? {
        try await source.replacement(for: refused)
    }
}
