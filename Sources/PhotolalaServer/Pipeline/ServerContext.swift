import Hummingbird
import Logging
import NIOCore
import UseCases

/// The context of a request.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id of this request in the log and in the response.
    let requestID: String
    /// The connection. The peer may be a proxy.
    let channel: any Channel
    /// The rate limit error, for an endpoint that renders it itself.
    var limitRefusal: ServiceError?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        channel = source.channel
    }
}
