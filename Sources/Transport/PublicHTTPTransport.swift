import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix

/// HTTP to addresses that come from external documents: connects only to the public internet, whatever a name
/// resolves to, so that no provider can make the service send requests to its own network.
///
/// A name is resolved once per request, all of its addresses must be public, and the connection is made to one of
/// them; a later change of the name's addresses has no effect.
package struct PublicHTTPTransport: HTTPTransport {
    /// Returns the addresses of a host name.
    package typealias Resolver = @Sendable (_ host: String) async throws(TransportError) -> [SocketAddress]

    private let resolve: Resolver
    private let bodyLimit: Int
    private let isAllowed: @Sendable (IPAddress) -> Bool
    private let clock: TransportClock

    /// - Parameters:
    ///   - bodyLimit: The maximum number of bytes of a response, which is read completely; a larger one is
    ///     `tooLarge`.
    ///   - isAllowed: Returns whether a connection to the address is allowed.
    ///   - clock: The clock for the deadline, which covers name resolution and all connection attempts.
    ///   - resolve: Resolves host names.
    package init(
        bodyLimit: Int = 1 << 20, isAllowed: @escaping @Sendable (IPAddress) -> Bool = { $0.isPublic },
        clock: TransportClock = .system, resolve: @escaping Resolver = Self.systemResolver
    ) {
        self.isAllowed = isAllowed
        self.bodyLimit = bodyLimit
        self.clock = clock
        self.resolve = resolve
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let host = URL(string: request.url)?.host(percentEncoded: false), !host.isEmpty else {
            throw .notSent("no host in the URL")
        }
        let deadline = clock.now() + request.timeout
        let addresses = try await clock.withTimeout(request.timeout) { [resolve] () async throws(TransportError) in
            try await resolve(host)
        }
        guard !addresses.isEmpty else { throw .notSent("\(host) has no address") }
        guard addresses.allSatisfy({ IPAddress($0).map(isAllowed) == true }) else {
            throw .notSent("\(host) is not a public address")
        }
        var refused = TransportError.notSent("\(host) is unreachable")
        for address in addresses.prefix(4) {
            var request = request
            request.timeout = deadline - clock.now()
            guard request.timeout > .zero else { break }
            do {
                return try await send(request, to: host, at: address.ipAddress ?? "")
            } catch .notSent(let reason) {
                refused = .notSent(reason)
            }
        }
        throw refused
    }

    private func send(
        _ request: TransportRequest, to host: String, at address: String
    ) async throws(TransportError) -> TransportResponse {
        var configuration = HTTPClient.Configuration()
        configuration.dnsOverride = [host: address]
        let transport = AsyncHTTPTransport(configuration: configuration, clock: clock)
        let outcome: Result<TransportResponse, TransportError>
        do {
            let response = try await transport.send(request)
            let bytes = try await response.collect(limit: bodyLimit)
            outcome = .success(
                TransportResponse(
                    status: response.status, headers: response.headers, body: CollectedBody(bytes: bytes)))
        } catch {
            outcome = .failure(error)
        }
        try? await transport.shutdown()
        return try outcome.get()
    }

    /// Runs `getaddrinfo` on a separate thread; a numeric address resolves to itself.
    package static let systemResolver: Resolver = { host throws(TransportError) in
        do {
            return try await NIOSingletons.posixBlockingThreadPool.runIfActive { try Self.lookUp(host) }
        } catch {
            throw error as? TransportError ?? .notSent("\(host): \(error)")
        }
    }

    private static func lookUp(_ host: String) throws(TransportError) -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Darwin) || canImport(Musl)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #endif
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { throw .notSent("\(host): \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            switch info.ai_family {
            case AF_INET:
                info.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    addresses.append(SocketAddress($0.pointee))
                }
            case AF_INET6:
                info.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    addresses.append(SocketAddress($0.pointee))
                }
            default: break
            }
        }
        return addresses
    }
}
