import NIOCore

/// The limits of a listener's connections and of each connection.
package struct ConnectionLimits: Sendable {
    /// The maximum number of connections; further ones are closed.
    package let connections: Int
    /// The maximum number of connections per client address, an IPv6 client being its /64; 0 sets no limit.
    package let connectionsPerAddress: Int
    /// Returns whether an address is that of a proxy, whose connections are shared by many users.
    package let isProxy: @Sendable (SocketAddress) -> Bool
    /// The maximum total size of a request's header fields, in bytes.
    package let headerBytes: Int
    /// The maximum number of header fields of a request.
    package let headerFields: Int
    /// How long a connection may be idle, the header of a request may take, and a client may read nothing of its
    /// responses.
    package let idleTime: Duration
    /// The minimum rate at which bodies must be received.
    package let minimumBodyRate: MinimumBodyRate
    /// The number of bytes of an unread body that are read and discarded after its response. Without this the
    /// response may be lost to a connection reset.
    package let lingerBytes: Int
    /// How long the rest of an unread body is read.
    package let lingerTime: Duration

    package init(
        connections: Int = 10_000, connectionsPerAddress: Int = 0,
        isProxy: @escaping @Sendable (SocketAddress) -> Bool = { _ in false },
        headerBytes: Int, headerFields: Int, idleTime: Duration, minimumBodyRate: MinimumBodyRate,
        unwantedBytes: Int = 1 << 20,
        unwantedTime: Duration = .seconds(10)
    ) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.isProxy = isProxy
        self.headerBytes = headerBytes
        self.headerFields = headerFields
        self.idleTime = idleTime
        self.minimumBodyRate = minimumBodyRate
        self.lingerBytes = unwantedBytes
        self.lingerTime = unwantedTime
    }
}
