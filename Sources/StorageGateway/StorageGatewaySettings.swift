import Foundation
import HTTPListener
import HTTPTypes
import NIOCore

/// The settings of the S3 endpoint.
package struct StorageGatewaySettings: Sendable {
    /// The name of the only bucket.
    package var bucket: String
    package var region: String
    /// The origins whose pages may call from a browser, as browsers send them (`https://photos.example`).
    package var corsOrigins: [String]
    /// The largest object and the largest request body, in bytes.
    package var maxBodySize: Int64
    /// The largest request header section, in bytes.
    package var maxHeaderSize: Int
    /// How long an unfinished multipart upload is kept, in seconds.
    package var uploadLifetime: TimeInterval
    /// How long an idle connection is kept, in seconds.
    package var idleTimeout: Int64
    /// The minimum rate at which bodies must be received.
    package var minimumBodyRate: MinimumBodyRate
    /// The maximum number of connections.
    package var connections: Int
    /// The maximum number of connections per client address; 0 sets no limit.
    package var connectionsPerAddress: Int
    /// The maximum number of requests per minute and account; 0 sets no limit.
    package var requestsPerAccount: Int
    /// The maximum number of requests per minute and client address; 0 sets no limit.
    package var requestsPerAddress: Int
    /// Returns the network for which a client's request is counted, from the connection's peer and the request's
    /// headers.
    package var clientNetwork: @Sendable (SocketAddress?, HTTPFields) -> UInt64
    /// Returns whether an address is that of a proxy, whose connections are shared by many users.
    package var isProxy: @Sendable (SocketAddress) -> Bool
    /// The host names accepted in requests.
    package var hosts: AllowedHosts
    /// The address to listen on; port 0 selects any free port.
    package var host: String
    package var port: Int

    /// Whether each request is logged.
    package var logsRequests: Bool
    /// The certificate; `nil` without TLS.
    package let tls: TLSCertificate?

    package init(
        bucket: String, region: String, corsOrigins: [String] = [], maxBodySize: Int64 = 5 << 40,
        maxHeaderSize: Int = 32 << 10, uploadLifetime: TimeInterval = 7 * 86_400, idleTimeout: Int64 = 60,
        minimumBodyRate: MinimumBodyRate = MinimumBodyRate(bytes: 8 << 10, interval: .seconds(30)),
        connections: Int = 10_000, connectionsPerAddress: Int = 0, requestsPerAccount: Int = 0,
        requestsPerAddress: Int = 0,
        clientNetwork: @escaping @Sendable (SocketAddress?, HTTPFields) -> UInt64 = { _, _ in 0 },
        isProxy: @escaping @Sendable (SocketAddress) -> Bool = { _ in false }, hosts: AllowedHosts = .any,
        host: String = "127.0.0.1", port: Int = 0, logsRequests: Bool = false, tls: TLSCertificate? = nil
    ) {
        self.bucket = bucket
        self.region = region
        self.corsOrigins = corsOrigins
        self.maxBodySize = maxBodySize
        self.maxHeaderSize = maxHeaderSize
        self.uploadLifetime = uploadLifetime
        self.idleTimeout = idleTimeout
        self.minimumBodyRate = minimumBodyRate
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.requestsPerAccount = requestsPerAccount
        self.requestsPerAddress = requestsPerAddress
        self.clientNetwork = clientNetwork
        self.isProxy = isProxy
        self.hosts = hosts
        self.logsRequests = logsRequests
        self.tls = tls
        self.host = host
        self.port = port
    }
}
