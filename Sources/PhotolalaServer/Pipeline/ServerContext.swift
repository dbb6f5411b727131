import Hummingbird
import Logging
import NIOCore
import UseCases

/// The context of a request.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id of this request in the log and in the response; the trace's id if requests are traced.
    var requestID: String { didSet { logger[metadataKey: "hb.request.id"] = "\(requestID)" } }
    /// The connection. The peer may be a proxy.
    let channel: any Channel
    /// The rate limit error, for an endpoint that renders it itself.
    var limitRefusal: ServiceError?

    package init(source: ApplicationRequestContextSource) {
        let id = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        requestID = Self.padded(id)
        // Hummingbird omits leading zeros of the first half.
        var logger = source.logger
        logger[metadataKey: "hb.request.id"] = "\(requestID)"
        coreContext = .init(source: ApplicationRequestContextSource(channel: source.channel, logger: logger))
        channel = source.channel
    }

    /// Returns a request id with 32 hexadecimal digits.
    static func padded(_ id: String) -> String { String(repeating: "0", count: max(0, 32 - id.count)) + id }
}
