import Hummingbird
import Logging

/// The context of one request to the operators' listener.
struct OperatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The id of the request, in the log and in problem documents.
    let requestID: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        requestID = "\(RequestID())"
        coreContext.logger[metadataKey: "hb.request.id"] = "\(requestID)"
    }
}
