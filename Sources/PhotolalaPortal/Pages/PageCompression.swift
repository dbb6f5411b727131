import CZlib
import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses pages for browsers that accept gzip. A page that repeats something of its address stays as it is: with
/// the page's secrets in the same response, its length would reveal them to an observer who chooses addresses.
struct PageCompression<Context: RequestContext>: RouterMiddleware {
    /// The fragments of a page, and the parameters whose values they do not repeat. A whole page repeats its address in the
    /// form of the language.
    private static var fragments: String { "/library/blocks" }
    private static var silentParameters: Set<Substring> { ["from", "list", "name"] }
    /// The range of sizes in bytes in which compression saves time.
    private static var sizes: ClosedRange<Int> { 1024...4 << 20 }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard response.status == .ok, request.method == .get, request.acceptsGzip,
            response.headers[.contentType]?.hasPrefix("text/html") == true,
            let size = response.body.contentLength, Self.sizes.contains(size), Self.isSilent(request)
        else { return response }
        let collector = BodyCollector()
        try await response.body.write(collector)
        guard let bytes = collector.bytes.compressed() else {
            response.body = .init(byteBuffer: collector.bytes)
            return response
        }
        response.body = .init(byteBuffer: bytes)
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
        return response
    }

    private static func isSilent(_ request: Request) -> Bool {
        guard let query = request.uri.query, !query.isEmpty else { return true }
        let path = request.uri.path
        return (path == fragments || path.hasPrefix("/\(SharedPages.area)/") && path.hasSuffix("/blocks"))
            && query.split(separator: "&").allSatisfy { silentParameters.contains($0.prefix { $0 != "=" }) }
    }
}

/// The bytes of a response's body.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension Request {
    /// Whether the client accepts gzip (RFC 9110 section 12.5.3).
    var acceptsGzip: Bool {
        (headers[.acceptEncoding] ?? "").split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return parts.first == "gzip" && quality > 0
        }
    }
}

extension ByteBuffer {
    /// Returns the bytes as a gzip file, `nil` if that is not smaller.
    func compressed() -> ByteBuffer? {
        var compressed = ByteBuffer()
        compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: readableBytes) { out in
            withUnsafeReadableBytes { bytes in
                guard let size = UInt32(exactly: bytes.count) else { return 0 }
                return Int(
                    photolala_gzip(
                        bytes.bindMemory(to: UInt8.self).baseAddress, size,
                        out.bindMemory(to: UInt8.self).baseAddress, size))
            }
        }
        return compressed.readableBytes > 0 ? compressed : nil
    }
}
