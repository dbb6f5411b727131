import HTTPListener
import NIOCore
import Transport

/// How the HTTP server listens and what it accepts.
package struct ServerSettings: Sendable {
    package let host: String
    /// 0 takes a free port.
    package let port: Int
    /// The address under which clients call this server, without a slash at its end: what devices' proofs name.
    package let publicURL: String
    /// The largest request body, in bytes.
    package let bodyLimit: Int
    /// The largest sum of header fields, in bytes.
    package let headerLimit: Int
    /// How long a connection may be silent.
    package let idleTimeout: Duration
    /// How long a request's body may take to arrive.
    package let bodyTimeout: Duration
    /// How many connections there may be at once.
    package let connections: Int
    /// How many of them one client address may hold; 0 sets no limit. Those of trusted proxies are not counted.
    package let connectionsPerAddress: Int
    /// Proxies whose `X-Forwarded-For` is believed.
    package let trustedProxies: [AddressRange]
    /// The hosts that requests may name.
    package let hosts: ServedHosts

    package init(
        host: String, port: Int, publicURL: String, bodyLimit: Int = 128 << 10, headerLimit: Int = 16 << 10,
        idleTimeout: Duration = .seconds(60), bodyTimeout: Duration = .seconds(30), connections: Int = 10_000,
        connectionsPerAddress: Int = 0, trustedProxies: [AddressRange] = [],
        hosts: ServedHosts = .any
    ) {
        self.host = host
        self.port = port
        self.publicURL = publicURL
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
        self.idleTimeout = idleTimeout
        self.bodyTimeout = bodyTimeout
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.trustedProxies = trustedProxies
        self.hosts = hosts
    }
}
