import Foundation
import HTTPListener
import HTTPTypes
import NIOCore

/// What the S3 endpoint of one machine is told.
package struct StorageGatewaySettings: Sendable {
    /// The one bucket there is.
    package var bucket: String
    package var region: String
    /// Origins whose pages may call from a browser, as browsers send them (`https://photos.example`).
    package var corsOrigins: [String]
    /// The largest object and the largest request body, in bytes.
    package var maxBodySize: Int64
    /// The largest request head, in bytes.
    package var maxHeaderSize: Int
    /// How long an unfinished multipart upload is kept, in seconds.
    package var uploadLifetime: TimeInterval
    /// How long a connection without traffic is kept, in seconds.
    package var idleTimeout: Int64
    /// How fast bodies must come.
    package var bodyPace: BodyPace
    /// How many connections there may be at once.
    package var connections: Int
    /// How many of them one client address may hold; 0 sets no limit.
    package var connectionsPerAddress: Int
    /// How many requests a minute one account may make; 0 sets no limit.
    package var requestsPerAccount: Int
    /// How many requests a minute may come from one client address; 0 sets no limit.
    package var requestsPerAddress: Int
    /// The network that a client's requests are counted for, by the connection's peer and the request's headers.
    package var clientNetwork: @Sendable (SocketAddress?, HTTPFields) -> UInt64
    /// Whether an address is a proxy's, whose connections are many people's.
    package var isProxy: @Sendable (SocketAddress) -> Bool
    /// The hosts that requests may name.
    package var hosts: ServedHosts
    /// The address to listen on; port 0 takes any free one.
    package var host: String
    package var port: Int

    package init(
        bucket: String, region: String, corsOrigins: [String] = [], maxBodySize: Int64 = 5 << 40,
        maxHeaderSize: Int = 32 << 10, uploadLifetime: TimeInterval = 7 * 86_400, idleTimeout: Int64 = 60,
        bodyPace: BodyPace = BodyPace(bytes: 8 << 10, interval: .seconds(30)),
        connections: Int = 10_000, connectionsPerAddress: Int = 0, requestsPerAccount: Int = 0,
        requestsPerAddress: Int = 0,
        clientNetwork: @escaping @Sendable (SocketAddress?, HTTPFields) -> UInt64 = { _, _ in 0 },
        isProxy: @escaping @Sendable (SocketAddress) -> Bool = { _ in false }, hosts: ServedHosts = .any,
        host: String = "127.0.0.1", port: Int = 0
    ) {
        self.bucket = bucket
        self.region = region
        self.corsOrigins = corsOrigins
        self.maxBodySize = maxBodySize
        self.maxHeaderSize = maxHeaderSize
        self.uploadLifetime = uploadLifetime
        self.idleTimeout = idleTimeout
        self.bodyPace = bodyPace
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.requestsPerAccount = requestsPerAccount
        self.requestsPerAddress = requestsPerAddress
        self.clientNetwork = clientNetwork
        self.isProxy = isProxy
        self.hosts = hosts
        self.host = host
        self.port = port
    }
}
