import Accounts
import DirectoryStorage
import Flows
import Foundation
import HTTPListener
import Hummingbird
import IdentityProviders
import Logging
import ObjectStorage
import PhotolalaAPI
import PhotolalaServer
import Secrets
import ServiceLifecycle
import Sessions
import StorageAccess
import StorageGateway
import Transport

/// Settings → running service. The only place where live parts meet.
struct Live {
    let settings: Settings
    let logger: Logger

    init(_ settings: Settings) {
        self.settings = settings
        logger = settings.log.makeLogger("photolala")
    }

    /// Runs until SIGTERM or SIGINT; then finishes what was accepted.
    func run() async throws {
        let store = try await LiveStore.open(settings, logger: logger)
        let transport = AsyncHTTPTransport()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await serve(store, transport))
        } catch {
            outcome = .failure(error)
        }
        try? await transport.shutdown()
        try? await store.close()
        try outcome.get()
    }

    private func serve(_ store: DirectoryObjectStore, _ transport: AsyncHTTPTransport) async throws {
        let stamp = try await checkStamp(store)
        let keyRing = try makeKeyRing()
        guard keyRing.knows(stamp.subjectKeyID) else {
            throw StartProblem("the store's subjects need master key \(stamp.subjectKeyID): add it to keys.previous")
        }
        let development = settings.environment == .dev ? try developmentProviders() : []
        try await registerProviders(development, in: store)
        let verifiers = (settings.providers + development.map(\.settings)).map {
            OpenIDTokenVerifier(settings: $0, transport: transport, logger: logger, now: { Date() })
        }
        let services = makeServices(store, keyRing, stamp, verifiers)
        do {
            try await services.signingKeys.maintain()
        } catch {
            throw StartProblem("the signing keys of access tokens cannot be used: \(error)")
        }
        let announcement = Announcement(settings: settings, logger: logger)
        let gateway = buildStorageGateway(
            settings: gatewaySettings, store: store, keyRing: keyRing, sessions: services, now: { Date() },
            randomness: .system, logger: logger, onServerRunning: { _ in announcement.listenerIsRunning() }
        )
        let uploads = UploadSweep(store: store, lifetime: gatewaySettings.uploadLifetime)
        let server = buildServer(
            serverSettings, services: services, development: development, logger: logger,
            onServerRunning: { _ in announcement.listenerIsRunning() }
        )
        let listeners = [
            Listener(gateway, at: "\(settings.storage.listen)", setting: "--s3-listen"),
            Listener(server, at: "\(settings.listen)", setting: "--listen"),
        ]
        try await runAll(listeners, services, uploads)
    }

    private var serverSettings: ServerSettings {
        ServerSettings(
            host: settings.listen.host, port: settings.listen.port, bodyLimit: settings.bodyLimit,
            authCallsPerMinute: settings.authCallsPerMinute, trustedProxies: settings.trustedProxies
        )
    }

    private var gatewaySettings: StorageGatewaySettings {
        StorageGatewaySettings(
            bucket: settings.storage.bucket, region: settings.storage.region,
            corsOrigins: settings.storage.corsOrigins, host: settings.storage.listen.host,
            port: settings.storage.listen.port
        )
    }

    private func runAll(
        _ listeners: [any Service], _ services: Services, _ uploads: UploadSweep
    ) async throws {
        let jobs: [Maintenance.Job] = [
            .init(name: "signing keys", interval: .seconds(30)) { try await services.signingKeys.maintain() },
            .init(name: "spent marks", interval: .seconds(60)) { try await services.clearSpentMarks() },
            .init(name: "usage", interval: settings.countUsageEvery) { try await services.countUsage() },
            .init(name: "uploads", interval: .seconds(600)) {
                _ = try await uploads.sweepExpiredUploads(now: Date())
            },
        ]
        let services = [Maintenance(jobs: jobs, logger: logger)] + listeners
        let group = ServiceGroup(
            configuration: .init(
                // One that cannot listen ends the others in order, not in errors of their own.
                services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
            )
        )
        do {
            try await group.run()
        } catch let error as ListenerError {
            throw StartProblem("\(error)")
        } catch {
            throw StartProblem("running on \(settings.listen) and \(settings.storage.listen) failed: \(error)")
        }
    }
}
