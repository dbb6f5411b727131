import Foundation
import HTTPTypes
import NIOCore
import S3Protocol
import Transport

/// The response of a server to a request without a session.
package struct ServerProbe: Sendable {
    package let status: Int
    /// The time of the server or its proxy, in whole seconds.
    package let date: Date?
    /// The beginning of the body.
    package let body: Data

    package init(status: Int, date: Date?, body: Data) { (self.status, self.date, self.body) = (status, date, body) }
}

extension ServiceConnection {
    /// Requests a document without a session, and returns a response of any status.
    /// - Parameter length: The length of the body after which the rest is not read.
    package func probe(_ path: String, length: Int) async throws(PhotolalaError) -> ServerProbe {
        let request = TransportRequest(method: .get, url: server.description + path, timeout: timeout)
        do throws(TransportError) {
            let response = try await transport.send(request)
            var body = Data()
            do {
                for try await chunk in response.body {
                    body.append(contentsOf: chunk.readableBytesView)
                    if body.count >= length { break }
                }
            } catch { throw (error as? TransportError) ?? .connectionLost("\(error)") }
            return ServerProbe(
                status: response.status, date: response.headers[.date].flatMap(S3Date.http), body: body.prefix(length))
        } catch {
            throw failure(error, isSafe: true, isOAuth: false)
        }
    }
}
