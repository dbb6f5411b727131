import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// What a request needs of its connection.
package struct GatewayContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Sends `100 Continue` (RFC 9110 section 10.1.1): clients hold their body back for a second or more without it.
    func sendContinue() async throws {
        try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }
}
