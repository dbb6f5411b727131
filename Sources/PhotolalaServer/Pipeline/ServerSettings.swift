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
    /// Calls a minute that one client address may make under `/auth`; 0 sets no limit.
    package let authCallsPerMinute: Int
    /// Proxies whose `X-Forwarded-For` is believed.
    package let trustedProxies: [AddressRange]

    package init(
        host: String, port: Int, publicURL: String, bodyLimit: Int = 128 << 10, headerLimit: Int = 16 << 10,
        idleTimeout: Duration = .seconds(60), bodyTimeout: Duration = .seconds(30), authCallsPerMinute: Int,
        trustedProxies: [AddressRange] = []
    ) {
        self.host = host
        self.port = port
        self.publicURL = publicURL
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
        self.idleTimeout = idleTimeout
        self.bodyTimeout = bodyTimeout
        self.authCallsPerMinute = authCallsPerMinute
        self.trustedProxies = trustedProxies
    }
}
