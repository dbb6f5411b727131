import Foundation
import HTTPListener
import Logging
import Monitoring
import ObjectStorage
import PhotolalaTesting
import S3Protocol
import Secrets
import Testing

@testable import StorageGateway

/// A gateway listening on loopback, for third-party clients.
struct LiveGateway {
    let fixture: GatewayFixture
    let port: Int

    var endpoint: String { "http://127.0.0.1:\(port)" }

    /// Runs a gateway for as long as `body` takes. Real clients sign with the real time.
    /// - Parameter store: the gateway's store; `nil` is the fixture's own.
    static func run(
        minimumBodyRate: MinimumBodyRate = MinimumBodyRate(bytes: 1, interval: .seconds(60)),
        over store: (any MeteredObjectStore)? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (LiveGateway) async throws -> Void
    ) async throws {
        let fixture = try GatewayFixture(maxBodySize: 1 << 30, minimumBodyRate: minimumBodyRate)
        fixture.time.set(Date())
        let time = fixture.time
        try await withListening { isUp in
            buildStorageGateway(
                settings: fixture.settings, store: store ?? fixture.store, keyRing: fixture.keyRing,
                sessions: fixture.sessions, metrics: .none,
                now: { time.now }, randomness: fixture.randomness, logger: logger, onServerRunning: isUp
            )
        } _: { port in
            try await body(LiveGateway(fixture: fixture, port: port))
        }
    }

    /// Returns an environment for a client with Ada's credentials, without variables of this process.
    func environment(home: URL, as credentials: AWSCredentials? = nil) throws -> [String: String] {
        let credentials = try credentials ?? fixture.credentials()
        let remote = [
            "TYPE": "s3", "PROVIDER": "Other", "ACCESS_KEY_ID": credentials.accessKeyID,
            "SECRET_ACCESS_KEY": credentials.secretAccessKey, "SESSION_TOKEN": credentials.sessionToken ?? "",
            "ENDPOINT": endpoint, "REGION": "us-east-1", "FORCE_PATH_STYLE": "true", "NO_CHECK_BUCKET": "true",
        ]
        var environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": home.path,
            "AWS_ACCESS_KEY_ID": credentials.accessKeyID, "AWS_SECRET_ACCESS_KEY": credentials.secretAccessKey,
            "AWS_SESSION_TOKEN": credentials.sessionToken ?? "", "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": endpoint, "AWS_MAX_ATTEMPTS": "1",
            "BUCKET": GatewayFixture.bucket, "ADA": GatewayFixture.ada.description,
            "BOB": GatewayFixture.bob.description,
        ]
        for (name, value) in remote { environment["RCLONE_CONFIG_P_\(name)"] = value }
        return environment
    }
}
