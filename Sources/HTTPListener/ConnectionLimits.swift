import NIOCore

/// How many connections a listener holds, and what one may take.
package struct ConnectionLimits: Sendable {
    /// How many there may be at once; those beyond are closed.
    package let connections: Int
    /// How many of them one client address may hold, an IPv6 client being its /64; 0 sets no limit.
    package let connectionsPerAddress: Int
    /// Whether an address is a proxy's, whose connections are many people's.
    package let isProxy: @Sendable (SocketAddress) -> Bool
    /// The largest sum of a request's header fields, in bytes.
    package let headerBytes: Int
    /// The most header fields of a request.
    package let headerFields: Int
    /// How long a connection may be silent, how long the head of a request may take, and how long a client may take
    /// nothing of its answers.
    package let idleTime: Duration
    /// How fast bodies must come.
    package let bodyPace: BodyPace
    /// How much of a body that nobody wants is read and thrown away behind its answer, in bytes. A little must be, or the
    /// answer is lost to a reset.
    package let unwantedBytes: Int
    /// How long such a rest is listened to.
    package let unwantedTime: Duration

    package init(
        connections: Int = 10_000, connectionsPerAddress: Int = 0,
        isProxy: @escaping @Sendable (SocketAddress) -> Bool = { _ in false },
        headerBytes: Int, headerFields: Int, idleTime: Duration, bodyPace: BodyPace, unwantedBytes: Int = 1 << 20,
        unwantedTime: Duration = .seconds(10)
    ) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.isProxy = isProxy
        self.headerBytes = headerBytes
        self.headerFields = headerFields
        self.idleTime = idleTime
        self.bodyPace = bodyPace
        self.unwantedBytes = unwantedBytes
        self.unwantedTime = unwantedTime
    }
}
