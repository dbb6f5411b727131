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
        try await LiveStore.use(settings, logger: logger) { store in
            let transport = AsyncHTTPTransport()
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await serve(store, transport))
            } catch {
                outcome = .failure(error)
            }
            try? await transport.shutdown()
            try outcome.get()
        }
    }

    private func serve(_ store: DirectoryObjectStore, _ transport: AsyncHTTPTransport) async throws {
        let (naming, keyRing) = try await LiveStore.watchStamp(store, settings)
        let development = try developmentProviders()
        try await registerProviders(development, in: store)
        let verifiers = (settings.providers + development.map(\.settings)).map {
            OpenIDTokenVerifier(settings: $0, transport: transport, logger: logger, now: { Date() })
        }
        let services = makeServices(store, keyRing, naming, verifiers)
        try await services.signingKeys.maintain()
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
        try await runAll(listeners, services, uploads, naming)
    }

    private var serverSettings: ServerSettings {
        ServerSettings(
            host: settings.listen.host, port: settings.listen.port, bodyLimit: settings.bodyLimit,
            authCallsPerMinute: settings.authCallsPerMinute,
            trustedProxies: settings.trustedProxies.compactMap(AddressRange.init)
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
        _ listeners: [Listener], _ services: Services, _ uploads: UploadSweep, _ naming: NamingWatch
    ) async throws {
        let pace = MigrationPace(settings.environment)
        let jobs: [Maintenance.Job] = [
            .init(name: "stamp", interval: .seconds(pace.reread)) { try await naming.refresh() },
            .init(name: "signing keys", interval: .seconds(30)) { try await services.signingKeys.maintain() },
            .init(name: "spent marks", interval: .seconds(60)) { try await services.clearSpentMarks() },
            .init(name: "usage", interval: settings.countUsageEvery) { try await services.countUsage() },
            .init(name: "devices", interval: .seconds(86_400)) { try await services.forgetDevices() },
            .init(name: "uploads", interval: .seconds(600)) {
                _ = try await uploads.sweepExpiredUploads(now: Date())
            },
        ]
        // Where one listener fails the other ends in good order, without errors of its own in the log.
        let services = ([Maintenance(jobs: jobs, logger: logger)] + listeners as [any Service]).map {
            ServiceGroupConfiguration.ServiceConfiguration(
                service: $0, failureTerminationBehavior: .gracefullyShutdownGroup
            )
        }
        let group = ServiceGroup(
            configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        )
        try await group.run()
    }
}
