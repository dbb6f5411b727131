import Hummingbird
import Logging

/// The context of one request to the operators' listener.
struct OperatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The id of the request, in the log and in problem documents.
    let requestID: String

    init(source: ApplicationRequestContextSource) {
        requestID = "\(RequestID())"
        var logger = source.logger
        logger[metadataKey: "hb.request.id"] = "\(requestID)"
        coreContext = .init(source: ApplicationRequestContextSource(channel: source.channel, logger: logger))
    }
}
