import Crypto
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Transport

/// An Immich server with the behavior of its OpenAPI specification (2.4), as far as an import uses it.
package final class FakeImmich: HTTPTransport {
    /// A photo or video.
    package struct Asset: Sendable {
        package var id: String
        package var name: String
        package var bytes: [UInt8]
        package var owner = FakeImmich.bob
        package var visibility = "timeline"
        package var taken = "2023-07-01T10:00:00.000Z"
        /// Two hours east of Greenwich.
        package var local = "2023-07-01T12:00:00.000Z"
        package var added = "2024-01-01T00:00:00.000Z"
        package var video: String?
        package var libraryID: String?
        package var latitude: Double?
        package var longitude: Double?
        package var caption = ""
        package var rating: Int?
        package var isFavorite = false
        package var isTrashed = false
        package var isOffline = false
        /// Whether the server has read the metadata.
        package var hasMetadata = true
        /// Members that replace those of the answer; `null` removes one.
        package var replaced: [String: String?] = [:]

        package init(_ number: Int, _ name: String, bytes: [UInt8]? = nil) {
            id = FakeImmich.id(number)
            (self.name, self.bytes) = (name, bytes ?? PhotoBytes.jpeg(number))
        }
    }

    package struct Album: Sendable {
        let id: String
        let title: String
        let assets: [String]

        package init(_ number: Int, _ title: String, _ assets: [Int]) {
            (id, self.title, self.assets) = (FakeImmich.id(number), title, assets.map(FakeImmich.id))
        }
    }

    package struct State: Sendable {
        package var assets: [Asset] = []
        package var albums: [Album] = []
        package var permissions: Set<String> = ["user.read", "asset.read", "asset.download", "album.read"]
        package var major = 2
        /// The most assets in one answer, whatever a request asks for.
        package var largestPage = 1000
        /// Responses that precede those of the server, by path, in order.
        package var next: [String: [Result<TransportResponse, TransportError>]] = [:]
        /// Called before each page of a search.
        package var onSearch: (@Sendable (inout State) -> Void)?
        package var requests: [TransportRequest] = []

        package init() {}
    }

    package static let key = "immich-key-1"
    package static let bob = id(1)
    package static let address = "https://photos.example.org"

    package let state: Mutex<State>

    package init(_ assets: [Asset] = [], albums: [Album] = []) {
        var state = State()
        (state.assets, state.albums) = (assets, albums)
        self.state = Mutex(state)
    }

    /// Returns the id with a number, a UUID of version 4.
    package static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Requests to a path, in order.
    package func requests(_ path: String) -> [TransportRequest] {
        state.withLock { $0.requests.filter { $0.url.hasSuffix("/api\(path)") } }
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let path = request.url.components(separatedBy: "/api").last ?? ""
        let scripted = state.withLock { state in
            state.requests.append(request)
            return state.next[path]?.isEmpty == false ? state.next[path]?.removeFirst() : nil
        }
        if let scripted { return try scripted.get() }
        return state.withLock { answer(request, path, &$0) }
    }

    private func answer(_ request: TransportRequest, _ path: String, _ state: inout State) -> TransportResponse {
        if path == "/server/version" { return .json(["major": state.major, "minor": 4, "patch": 1]) }
        let key = HTTPField.Name("x-api-key").flatMap { request.headers[$0] }
        guard key == Self.key else { return .error(401, "Invalid API key") }
        let permission =
            switch path {
            case "/users/me": "user.read"
            case "/albums": "album.read"
            case "/search/metadata": "asset.read"
            default: "asset.download"
            }
        guard state.permissions.contains(permission) else {
            return .error(403, "Missing required permission: \(permission)")
        }
        switch path {
        case "/users/me":
            return .json(["id": Self.bob, "email": "bob@example.org", "name": "Bob"])
        case "/albums":
            return .json(state.albums.map { FakeImmichJSON.album($0.id, $0.title, count: $0.assets.count) })
        case "/search/metadata": return search(request, &state)
        default:
            let id = path.split(separator: "/").dropFirst().first.map(String.init)
            guard let asset = state.assets.first(where: { $0.id == id }), path.hasSuffix("/original") else {
                return .error(400, "Not found or no asset.download access")
            }
            return .pieces(asset.bytes)
        }
    }

    private func search(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        state.onSearch?(&state)
        guard case .bytes(let bytes) = request.body,
            let query = try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any]
        else { return .error(400, "invalid body") }
        let (withExif, deleted) = (query["withExif"] as? Bool ?? false, query["withDeleted"] as? Bool ?? false)
        let visibility = query["visibility"] as? String ?? "timeline"
        guard ["timeline", "archive", "hidden"].contains(visibility) else { return .error(401, "Unauthorized") }
        let (page, size) = (query["page"] as? Int ?? 1, query["size"] as? Int ?? 250)
        guard (1...1000).contains(size), page >= 1 else { return .error(400, "size must not be greater than 1000") }
        let albums = Set(query["albumIds"] as? [String] ?? [])
        let members = state.albums.filter { albums.contains($0.id) }.flatMap(\.assets)
        var found = state.assets.filter { asset in
            asset.visibility == visibility && (deleted || !asset.isTrashed) && (!withExif || asset.hasMetadata)
                && (albums.isEmpty || members.contains(asset.id))
        }
        found.sort { $0.taken < $1.taken }
        if query["order"] as? String != "asc" { found.reverse() }
        let count = min(size, state.largestPage)
        let items = found.dropFirst((page - 1) * count).prefix(count)
        let next: Any = page * count < found.count ? String(page + 1) : NSNull()
        return .json(FakeImmichJSON.search(items.map { FakeImmichJSON.asset($0, withExif: withExif) }, next: next))
    }
}

extension TransportResponse {
    static func json(_ value: Any) -> TransportResponse {
        let bytes = (try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)) ?? Data()
        return .text(String(decoding: bytes, as: UTF8.self), status: 200, type: "application/json; charset=utf-8")
    }

    /// Returns an error as Immich's framework writes it.
    static func error(_ status: Int, _ message: String) -> TransportResponse {
        .text(
            "{\"message\":\"\(message)\",\"statusCode\":\(status)}", status: status, type: "application/json")
    }

    /// Returns bytes in several pieces.
    package static func pieces(_ bytes: [UInt8]) -> TransportResponse {
        let body = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                continuation.yield(ByteBuffer(bytes: bytes[start..<min(start + 1000, bytes.count)]))
            }
            continuation.finish()
        }
        return TransportResponse(
            status: 200, headers: [.contentType: "image/jpeg", .contentLength: String(bytes.count)], body: body)
    }
}
