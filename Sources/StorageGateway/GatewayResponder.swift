import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets
import StorageAccess
import Traces
import Tracing

/// Responds to requests to the S3 endpoint: parses the request, authenticates the caller, performs the operation, and
/// sets the security headers.
package struct GatewayResponder: HTTPResponder {
    private let authenticator: RequestAuthenticator
    private let operations: BucketOperations
    private let limits: RequestLimits
    private let timers: RequestTimers
    private let tracer: ServiceTracer?
    private let clientNetwork: @Sendable (SocketAddress?, HTTPFields) -> UInt64
    private let cors: CORSPolicy
    private let bucket: String
    private let hosts: AllowedHosts
    private let randomness: Randomness
    private let logsRequests: Bool
    private let keyRing: KeyRing
    private let logger: Logger

    package init(
        settings: StorageGatewaySettings, store: any MeteredObjectStore, keyRing: KeyRing,
        sessions: any StorageSessionCheck, metrics: ServiceMetrics, tracer: ServiceTracer? = nil,
        now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger
    ) {
        authenticator = RequestAuthenticator(
            settings: settings, opened: OpenedSessions(keyRing: keyRing), sessions: sessions, now: now)
        limits = RequestLimits(
            perAccount: settings.requestsPerAccount, perAddress: settings.requestsPerAddress, now: now)
        timers = RequestTimers(metrics, of: ServiceMetric.s3RequestDuration)
        self.tracer = tracer
        operations = BucketOperations(
            settings: settings, store: store, uploadsInFlight: UploadsInFlight(), limits: limits,
            metrics: metrics, downloads: DownloadMeter(metrics), now: now, randomness: randomness)
        cors = CORSPolicy(origins: settings.corsOrigins)
        clientNetwork = settings.clientNetwork
        bucket = settings.bucket
        hosts = settings.hosts
        logsRequests = settings.logsRequests
        self.randomness = randomness
        self.keyRing = keyRing
        self.logger = logger
    }

    package func respond(to request: Request, context: GatewayContext) async throws -> Response {
        let waits = request.head.expectsContinue
        let network = clientNetwork(context.channel.remoteAddress, request.headers)
        return await handle(request, from: network) { if waits { try await context.channel.sendContinue() } }
    }

    /// Returns the response to a request, also for errors.
    /// - Parameters:
    ///   - network: The client network for which the request is counted; `nil` if it is not limited.
    ///   - onBody: Called before the first byte of the body is requested.
    package func handle(
        _ request: Request, from network: UInt64? = nil, onBody: @escaping @Sendable () async throws -> Void
    ) async -> Response {
        guard let span = tracer?.startRequest(request.headers) else {
            return await handle(request, Hex.encode(randomness.bytes(8)).uppercased(), from: network, onBody: onBody)
        }
        let response = await ServiceContext.$current.withValue(span.context) {
            await handle(request, span.trace.traceID, from: network, onBody: onBody)
        }
        span.endRequest(route: "/{bucket}/{key}", method: request.method, status: Int(response.status.code))
        return response
    }

    /// - Parameter id: the request's id; the trace's id for a request in a trace.
    private func handle(
        _ request: Request, _ id: String, from network: UInt64?, onBody: @escaping @Sendable () async throws -> Void
    ) async -> Response {
        let start = ContinuousClock.now
        let entry = logsRequests ? AccessLogEntry(request, requestID: id, start: start, logger: logger) : nil
        var response: Response
        do {
            if let network { try limits.consume(from: network) }
            response = try await perform(entry?.counting(request) ?? request, entry, onBody: onBody)
        } catch {
            let refusal = s3Error(error, requestID: id)
            entry?.setErrorCode(refusal.code)
            response = errorResponse(refusal, request, requestID: id)
        }
        BrowserSafety.apply(to: &response.headers)
        cors.apply(to: &response.headers, origin: request.headers[.origin])
        response.headers[.amzRequestID] = id
        timers.record(
            ContinuousClock.now - start, route: nil, method: request.method, status: Int(response.status.code))
        return entry?.counting(response) ?? response
    }

    private func perform(
        _ request: Request, _ entry: AccessLogEntry?, onBody: @escaping @Sendable () async throws -> Void
    ) async throws -> Response {
        guard request.head.hasSingleHost else { throw S3Error.badHost }
        guard request.head.isAddressed(oneOf: hosts) else { throw S3Error.unknownHost }
        if request.method == .options { return try cors.preflight(request.headers) }
        let signed = try GatewayRequest(request)
        let caller = try await authenticator.authenticate(signed)
        entry?.setAccount(try? keyRing.accountHash(of: caller.session.user.uuid))
        let request = try signed.withFieldsOfQuery()
        try limits.consume(by: caller.session)
        // There is one bucket; listing buckets is never allowed.
        guard !request.bucket.isEmpty else { throw S3Error.accessDenied() }
        guard request.bucket == bucket else { throw S3Error.noSuchBucket }
        let operation = try S3Operation(request)
        entry?.setOperation(operation, on: request)
        try ConditionHeaders.check(request, operation)
        let authenticator = authenticator
        let events = BodyEvents(onStart: onBody) { try await authenticator.recheck(caller) }
        return try await operations.perform(operation, Call(request: request, caller: caller, events: events))
    }

    private func s3Error(_ error: any Error, requestID: String) -> S3Error {
        if let error = error as? S3Error { return error }
        let failure =
            error is SessionCheckFailure
            ? .unavailable : (error as? ObjectStoreError).map(S3Error.init) ?? .internalError
        if failure.status >= 500 {
            // The store logs when it begins to refuse uploads; each of them is no fault.
            let level: Logger.Level = failure.status == 507 ? .debug : .error
            logger.log(
                level: level, .s3RequestFailed, "request failed",
                metadata: ["hb.request.id": "\(requestID)", "error": "\(error)"])
        }
        return failure
    }

    private func errorResponse(_ error: S3Error, _ request: Request, requestID: String) -> Response {
        let status = HTTPResponse.Status(code: error.status)
        var headers: HTTPFields = status == .methodNotAllowed ? [.allow: "GET, HEAD, PUT, POST, DELETE"] : [:]
        // RFC 9110 section 15.5.17: reports the length to the client.
        if let size = error.objectSize { headers[.contentRange] = "bytes */\(size)" }
        if let seconds = error.retryAfter { headers[.retryAfter] = String(seconds) }
        guard request.method != .head else {
            // A response to HEAD has no body; S3's website endpoints report the code in this header.
            headers[.amzErrorCode] = error.code
            return Response(status: status, headers: headers)
        }
        headers[.contentType] = "application/xml"
        var xml = XMLWriter()
        xml.element("Error") {
            $0.element("Code", error.code)
            $0.element("Message", error.message)
            $0.element("Resource", String((request.head.path ?? "").prefix { $0 != "?" }))
            $0.element("RequestId", requestID)
        }
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: xml.text))
        )
    }
}
