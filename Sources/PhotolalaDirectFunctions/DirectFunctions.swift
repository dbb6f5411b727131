import PhotolalaAPI
import PhotolalaClient

/// The four Lambda functions that an app invokes with embedded credentials: `AuthenticateUser`, `CreateIdentity`,
/// `LinkProvider` and `GetSTSToken`.
///
/// ```swift
/// // Credentials.swift, written by `photolala credential-code`, defines EmbeddedCredentials.photolala.
/// let functions = try DirectFunctions(.prod, credentials: .photolala)
/// let session = PhotolalaSession(
///     server: try ServerAddress("https://photos.example.org"), profile: profile, storage: storage,
///     network: network, functions: functions)
/// try await session.signIn(ProviderCredential(provider: .apple, idToken: idToken))
/// ```
public struct DirectFunctions: Sendable {
    let environment: DeploymentEnvironment
    let credentials: EmbeddedCredentials
    /// The URL of the Lambda service instead of AWS's, for tests.
    let endpoint: String?

    /// Creates a value for the functions of one environment.
    /// - Throws: `environmentNotEmbedded`, `embeddedCredentialsUnusable`.
    public init(_ environment: DeploymentEnvironment, credentials: EmbeddedCredentials) throws(PhotolalaError) {
        try self.init(environment, credentials: credentials, endpoint: nil)
    }

    package init(
        _ environment: DeploymentEnvironment, credentials: EmbeddedCredentials, endpoint: String?
    ) throws(PhotolalaError) {
        _ = try credentials.open(environment)
        (self.environment, self.credentials, self.endpoint) = (environment, credentials, endpoint)
    }
}
