import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix

/// HTTP to addresses that a document names and nobody here chose: it connects to the public internet alone, whatever a
/// name resolves to, so that no provider can make the service ask machines of its own network.
///
/// A name is resolved once for each request, all of its addresses must be public, and the connection goes to one of
/// those; so a name that resolves otherwise a moment later changes nothing.
package struct PublicHTTPTransport: HTTPTransport {
    /// The addresses of a host's name.
    package typealias Resolver = @Sendable (_ host: String) async throws(TransportError) -> [SocketAddress]

    private let resolve: Resolver
    private let bodyLimit: Int
    private let isAllowed: @Sendable (IPAddress) -> Bool
    private let clock: TransportClock

    /// - Parameters:
    ///   - bodyLimit: the most bytes of an answer, which is read whole; a longer one is `tooLarge`.
    ///   - isAllowed: which addresses may be asked.
    ///   - clock: for the deadline, which covers the name's resolution and all addresses that are tried.
    ///   - resolve: how names become addresses.
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
        let addresses = try await clock.within(request.timeout) { [resolve] () async throws(TransportError) in
            try await resolve(host)
        }
        guard !addresses.isEmpty else { throw .notSent("\(host) has no address") }
        guard addresses.allSatisfy({ IPAddress($0).map(isAllowed) == true }) else {
            throw .notSent("\(host) is not on the public internet")
        }
        var refused = TransportError.notSent("\(host) cannot be reached")
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
                TransportResponse(status: response.status, headers: response.headers, body: WholeBody(bytes: bytes)))
        } catch {
            outcome = .failure(error)
        }
        try? await transport.shutdown()
        return try outcome.get()
    }

    /// `getaddrinfo` on a thread of its own; an address in digits is itself.
    package static let systemResolver: Resolver = { host throws(TransportError) in
        do {
            return try await NIOSingletons.posixBlockingThreadPool.runIfActive { try Self.lookUp(host) }
        } catch {
            throw error as? TransportError ?? .notSent("\(host): \(error)")
        }
    }

    private static func lookUp(_ host: String) throws(TransportError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
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

/// An answer's body that was read already.
private struct WholeBody: AsyncSequence, Sendable {
    let bytes: ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ByteBuffer?

        mutating func next() async throws -> ByteBuffer? {
            defer { rest = nil }
            return rest
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes) }
}
