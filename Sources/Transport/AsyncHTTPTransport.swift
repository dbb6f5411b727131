import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// HTTP with AsyncHTTPClient. It owns its client because it depends on two of its settings: redirects are not
/// followed and bodies are not decompressed.
package struct AsyncHTTPTransport: ClosableTransport {
    private let client: HTTPClient
    private let clock: TransportClock
    private let deadlines: Deadlines

    /// - Parameters:
    ///   - configuration: TLS, connection limits and similar; redirects and decompression are disabled.
    ///   - connectionsPerHost: The maximum number of connections per host. Further requests wait for one, at most
    ///     `connectTimeout`.
    ///   - connectTimeout: The time limit for establishing a connection, including TLS.
    ///   - idleTimeout: How long a connection may be silent during an exchange.
    ///   - pins: The public keys that every server must have; any if `nil`.
    ///   - clock: The clock for the deadlines of response bodies.
    package init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(), connectionsPerHost: Int = 8,
        connectTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(60),
        pins: PublicKeyPins? = nil, clock: TransportClock = .system
    ) {
        self.clock = clock
        deadlines = Deadlines(clock)
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        configuration.timeout.connect = TimeAmount(connectTimeout)
        configuration.timeout.read = TimeAmount(idleTimeout)
        configuration.timeout.write = TimeAmount(idleTimeout)
        // Callers decide whether and when to retry; a refused connection is reported immediately.
        configuration.connectionPool.retryConnectionEstablishment = false
        guard let pins else {
            client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
            return
        }
        if pins.acceptsAnyCertificate {
            var tls = configuration.tlsConfiguration ?? .makeClientConfiguration()
            // The server still proves that it has the key of its certificate.
            tls.certificateVerification = .none
            configuration.tlsConfiguration = tls
        }
        // The only hooks between handshake and first request. The default group of Apple's platforms has no access to
        // the server's key.
        configuration.http1_1ConnectionDebugInitializer = pins.check
        configuration.http2ConnectionDebugInitializer = pins.check
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    /// Closes the connections. Every transport must be shut down.
    package func shutdown() async throws(TransportError) {
        do {
            try await client.shutdown()
        } catch {
            throw .connectionLost("\(error)")
        }
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard VerbatimURL.isVerbatim(request.url) else { throw .notSent("not a percent-encoded http or https URL") }
        if let limit = request.collectedLength, request.idleTimeout == nil {
            switch request.body {
            case .none, .bytes: return try await collect(request, limit)
            case .stream: break
            }
        }
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = .init(rawValue: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        switch request.body {
        case .none: break
        case .bytes(let bytes): outgoing.body = .bytes(bytes)
        case .stream(let length, let chunks): outgoing.body = Self.body(chunks, length: length)
        }
        let start = clock.now()
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(request.timeout))
            return TransportResponse(
                status: Int(response.status.code), headers: HTTPFields(received: response.headers),
                body: TimedBody(
                    body: response.body, rule: request.bodyDeadline(from: start), longestSilence: request.idleTimeout,
                    deadlines: deadlines)
            )
        } catch {
            if error as? HTTPClientError == .deadlineExceeded { throw .noResponse(after: request.timeout) }
            throw TransportError(error)
        }
    }

    private func collect(_ request: TransportRequest, _ limit: Int) async throws(TransportError) -> TransportResponse {
        let collector = ResponseCollector(request, limit: limit, deadlines)
        do {
            return try await collector.run(on: client)
        } catch {
            if error is Deadlines.Exceeded { throw .noResponse(after: request.timeout) }
            throw TransportError(error)
        }
    }

    private static func body(
        _ chunks: some AsyncSequence<ByteBuffer, any Error> & Sendable, length: Int64
    ) -> HTTPClientRequest.Body {
        .stream(chunks, length: .known(length))
    }
}

extension HTTPFields {
    init(received headers: HTTPHeaders) {
        self.init()
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            append(HTTPField(name: name, value: header.value))
        }
    }
}

extension TransportRequest {
    fileprivate func bodyDeadline(from start: Duration) -> BodyReader.Deadline {
        switch responseDeadline {
        case .total: .until(start + timeout)
        case .minimumRate(let bytesPerSecond): .minimumRate(allowance: timeout, bytesPerSecond: bytesPerSecond)
        }
    }
}
