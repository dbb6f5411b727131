import Foundation
import Monitoring
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaServer
import ServiceLifecycle
import ServiceWiring
import Transport

/// Starts the service on its bucket and answers invocations until the process ends.
struct LambdaProgram {
    /// The pause in seconds after which kept connections may be dead. S3 closes them after about 20 seconds.
    private static let connectionLifetime = 10.0

    let variables: [String: String]
    let api: RuntimeClient

    static let clock = InvocationLoop.Clock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })

    /// - Throws: `RuntimeAPIError` once invocations are taken; any other error before that.
    func run() async throws {
        let transport = ReconnectingTransport()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await run(transport))
        } catch {
            outcome = .failure(error)
        }
        try? await transport.shutdown()
        try outcome.get()
    }

    private func run(_ transport: ReconnectingTransport) async throws {
        let start = ContinuousClock.now
        let handler = variables["_HANDLER"] ?? ""
        guard let function = FunctionName(handler: handler) else {
            throw StartProblem(
                "Handler: must be one of \(FunctionName.handlers.joined(separator: ", ")), not \"\(handler)\"")
        }
        let settings = try await SettingsSecret(variables, transport: transport, now: { Date() }).read()
        try settings.requireFunction()
        guard let bucket = settings.store.bucket else { return }
        let live = Live(settings)
        let toBucket = ReconnectingTransport { LiveBucket.makeTransport() }
        do {
            try await LiveBucket.use(
                bucket, over: toBucket, passingTraces: settings.traces != nil, logger: live.logger
            ) { bucket in
                // Only where an environment starts rarely: the check writes.
                if function == .jobs { try await bucket.check() }
                let started = try await live.start(on: bucket, transport)
                let loop = InvocationLoop(
                    api: api, handler: try makeHandler(function, live, started),
                    surroundings: surroundings(function, live, started, [toBucket, transport]), clock: Self.clock,
                    logger: live.logger)
                live.logger.notice(
                    .functionReady, "function ready",
                    metadata: [
                        "version": "\(PhotolalaVersion.current)", "function": "\(handler)",
                        "environment": "\(settings.environment.rawValue)",
                        "ms": .stringConvertible((ContinuousClock.now - start) / .milliseconds(1)),
                    ])
                try await run(loop, live)
            }
        } catch let error as RuntimeAPIError {
            throw error
        } catch {
            throw StartProblem(error, settings)
        }
    }

    /// - Parameter transports: All that keep connections, the one for reports last.
    private func surroundings(
        _ function: FunctionName, _ live: Live, _ started: StartedService, _ transports: [ReconnectingTransport]
    ) -> InvocationLoop.Surroundings {
        let reporting = transports.last.map { live.makeReporting($0) } ?? []
        let jobs = function == .jobs ? [] : live.makeInstanceJobs(started.services, started.naming)
        let upkeep = Upkeep(
            Maintenance(jobs: jobs, monitor: started.services.jobMonitor, logger: live.logger), clock: Self.clock)
        return InvocationLoop.Surroundings(
            before: { pause in
                if pause ?? 0 > Self.connectionLifetime {
                    for transport in transports { await transport.reconnect() }
                }
                await upkeep.run()
            },
            after: { timeLeft in
                await upkeep.report(timeLeft: timeLeft)
                for work in reporting { await work.complete() }
            })
    }

    private func run(_ loop: InvocationLoop, _ live: Live) async throws {
        let service = ServiceGroupConfiguration.ServiceConfiguration(
            service: loop, successTerminationBehavior: .gracefullyShutdownGroup)
        try await ServiceGroup(
            configuration: .init(services: [service], gracefulShutdownSignals: [.sigterm], logger: live.logger)
        ).run()
    }

    private func makeHandler(
        _ function: FunctionName, _ live: Live, _ started: StartedService
    ) throws -> any InvocationHandler {
        let settings = live.settings
        switch function {
        case .api:
            // No proxies: Lambda reports the client's address itself.
            let server = ServerSettings(
                host: settings.listen.host, port: settings.listen.port, publicURL: settings.publicURL,
                bodyLimit: settings.bodyLimit,
                country: settings.country,
                hosts: settings.servedHosts, brand: settings.brand)
            return HTTPFunction(
                try buildResponder(
                    server, services: started.services, development: started.development, tracer: live.tracer),
                logger: live.logger)
        case .direct(let function):
            return DirectFunctionHandler(
                function, services: started.services, bodyLimit: settings.bodyLimit, logger: live.logger)
        case .jobs:
            return JobsFunction(
                Maintenance(
                    jobs: live.makeStoreJobs(started.services), monitor: started.services.jobMonitor,
                    logger: live.logger), clock: Self.clock)
        }
    }
}
