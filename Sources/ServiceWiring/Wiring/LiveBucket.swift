import AWSServices
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets
import StorageAccess
import Transport

/// A deployment's bucket, with the server's credentials for it.
package struct LiveBucket: ServiceStore {
    let settings: BucketSettings
    let credentials: CredentialChain
    let transport: any HTTPTransport
    private let connection: S3Settings

    /// The connections per host, enough for all concurrent calls of one instance: on some engines, the losers of a race
    /// hold a connection for many seconds and must not block others.
    private static let connections = 256

    package static func makeTransport() -> AsyncHTTPTransport { AsyncHTTPTransport(connectionsPerHost: connections) }

    /// Provides the bucket for the duration of the work. Checks that credentials are available, and sends no request to
    /// the bucket.
    /// - Parameters:
    ///   - transport: closed afterwards; see `makeTransport`.
    ///   - passingTraces: whether requests name their trace.
    package static func use(
        _ settings: BucketSettings, over transport: any ClosableTransport, passingTraces: Bool, logger: Logger,
        _ work: (LiveBucket) async throws -> Void
    ) async throws {
        let outcome: Result<Void, any Error>
        do {
            let bucket = try LiveBucket(settings, passingTraces ? PropagatingTransport(transport) : transport)
            try await bucket.requireKeys()
            logger.debug("bucket credentials found", metadata: ["from": "\(bucket.credentials.link.rawValue)"])
            outcome = .success(try await work(bucket))
        } catch {
            outcome = .failure(error)
        }
        try? await transport.shutdown()
        try outcome.get()
    }

    private init(_ settings: BucketSettings, _ transport: any HTTPTransport) throws {
        guard let connection = settings.connection else { throw StartProblem("s3.endpoint, s3.bucket: unusable") }
        self.settings = settings
        self.connection = connection
        self.transport = transport
        do {
            credentials = try CredentialChain(
                keys: settings.keys, environment: settings.awsVariables, region: settings.region,
                tokenService: settings.tokenService, transport: transport, now: { Date() }
            )
        } catch {
            throw Self.noKeys(error, nil, settings)
        }
    }

    /// Fetches the credentials once, so that missing credentials are reported as such and not as a problem with the
    /// bucket.
    private func requireKeys() async throws {
        do {
            _ = try await credentials.credentials()
        } catch {
            throw Self.noKeys(error, credentials.link, settings)
        }
    }

    private static func noKeys(
        _ error: CredentialError, _ link: CredentialChain.Link?, _ settings: BucketSettings
    ) -> StartProblem {
        let reason =
            switch (link, error) {
            case (let link?, .refused(let words)): "\(link.rawValue) returned none (\(words))"
            case (let link?, .unavailable): "no response from \(link.rawValue)"
            case (nil, .refused(let words)), (nil, .unavailable(let words)): words
            }
        return StartProblem(
            "no credentials for \(StoreSettings.bucket(settings).location): \(reason). Set s3.accessKeyID and "
                + "s3.secretAccessKey, or provide one of AWS's default credential sources"
        )
    }

    package var isShared: Bool { true }

    package var objects: any ObjectStore { store(connection) }

    package var meter: (any MeteredObjectStore)? { nil }

    package var mayIgnoreCase: Bool { ServiceEndpoint(settings.internalEndpoint)?.isAWS != true }

    package var reporter: (any StoreStatusReporting)? { nil }

    /// The same bucket, with users' own credentials.
    package var userStores: any UserStores {
        S3UserStores(settings: connection, transport: transport, pause: Self.pause, now: { Date() })
    }

    /// The same bucket for probes, with a timeout of 5 seconds and a single attempt.
    package var probe: any ObjectStore {
        var connection = connection
        connection.attempts = 1
        connection.timeout = .seconds(5)
        return store(connection)
    }

    private func store(_ connection: S3Settings) -> S3ObjectStore {
        S3ObjectStore(
            settings: connection, credentials: credentials, transport: transport, pause: Self.pause, now: { Date() }
        )
    }

    /// Checks that the bucket is usable.
    /// - Throws: `BucketCheck.Fault`.
    package func check() async throws {
        let check = BucketCheck(
            settings: connection, credentials: credentials, transport: transport, pause: Self.pause, now: { Date() }
        )
        try await check.run(probe: ObjectKey(known: StorageLayout.bucketProbe(Randomness.system.uuid())))
    }

    /// Creates the issuer of users' credentials, which are sessions of the configured role.
    package func makeCredentialIssuer(_ keyRing: KeyRing) throws -> any CredentialIssuer {
        AssumeRoleCredentialIssuer(
            settings: try tokenSettings(), credentials: credentials, transport: transport, pause: Self.pause,
            now: { Date() }
        )
    }

    /// Access to erase deleted users' objects, through the configured role or, without one, with the server's own
    /// credentials.
    package func makeErasureAccess() throws -> any ErasureAccess {
        S3ErasureAccess(
            settings: connection, role: settings.eraserRoleARN.flatMap(RoleARN.init), tokenService: try tokenSettings(),
            credentials: credentials, transport: transport, pause: Self.pause, now: { Date() })
    }

    private func tokenSettings() throws -> STSSettings {
        guard let role = RoleARN(settings.roleARN),
            var token = STSSettings(
                role: role, region: settings.region, endpoint: settings.tokenService, bucket: settings.name,
                storeEndpoint: settings.endpoint
            )
        else { throw StartProblem("sts.roleARN, sts.endpoint: unusable") }
        token.externalID = settings.externalID
        token.uploadKeys = settings.uploadKeys
        return token
    }

    private static let pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
}
