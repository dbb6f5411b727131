import Accounts
import DevelopmentIdentityProvider
import Foundation
import HTTPListener
import Hummingbird
import Logging
import Monitoring
import ObjectStorage
import OperatorServer
import PhotolalaAPI
import PhotolalaServer
import Secrets
import ServiceLifecycle
import Sessions
import StorageAccess
import StorageGateway
import Traces
import Transport
import UseCases

/// Creates the running service from the settings. The only place that wires the live components.
struct Live {
    let settings: Settings
    let logger: Logger
    /// `nil` if nothing is measured.
    let registry: MetricRegistry?
    let metrics: ServiceMetrics
    /// `nil` if nothing is traced.
    let tracer: ServiceTracer?
    let spans: SpanQueue?

    init(_ settings: Settings) {
        self.settings = settings
        logger = settings.log.makeLogger("photolala", tracing: settings.traces != nil)
        let isMeasured = settings.operatorListen != nil || settings.emfNamespace != nil
        let registry = isMeasured ? MetricRegistry(ServiceMetric.all) : nil
        self.registry = registry
        metrics = registry.map { ServiceMetrics(factory: $0) } ?? .none
        let spans = settings.traces.map { [metrics] _ in SpanQueue(metrics: metrics) }
        self.spans = spans
        tracer = settings.traces.flatMap { traces in spans.map { Self.makeTracer(traces, $0) } }
    }

    /// Runs until SIGTERM or SIGINT, then completes accepted requests.
    func run() async throws {
        OpenFiles.raiseLimit()
        try await LiveStore.open(settings, logger: logger) { store in
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

    private func serve(_ store: OpenStore, _ transport: AsyncHTTPTransport) async throws {
        var verification: [AccountVerification] = []
        switch store {
        case .bucket(let bucket): try await bucket.check()
        case .folder(let objects, _): verification = [verifyAccounts(objects)]
        }
        let (naming, keyRing) = try await LiveStore.watchManifest(store.objects, settings, stampingNew: true)
        try await requireSameDeployment(in: store.objects)
        let development = try await developmentProviders(store.objects, keyRing)
        try await registerProviders(development, in: store.objects)
        let services = try makeServices(
            store, keyRing, naming, settings.providers + development.map(\.settings), transport
        )
        try await services.housekeeping.maintainSigningKeys()
        try await services.deletion.openErasureKey()
        services.deletion.refuseErasedAccounts()
        metrics.prepare(providers: (settings.providers + development.map(\.settings)).map(\.name))
        let announcement = StartupAnnouncement(settings: settings, logger: logger)
        let certificate = try settings.tls.map { files throws(TLSCertificate.Problem) in
            try TLSCertificate(certificate: files.certificate, key: files.key) { Date() }
        }
        let server = try buildServer(
            serverSettings(certificate), services: services, development: development, tracer: tracer, logger: logger,
            onServerRunning: { _ in announcement.listenerIsRunning() }
        )
        var jobs = makeJobs(services, naming) + makeOptionalJobs(services)
        var listeners = [Listener(server, at: "\(settings.listen)", setting: "--listen")]
        if let registry, let address = settings.operatorListen {
            let history = MetricHistory(registry) { Date() }
            let server = try buildOperatorServer(
                OperatorServerSettings(address: address.bindAddress, hosts: .addresses(and: settings.operatorHosts)),
                services: services.operators, jobs: jobOverview(services.operators.leases), metrics: registry,
                history: history, keyRing: keyRing, randomness: .system, now: { Date() }, logger: logger,
                onServerRunning: { _ in announcement.listenerIsRunning() })
            listeners.append(address.makeListener(server))
            jobs.append(.init(name: "metric history", interval: .seconds(60)) { history.record() })
        }
        if let certificate { jobs.append(makeCertificateJob(certificate)) }
        if case .folder(let objects, let folder) = store {
            let gateway = gatewaySettings(folder, certificate)
            let endpoint = buildStorageGateway(
                settings: gateway, store: objects, keyRing: keyRing, sessions: services.storageEntitlements,
                metrics: metrics, tracer: tracer, now: { Date() }, randomness: .system, logger: logger,
                onServerRunning: { _ in announcement.listenerIsRunning() }
            )
            listeners.insert(Listener(endpoint, at: "\(folder.listen)", setting: "--s3-listen"), at: 0)
            let uploads = UploadSweep(store: objects, lifetime: gateway.uploadLifetime)
            jobs.append(
                .init(name: "uploads", interval: .seconds(600)) {
                    _ = try await uploads.sweepExpiredUploads(now: Date())
                }
            )
            if folder.scrub.everyDays > 0 { jobs.append(makeScrub(objects, folder.scrub, services)) }
        }
        var work = [BackgroundWork { await services.providerCalls.makeScheduledProviderCalls() }]
        if settings.webhooks != nil {
            work.append(BackgroundWork { await services.eventDelivery.deliverScheduledEvents() })
        }
        let maintenance = Maintenance(jobs: jobs, monitor: services.jobMonitor, logger: logger)
        // Services end in reverse order: what is recorded until the end is exported.
        try await runAll(makeReporting(transport) + verification + work + [maintenance] + listeners)
    }

    private func serverSettings(_ certificate: TLSCertificate?) -> ServerSettings {
        ServerSettings(
            host: settings.listen.host, port: settings.listen.port, publicURL: settings.publicURL,
            bodyLimit: settings.bodyLimit, connections: settings.connections,
            connectionsPerAddress: settings.connectionsPerAddress, trustedProxies: trustedProxies,
            hosts: settings.servedHosts, tls: certificate
        )
    }

    private var trustedProxies: [AddressRange] { settings.trustedProxies.compactMap(AddressRange.init) }

    private func gatewaySettings(
        _ folder: FolderSettings, _ certificate: TLSCertificate?
    ) -> StorageGatewaySettings {
        let client = ClientAddress(trustedProxies: trustedProxies)
        return StorageGatewaySettings(
            bucket: folder.bucket, region: folder.region, corsOrigins: folder.corsOrigins + [settings.publicOrigin],
            connections: settings.connections, connectionsPerAddress: settings.connectionsPerAddress,
            requestsPerAccount: settings.s3AccountRequestsPerMinute,
            requestsPerAddress: settings.s3AddressRequestsPerMinute,
            // An IPv6 client controls a /64, so its first 64 bits identify it.
            clientNetwork: { peer, headers in
                client.resolve(peer, headers).map {
                    UInt64(truncatingIfNeeded: $0.width == 128 ? $0.value >> 64 : $0.value)
                } ?? 0
            }, isProxy: client.isTrusted, hosts: settings.servedHosts, host: folder.listen.host,
            port: folder.listen.port, logsRequests: folder.logsRequests, tls: certificate
        )
    }

    /// Returns the jobs that every instance runs. Most are cheap and safe to run more than once; jobs over all accounts
    /// run on one instance, and each instance checks once a minute whether they are due.
    private func makeJobs(_ services: ServiceGraph, _ naming: ManifestCache) -> [Maintenance.Job] {
        [
            .init(name: "store manifest", interval: .seconds(RekeyingSchedule(settings.environment).refreshInterval)) {
                try await naming.refresh()
            },
            .init(name: "signing keys", interval: .seconds(30)) {
                try await services.housekeeping.maintainSigningKeys()
            },
            .init(name: "expired markers", interval: .seconds(60)) {
                try await services.housekeeping.removeExpiredMarkers()
            },
            .init(name: "device codes", interval: .seconds(3600)) {
                try await services.housekeeping.removeExpiredDeviceCodes()
            },
            .init(name: "operator log", interval: .seconds(3600)) {
                try await services.housekeeping.removeExpiredOperatorCalls()
            },
            .init(name: "trials", interval: .seconds(3600), period: .seconds(86_400)) {
                try await services.maintenance.run(lease: "trials", every: .seconds(86_400)) {
                    try await services.housekeeping.removeExpiredTrials()
                }
            },
            .init(name: "provider calls", interval: .seconds(60)) {
                try await services.providerCalls.makeProviderCalls()
            },
            .init(name: "deleted accounts", interval: .seconds(3600)) {
                try await services.deletion.readErasedAccounts()
            },
            sharedJob(.consent, services), sharedJob(.usage, services), sharedJob(.devices, services),
            sharedJob(.deletions, services),
        ]
    }

    /// Uses a changed certificate for new connections.
    private func makeCertificateJob(_ certificate: TLSCertificate) -> Maintenance.Job {
        metrics.set(ServiceMetric.certificateEnd, to: certificate.validUntil.timeIntervalSince1970)
        return .init(name: "certificate", interval: .seconds(60)) {
            guard try certificate.reload() else { return }
            metrics.set(ServiceMetric.certificateEnd, to: certificate.validUntil.timeIntervalSince1970)
            logger.notice(
                .certificateReplaced, "certificate replaced",
                metadata: ["validUntil": "\(certificate.validUntil.ISO8601Format())"])
        }
    }

    func jobOverview(_ leases: JobLeases) -> JobOverview {
        JobOverview(leases: leases, countingUsageEvery: settings.countUsageEvery) { Date() }
    }

    private func sharedJob(_ job: SharedJob, _ services: ServiceGraph) -> Maintenance.Job {
        .init(job, every: job.interval(countingUsageEvery: settings.countUsageEvery), of: services)
    }

    /// Returns the jobs that depend on the settings.
    private func makeOptionalJobs(_ services: ServiceGraph) -> [Maintenance.Job] {
        var jobs: [Maintenance.Job] = []
        if !services.usage.isMetered {
            jobs.append(
                .init(name: "initial counts", interval: .seconds(30)) { await services.usageCount.countFirstTime() })
        }
        if services.limits.areShared {
            jobs.append(
                .init(name: "call counts", interval: .seconds(10)) { try await services.housekeeping.shareRateLimits() }
            )
        }
        if settings.webhooks != nil {
            jobs.append(
                .init(name: "events", interval: .seconds(10)) { try await services.eventDelivery.deliverEvents() })
        }
        if services.subscriptions.canFetchNotifications { jobs.append(sharedJob(.missedNotifications, services)) }
        return jobs
    }

    private func runAll(_ services: [any Service]) async throws {
        // If one listener fails, the others shut down gracefully and log no errors of their own.
        let services = services.map {
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
