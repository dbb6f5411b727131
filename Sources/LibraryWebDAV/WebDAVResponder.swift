import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import ObjectStorage
import PhotolalaClient
import S3Protocol
import Secrets

/// Responds to requests for a library: read-only WebDAV of class 1 (RFC 4918).
struct WebDAVResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let tree: CurrentTree
    /// Returns some bytes of a photo.
    let read: @Sendable (LibraryPhoto, Range<Int64>) async throws(PhotolalaError) -> Data
    /// The user and password that are required, as the scheme `Basic` encodes them.
    let credentials: String

    private static let allowed = "OPTIONS, GET, HEAD, PROPFIND"
    private static let hosts = AllowedHosts.loopback(and: [])
    /// The maximum length of a request's body, in bytes.
    private static let bodyLimit = 64 << 10
    /// The length of the pieces in which a photo is read, in bytes.
    private static let pieceLength: Int64 = 4 << 20

    func respond(to request: Request, context: Context) async throws -> Response { try await response(to: request) }

    /// Returns the response to a request, also for errors of the library.
    func response(to request: Request) async throws -> Response {
        do {
            return harden(try await handle(request))
        } catch let error as PhotolalaError {
            return harden(text(error.detail, HTTPResponse.Status(error)))
        }
    }

    private func handle(_ request: Request) async throws -> Response {
        guard request.head.isAddressed(oneOf: Self.hosts) else { return text("unknown host", .misdirectedRequest) }
        guard isAuthorized(request) else {
            var response = text("authentication required", .unauthorized)
            response.headers[.wwwAuthenticate] = "Basic realm=\"Photolala\", charset=\"UTF-8\""
            return response
        }
        guard let path = Self.path(of: request) else { return text("invalid path", .badRequest) }
        switch request.method.rawValue {
        case "OPTIONS": return Response(status: .ok, headers: [.allow: Self.allowed, .dav: "1"])
        case "GET", "HEAD": return try await get(path, request)
        case "PROPFIND": return try await properties(path, request)
        default:
            var response = text("the library is read-only", .methodNotAllowed)
            response.headers[.allow] = Self.allowed
            return response
        }
    }

    private func isAuthorized(_ request: Request) -> Bool {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "basic"
            && ConstantTime.isEqual(String(parts[1]), credentials)
    }

    private func get(_ path: String, _ request: Request) async throws -> Response {
        let tree = try await tree.tree()
        guard let photo = tree.photo(path) else {
            guard tree.folder(path) != nil else { return text("not found", .notFound) }
            var response = text("a folder, for WebDAV clients", .methodNotAllowed)
            response.headers[.allow] = "OPTIONS, PROPFIND"
            return response
        }
        let tag = Resource.tag(of: photo)
        var headers: HTTPFields = [.eTag: tag, .acceptRanges: "bytes", .contentType: photo.type]
        if let modified = Resource.modified(photo) { headers[.lastModified] = HTTPDate.text(modified) }
        if let wanted = request.headers[.ifMatch], wanted != "*", !wanted.contains(tag) {
            return Response(status: .preconditionFailed, headers: headers)
        }
        if let known = request.headers[.ifNoneMatch], known == "*" || known.contains(tag) {
            return Response(status: .notModified, headers: headers)
        }
        let isCurrent = request.headers[.ifRange].map { $0 == tag } ?? true
        let range = isCurrent ? request.headers[.range].flatMap { ByteRange(header: $0) } : nil
        guard let offsets = ByteRange.resolve(range, size: photo.size) else {
            headers[.contentRange] = "bytes */\(photo.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        if range != nil {
            headers[.contentRange] = "bytes \(offsets.lowerBound)-\(offsets.upperBound - 1)/\(photo.size)"
        }
        headers[.contentLength] = "\(offsets.upperBound - offsets.lowerBound)"
        let status: HTTPResponse.Status = range == nil ? .ok : .partialContent
        guard request.method == .get else { return Response(status: status, headers: headers) }
        return Response(status: status, headers: headers, body: try await body(of: photo, offsets))
    }

    /// Reads the first piece before the response begins, so that an error has a status.
    private func body(of photo: LibraryPhoto, _ offsets: Range<Int64>) async throws -> ResponseBody {
        let end = { @Sendable (start: Int64) in min(start + Self.pieceLength, offsets.upperBound) }
        let first = try await read(photo, offsets.lowerBound..<end(offsets.lowerBound))
        return ResponseBody(contentLength: Int(offsets.upperBound - offsets.lowerBound)) { [read] writer in
            try await writer.write(ByteBuffer(bytes: first))
            var start = end(offsets.lowerBound)
            while start < offsets.upperBound {
                try await writer.write(ByteBuffer(bytes: try await read(photo, start..<end(start))))
                start = end(start)
            }
            try await writer.finish(nil)
        }
    }

    private func properties(_ path: String, _ request: Request) async throws -> Response {
        let wanted: PropertyRequest
        do {
            wanted = try PropertyRequest(try await request.body.collect(upTo: Self.bodyLimit))
        } catch { return text("the body is no propfind document", .badRequest) }
        guard let depth = request.headers[.depth], ["0", "1"].contains(depth) else {
            return xml(
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>",
                .forbidden)
        }
        let tree = try await tree.tree()
        if let photo = tree.photo(path) {
            return xml(Multistatus.start + Multistatus.element(.file(photo), wanted) + Multistatus.end, .multiStatus)
        }
        guard let folder = tree.folder(path) else { return text("not found", .notFound) }
        let prefix = path.isEmpty ? "" : path + "/"
        var response = xml("", .multiStatus)
        response.body = ResponseBody { writer in
            // Folders may have any number of files, so their elements are written in blocks.
            var block = Multistatus.start + Multistatus.element(.folder(path: path), wanted)
            func add(_ resource: Resource) async throws {
                block += Multistatus.element(resource, wanted)
                guard block.utf8.count > 64 << 10 else { return }
                try await writer.write(ByteBuffer(string: block))
                block = ""
            }
            if depth == "1" {
                for name in folder.folders { try await add(.folder(path: prefix + name)) }
                for index in folder.files { try await add(.file(tree.photo(at: index))) }
            }
            try await writer.write(ByteBuffer(string: block + Multistatus.end))
            try await writer.finish(nil)
        }
        return response
    }

    /// Returns the path without its slashes at the ends; `nil` if it is not UTF-8.
    private static func path(of request: Request) -> String? {
        let target = request.head.path ?? "/"
        // Some clients send a complete address.
        let raw = target.hasPrefix("/") ? target : URLComponents(string: target)?.percentEncodedPath ?? "/"
        let parts = raw.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map {
            String($0).removingPercentEncoding
        }
        guard parts.allSatisfy({ $0 != nil }) else { return nil }
        return parts.compactMap { $0 }.joined(separator: "/")
    }

    private func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    private func xml(_ text: String, _ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "application/xml; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A page of another site must not read a photo through the browser's stored password.
    private func harden(_ response: Response) -> Response {
        var response = response
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }
}

extension HTTPResponse.Status {
    /// Returns the status for an error of the library.
    fileprivate init(_ error: PhotolalaError) {
        self =
            switch error.code {
            case .photoArchived: .forbidden
            case .photoDamaged: .badGateway
            case .notFound: .notFound
            default: .serviceUnavailable
            }
    }

    fileprivate static let multiStatus = HTTPResponse.Status(code: 207, reasonPhrase: "Multi-Status")
}

extension HTTPField.Name {
    fileprivate static let dav = webDAV("DAV")
    static let depth = webDAV("Depth")
    fileprivate static let crossOriginResourcePolicy = webDAV("Cross-Origin-Resource-Policy")

    /// Creates a field name from a literal of this file, all of which are valid tokens.
    private static func webDAV(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .date }
}
