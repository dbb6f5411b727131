import HTTPListener
import Hummingbird
import Logging
import NIOCore
import UseCases

/// The context of a request.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id of this request in the log and in the response; the trace's id if requests are traced.
    var requestID: String { didSet { logger[metadataKey: "hb.request.id"] = "\(requestID)" } }
    /// The address from which the request came; it may be a proxy's.
    let peer: SocketAddress?
    /// The connection; `nil` if another server received the request.
    private let channel: (any Channel)?
    /// The rate limit error, for an endpoint that renders it itself.
    var limitRefusal: ServiceError?

    package init(source: ApplicationRequestContextSource) {
        self.init(logger: source.logger, peer: source.channel.remoteAddress, channel: source.channel)
    }

    /// Creates the context of a request that another server received.
    /// - Parameters:
    ///   - logger: the logger, with the request's id as `hb.request.id`.
    ///   - peer: the client's address, `nil` if unknown.
    package init(logger: Logger, peer: SocketAddress?) { self.init(logger: logger, peer: peer, channel: nil) }

    private init(logger: Logger, peer: SocketAddress?, channel: (any Channel)?) {
        let id = logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        requestID = Self.padded(id)
        // Hummingbird omits leading zeros of the first half.
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "\(requestID)"
        coreContext = .init(source: LoggerSource(logger: logger))
        (self.peer, self.channel) = (peer, channel)
    }

    /// Asks the client for the body.
    func sendContinue() async throws { try await channel?.sendContinue() }

    /// Runs an operation that is cancelled when the client disconnects.
    func whileClientWaits<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let channel else { return try await operation() }
        return try await channel.whileClientWaits(operation)
    }

    /// Returns a request id with 32 hexadecimal digits.
    static func padded(_ id: String) -> String { String(repeating: "0", count: max(0, 32 - id.count)) + id }
}

private struct LoggerSource: RequestContextSource {
    let logger: Logger
}
