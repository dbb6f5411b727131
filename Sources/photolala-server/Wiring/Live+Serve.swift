import Foundation
import HTTPListener
import Hummingbird
import Logging
import Monitoring
import OperatorServer
import PhotolalaAPI
import PhotolalaServer
import Secrets
import ServiceLifecycle
import ServiceWiring
import StorageAccess
import StorageGateway
import Transport
import UseCases

extension Live {
    /// Runs until SIGTERM or SIGINT, then completes accepted requests.
    func run() async throws {
        OpenFiles.raiseLimit()
        try await LiveStore.open(settings, logger: logger) { store in
            let pairing = settings.isPairing ? try preparePairing() : nil
            let transport: any ClosableTransport =
                pairing.flatMap { PairingTransport($0, server: settings.publicURL) } ?? AsyncHTTPTransport()
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await serve(store, transport, pairing))
            } catch {
                outcome = .failure(error)
            }
            try? await transport.shutdown()
            try outcome.get()
        }
    }

    private func serve(
        _ store: OpenStore, _ transport: any ClosableTransport, _ pairing: PairingCode?
    ) async throws {
        var verification: [AccountVerification] = []
        switch store {
        case .bucket(let bucket): try await bucket.check()
        case .folder(let objects, _): verification = [verifyAccounts(objects)]
        }
        let started = try await start(on: store.service, transport)
        let services = started.services
        let announcement = StartupAnnouncement(settings: settings, pairing: pairing, logger: logger)
        let certificate = try settings.tls.map { files throws(TLSCertificate.Problem) in
            try TLSCertificate(certificate: files.certificate, key: files.key) { Date() }
        }
        let server = try buildServer(
            serverSettings(certificate, pairing), services: services, development: started.development, tracer: tracer,
            logger: logger,
            onServerRunning: { _ in announcement.listenerIsRunning() }
        )
        var jobs = makeJobs(services, started.naming)
        var listeners = [Listener(server, at: "\(settings.listen)", setting: "--listen")]
        if let registry, let address = settings.operatorListen {
            let history = MetricHistory(registry) { Date() }
            let server = try buildOperatorServer(
                OperatorServerSettings(address: address.bindAddress, hosts: .addresses(and: settings.operatorHosts)),
                services: services.operators, jobs: jobOverview(services.operators.leases), metrics: registry,
                history: history, keyRing: started.keyRing, randomness: .system, now: { Date() }, logger: logger,
                onServerRunning: { _ in announcement.listenerIsRunning() })
            listeners.append(address.makeListener(server))
            jobs.append(.init(name: "metric history", interval: .seconds(60)) { history.record() })
        }
        if let certificate { jobs.append(makeCertificateJob(certificate)) }
        if case .folder(let objects, let folder) = store {
            let gateway = gatewaySettings(folder, certificate)
            let endpoint = buildStorageGateway(
                settings: gateway, store: objects, keyRing: started.keyRing, sessions: services.storageEntitlements,
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
        if settings.mail != nil {
            work.append(BackgroundWork { await services.mailDelivery.deliverScheduledEvents() })
        }
        let maintenance = Maintenance(jobs: jobs, monitor: services.jobMonitor, logger: logger)
        // Services end in reverse order: what is recorded until the end is exported.
        try await runAll(makeReporting(transport) + verification + work + [maintenance] + listeners)
    }

    /// Writes the certificate of the pairing mode.
    /// - Returns: A code with a new secret.
    private func preparePairing() throws(StartProblem) -> PairingCode? {
        guard let files = settings.tls, let folder = settings.store.folder else { return nil }
        let hash = try PairingFiles(certificate: files.certificate, key: files.key).prepare(
            hosts: [settings.listen.host, folder.listen.host], now: Date())
        return PairingCode(
            authority: "\(settings.listen)", keyHash: Base64URL.encode(hash),
            secret: Base64URL.encode(Randomness.system.bytes(16)))
    }

    private func serverSettings(_ certificate: TLSCertificate?, _ pairing: PairingCode?) -> ServerSettings {
        ServerSettings(
            host: settings.listen.host, port: settings.listen.port, publicURL: settings.publicURL,
            bodyLimit: settings.bodyLimit, connections: settings.connections,
            connectionsPerAddress: settings.connectionsPerAddress, trustedProxies: trustedProxies,
            country: settings.country, hosts: settings.servedHosts,
            tls: certificate, pairingSecret: pairing?.secret,
            brand: settings.brand
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
