import Foundation
import HTTPListener
import Hummingbird
import Logging
import NIOCore
import PhotolalaClient

/// Shows a library as read-only folders to the WebDAV clients of this machine, until the task is cancelled.
///
/// The library is read again at most every 30 seconds. Bytes of photos are passed on as they are stored, without a check
/// of their MD5.
/// - Parameters:
///   - port: A port of 127.0.0.1; 0 for a free one.
///   - user: The name that clients send.
///   - password: The password that clients send.
///   - onRunning: Called with the port.
/// - Throws: `invalidRequest` if the port is not available.
package func serveWebDAV(
    of library: PhotolalaLibrary, port: Int, user: String, password: String,
    onRunning: @escaping @Sendable (Int) async -> Void
) async throws {
    let responder = WebDAVResponder(
        tree: CurrentTree(interval: .seconds(30), clock: { .now }) { () async throws(PhotolalaError) in
            try await library.photos()
        },
        read: { photo, range async throws(PhotolalaError) in try await library.data(for: photo, range: range) },
        credentials: Data("\(user):\(password)".utf8).base64EncodedString())
    let application = Application(
        responder: responder,
        server: .limited(
            ConnectionLimits(
                connections: 100, headerBytes: 16 << 10, headerFields: 100, idleTime: .seconds(60),
                minimumBodyRate: .entireBody(within: .seconds(30)))),
        configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
        onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
        logger: Logger(label: "webdav") { _ in SwiftLogNoOpLogHandler() })
    do {
        try await Listener(application, at: "127.0.0.1:\(port)", setting: "--port").run()
    } catch let error as ListenerError { throw PhotolalaError(code: .invalidRequest, detail: "\(error).") }
}
