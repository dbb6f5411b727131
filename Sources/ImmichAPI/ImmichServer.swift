import ForeignExports
import HTTPTypes
import NIOCore
import ObjectStorage
import Transport

/// An Immich server that is read through its API, with the key of one account. The key is sent only to this server:
/// redirects are refused.
package struct ImmichServer: ImmichLibrary {
    package let address: String
    private let key: String
    private let transport: any HTTPTransport
    private let pause: Backoff

    /// - Parameters:
    ///   - address: The address without `/api` and trailing slash.
    ///   - key: An API key with the permissions `user.read`, `asset.read`, `asset.download` and `album.read`.
    ///   - pause: The time between attempts.
    package init(address: String, key: String, transport: any HTTPTransport, pause: Backoff) {
        self.address = address.hasSuffix("/api") ? String(address.dropLast(4)) : address
        (self.key, self.transport, self.pause) = (key, transport, pause)
    }

    private static let keyHeader = HTTPField.Name("x-api-key")
    /// A request that fails for a passing reason is sent this many times.
    private static let attempts = 4
    /// The longest wait that a server may ask for.
    private static let longestWait = Duration.seconds(60)
    static let timeout = Duration.seconds(60)
    /// The slowest download; an original has no length limit.
    private static let slowestRate = 8192

    /// The requests of an import, and the permissions that they need.
    enum Request: Sendable {
        case version
        case account
        case albums
        case search(body: [UInt8])
        case original(String)

        var path: String {
            switch self {
            case .version: "/server/version"
            case .account: "/users/me"
            case .albums: "/albums"
            case .search: "/search/metadata"
            case .original(let id): "/assets/\(id)/original"
            }
        }

        var permission: String {
            switch self {
            case .version: "server.about"
            case .account: "user.read"
            case .albums: "album.read"
            case .search: "asset.read"
            case .original: "asset.download"
            }
        }
    }

    package func original(
        of asset: ImmichAsset, isRetried: Bool
    ) -> any AsyncSequence<ByteBuffer, any Error> & Sendable {
        OriginalBody(server: self, asset: asset, isRetried: isRetried)
    }

    /// Sends a request and returns its JSON.
    func json<Value: Decodable>(
        _ type: Value.Type, _ request: Request, limit: Int
    ) async throws(ImmichError) -> Value {
        let response = try await send(request, collecting: limit)
        let bytes: ByteBuffer
        do throws(TransportError) {
            bytes = try await response.collect(limit: limit)
        } catch {
            throw failure(error, request)
        }
        return try ImmichResponse.decode(type, from: bytes, of: request)
    }

    /// Sends a request until it succeeds or fails for a reason that does not pass.
    /// - Parameters:
    ///   - limit: The longest answer, if it is collected.
    ///   - isRetried: Whether it is repeated at all.
    func send(
        _ request: Request, collecting limit: Int? = nil, isRetried: Bool = true
    ) async throws(ImmichError) -> TransportResponse {
        var attempt = isRetried ? 1 : Self.attempts
        while true {
            var least = Duration.zero
            do throws(ImmichError) {
                let response = try await sendOnce(request, collecting: limit)
                guard let failure = ImmichError(response, request) else { return response }
                least = response.headers[.retryAfter].flatMap { Int($0) }.map { .seconds($0) } ?? .zero
                throw failure
            } catch {
                guard error.isTransient, attempt < Self.attempts else { throw error }
            }
            await pause.wait(attempt: attempt, atLeast: min(max(least, .zero), Self.longestWait))
            if Task.isCancelled { throw .cancelled }
            attempt += 1
        }
    }

    private func sendOnce(_ request: Request, collecting limit: Int?) async throws(ImmichError) -> TransportResponse {
        var headers = HTTPFields()
        headers[.accept] = limit == nil ? "application/octet-stream" : "application/json"
        if case .version = request {} else if let name = Self.keyHeader { headers[name] = key }
        var body = TransportRequest.Body.none
        if case .search(let bytes) = request {
            headers[.contentType] = "application/json"
            body = .bytes(ByteBuffer(bytes: bytes))
        }
        let outgoing = TransportRequest(
            method: request.method, url: "\(address)/api\(request.path)", headers: headers, body: body,
            timeout: Self.timeout,
            answerDeadline: limit == nil ? .minimumRate(bytesPerSecond: Self.slowestRate) : .total,
            collectedLength: limit)
        do throws(TransportError) {
            return try await transport.send(outgoing)
        } catch {
            throw failure(error, request)
        }
    }

    /// Returns the error that a failed exchange is.
    func failure(_ error: TransportError, _ request: Request) -> ImmichError {
        if Task.isCancelled { return .cancelled }
        return switch error {
        case .notSent(let reason): .unreachable(address: address, reason: reason)
        case .serverNotTrusted(let reason): .notTrusted(address: address, reason: reason)
        case .connectionLost, .noResponse: .noAnswer
        case .tooLarge: .tooLarge(request: request.path)
        }
    }
}

extension ImmichServer.Request {
    fileprivate var method: HTTPRequest.Method {
        if case .search = self { .post } else { .get }
    }
}

extension ImmichError {
    /// Whether a later attempt may succeed.
    fileprivate var isTransient: Bool {
        switch self {
        case .busy, .serverFailed, .noAnswer: true
        default: false
        }
    }

    /// Returns the error that a response reports; `nil` for a successful one.
    fileprivate init?(_ response: TransportResponse, _ request: ImmichServer.Request) {
        switch response.status {
        case 200..<300:
            // A proxy's sign-in page, or the address of another service.
            let isPage = response.headers[.contentType]?.lowercased().hasPrefix("text/html") ?? false
            guard isPage else { return nil }
            self = .notImmich
        case 300..<400:
            // A query can repeat the key.
            self = .redirected(to: response.headers[.location].map { String($0.prefix { $0 != "?" }.prefix(200)) })
        case 401: self = .keyRefused
        case 403: self = .permissionMissing(request.permission)
        // Immich answers 400 for an asset that the account does not have.
        case 400, 404, 410:
            if case .original = request {
                self = .missing
            } else {
                self = response.status == 400 ? .malformed(request: request.path) : .notImmich
            }
        case 429: self = .busy
        case 500...: self = .serverFailed(status: response.status)
        default: self = .malformed(request: request.path)
        }
    }
}
