import HTTPListener
import NIOCore
import PhotolalaAPI
import Transport
import UseCases

/// The HTTP server's address and limits.
package struct ServerSettings: Sendable {
    package let host: String
    /// The port to listen on; 0 selects a free port.
    package let port: Int
    /// The URL under which clients reach this server, without a trailing slash. DPoP proofs name it.
    package let publicURL: String
    /// The largest request body, in bytes.
    package let bodyLimit: Int
    /// The largest total size of the header fields, in bytes.
    package let headerLimit: Int
    /// The time after which an idle connection is closed.
    package let idleTimeout: Duration
    /// The time within which a request body must arrive.
    package let bodyTimeout: Duration
    /// The maximum number of concurrent connections.
    package let connections: Int
    /// The maximum number of connections per client address; 0 sets no limit. Connections from trusted proxies are not
    /// counted.
    package let connectionsPerAddress: Int
    /// Proxies whose `X-Forwarded-For` is trusted.
    package let trustedProxies: [AddressRange]
    /// Returns the country of a client's address; `nil` if this deployment determines no countries.
    package let country: (@Sendable (IPAddress) -> CountryCode?)?
    /// The hosts that requests may name.
    package let hosts: AllowedHosts
    /// The certificate; `nil` without TLS.
    package let tls: TLSCertificate?
    /// What each request must carry in pairing mode; `nil` in other modes.
    package let pairingSecret: String?
    /// What the pages show of the operator.
    package let brand: ServiceBrand

    package init(
        host: String, port: Int, publicURL: String, bodyLimit: Int = 128 << 10, headerLimit: Int = 16 << 10,
        idleTimeout: Duration = .seconds(60), bodyTimeout: Duration = .seconds(30), connections: Int = 10_000,
        connectionsPerAddress: Int = 0, trustedProxies: [AddressRange] = [],
        country: (@Sendable (IPAddress) -> CountryCode?)? = nil, hosts: AllowedHosts = .any, tls: TLSCertificate? = nil,
        pairingSecret: String? = nil, brand: ServiceBrand = .standard
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
        self.country = country
        self.hosts = hosts
        self.tls = tls
        self.pairingSecret = pairingSecret
        self.brand = brand
    }
}
