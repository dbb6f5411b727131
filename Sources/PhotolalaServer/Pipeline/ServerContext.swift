import Flows
import Hummingbird
import Logging
import NIOCore

/// What is known of a request besides its message.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id under which the log and the answer name this request.
    let requestID: String
    /// The connection. Its other end may be a proxy.
    let channel: any Channel
    /// Why the limits refuse the request, where its endpoint answers that itself.
    var limitRefusal: FlowError?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        channel = source.channel
    }
}
