import AWSServices
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets
import Transport

/// A deployment's bucket, and the server's keys for it.
struct LiveBucket: Sendable {
    let settings: BucketSettings
    let credentials: CredentialChain
    let transport: AsyncHTTPTransport
    private let connection: S3Settings

    /// Enough for every call that one copy may have under way: on some engines the losers of a race hold a connection
    /// for many seconds, and nobody shall wait behind them.
    private static let connections = 256

    /// Reaches the bucket for as long as the work takes. The server's keys are there then; the bucket is not asked yet.
    static func use(
        _ settings: BucketSettings, logger: Logger, _ work: (LiveBucket) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPTransport(connectionsPerHost: connections)
        let outcome: Result<Void, any Error>
        do {
            let bucket = try LiveBucket(settings, transport)
            try await bucket.requireKeys()
            logger.debug("the keys for the bucket are found", metadata: ["from": "\(bucket.credentials.link.rawValue)"])
            outcome = .success(try await work(bucket))
        } catch {
            outcome = .failure(error)
        }
        try? await transport.shutdown()
        try outcome.get()
    }

    private init(_ settings: BucketSettings, _ transport: AsyncHTTPTransport) throws {
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

    /// Asks for the keys once, so that a server without any says so and does not blame the bucket.
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
            case (let link?, .refused(let words)): "\(link.rawValue) gives none (\(words))"
            case (let link?, .unavailable): "\(link.rawValue) does not answer"
            case (nil, .refused(let words)), (nil, .unavailable(let words)): words
            }
        return StartProblem(
            "the server has no keys for \(StoreSettings.bucket(settings).place): \(reason). Set s3.accessKeyID and "
                + "s3.secretAccessKey, or start it where AWS's own programs find keys"
        )
    }

    var store: S3ObjectStore { store(connection) }

    /// The same bucket with users' own keys.
    var userStores: S3UserStores {
        S3UserStores(settings: connection, transport: transport, pause: Self.pause, now: { Date() })
    }

    /// The same bucket for a question that is worth five seconds and no second try.
    var probe: S3ObjectStore {
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

    /// Tries whether the bucket can be used.
    /// - Throws: `BucketCheck.Fault`.
    func check() async throws {
        let check = BucketCheck(
            settings: connection, credentials: credentials, transport: transport, pause: Self.pause, now: { Date() }
        )
        try await check.run(probe: ObjectKey(known: StorageLayout.bucketProbe(Randomness.system.uuid())))
    }

    /// Users' credentials: sessions of the role that the settings name.
    func makeCredentialIssuer() throws -> AssumeRoleCredentialIssuer {
        guard let role = RoleARN(settings.roleARN),
            let token = STSSettings(
                role: role, region: settings.region, endpoint: settings.tokenService, bucket: settings.name,
                storeEndpoint: settings.endpoint
            )
        else { throw StartProblem("sts.roleARN, sts.endpoint: unusable") }
        return AssumeRoleCredentialIssuer(
            settings: token, credentials: credentials, transport: transport, pause: Self.pause, now: { Date() }
        )
    }

    private static let pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
}
